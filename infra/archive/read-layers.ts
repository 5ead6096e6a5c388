/** Reads what products had come to at the ends of months out of the archive: of each the newest that is wanted. */
import type { Scratch } from '../../ingest/scratch.ts'
import { type ArchivedRange, layersOf } from '../../schemas/archive.ts'
import type { Base } from '../../transforms/bronze/history.ts'
import { archivedTo, archivedWithin, monthEnds } from '../catalog/archive-queries.ts'
import type { Bases, Log, WantedBase } from '../log/port.ts'
import { quoted } from './quoted.ts'
import { bounds } from './read-keys.ts'
import type { ArchivePlace } from './write-range.ts'

type Row = [product: string, value: Buffer]

/** @returns null where no month has ended */
export async function readLayers(
  place: ArchivePlace,
  { epoch, partitions, partitionOf }: Pick<Log, 'epoch' | 'partitions' | 'partitionOf'>,
  newScratch: () => Promise<Scratch>,
  topic: string,
  wanted: readonly WantedBase[],
): Promise<Bases | null> {
  const to = await archivedTo(place.pool, epoch, layersOf(topic), partitions)
  if (to.every((offset) => offset === 0)) return null
  const upTo = new Array<number>(partitions).fill(0)
  for (const { partition, offset } of await monthEnds(place.pool, epoch, topic))
    if (offset <= (to[partition] ?? 0)) upTo[partition] = offset
  const of = new Map<string, Base>()
  if (wanted.length === 0) return { of, upTo }
  const scratch = await newScratch()
  try {
    for (const [partition, some] of Map.groupBy(wanted, ({ key }) => partitionOf(key))) {
      let left = some
      // Most products that are imported at all are so every month: what is found in a later one is not looked for in the former.
      for (const files of await monthsOf(place, { epoch, topic: layersOf(topic), partition })) {
        if (left.length === 0) break
        const paths = await Promise.all(files.map(async ({ path }) => quoted(await place.store.local(path))))
        for await (const [product, base] of basesIn(scratch, paths, left)) {
          // A file has the month of its first record, whose clock may have been behind: then it is among those of a former month.
          if ((of.get(product)?.position.offset ?? 0) < base.position.offset) of.set(product, base)
        }
        left = left.filter(({ key }) => !of.has(key))
      }
    }
  } finally {
    await scratch.close()
  }
  return { of, upTo }
}

/** Files by the month in their names, the last first. */
async function monthsOf({ pool }: ArchivePlace, of: Parameters<typeof archivedWithin>[1]): Promise<ArchivedRange[][]> {
  const files = await archivedWithin(pool, of, { from: 0, below: Number.MAX_SAFE_INTEGER })
  const full = files.filter(({ records }) => records > 0)
  return [...Map.groupBy(full, ({ path }) => /day=(\d{4}-\d\d)/.exec(path)?.[1]).values()].toReversed()
}

/** A row's offset is that of the last record in it. */
async function* basesIn(
  scratch: Scratch,
  paths: readonly string[],
  some: readonly WantedBase[],
): AsyncGenerator<[product: string, base: Base]> {
  const table = await scratch.table('wanted', [
    { name: 'key', type: 'text' },
    { name: 'without', type: 'long' },
  ])
  for (const { key, without } of some) table.add([key, without])
  table.flush()
  const [first, last] = bounds(some.map(({ key }) => key))
  const rows = scratch.stream<Row[number]>(
    `select product, value from read_parquet([${paths.join(', ')}], hive_partitioning = false) join wanted on product = key
      where product between ${quoted(first)} and ${quoted(last)} and "offset" < without`,
  )
  for await (const page of rows)
    for (const [product, value] of page as Row[]) yield [product, JSON.parse(value.toString())]
}
