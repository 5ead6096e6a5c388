/** Writes what products have come to at the end of each month that has ended, so that folding one anew need not begin at its first record. */
import type { Scratch } from '../../ingest/scratch.ts'
import { type ArchivedRange, layersOf } from '../../schemas/archive.ts'
import type { Position } from '../../schemas/pipeline.ts'
import type { Base } from '../../transforms/bronze/history.ts'
import { archivedWithin, monthEnds, whileArchiving } from '../catalog/archive-queries.ts'
import type { OffsetRange } from '../log/port.ts'
import type { ArchiveParts } from './archive-log.ts'
import { gatheredColumns, gatheredTable } from './gather-range.ts'
import { quoted } from './quoted.ts'
import { keepFile } from './write-range.ts'

interface BaseParts extends ArchiveParts {
  /** Where the sink is, by partition: what it will refuse beyond, nobody knows. */
  readonly sunk: () => Promise<readonly number[]>
  /** What was lost before it was archived. */
  readonly holes: () => Promise<readonly OffsetRange[]>
  /** What products of one partition had come to there; of those without a record nothing. */
  readonly basesAt: (products: readonly string[], position: Position) => AsyncIterable<[product: string, base: Base]>
}

/** A product whose last record of the month stands in a file. */
type Row = [product: string, offset: number, workspace: string | null, catalog: string | null]

const productsAtOnce = 1_000
const uuid = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

/**
 * One file for each of the month's archived ones, of the products that have their last record of the month there.
 * @returns files written; null where another process is archiving
 */
export async function writeLayers(parts: BaseParts, topic: string, signal: AbortSignal): Promise<number | null> {
  const { pool, log } = parts
  const ends = await monthEnds(pool, log.epoch, topic)
  if (ends.length === 0) return 0
  return whileArchiving(pool, async () => {
    const [done, sunk] = [await parts.archivedTo(layersOf(topic)), await parts.sunk()]
    const holes = await parts.holes()
    let files = 0
    for (const [partition, own] of Map.groupBy(ends, (end) => end.partition))
      for (const [i, { offset: end }] of own.entries()) {
        if (end <= (done[partition] ?? 0) || end > (sunk[partition] ?? 0)) continue
        // What products had come to behind a hole, what is left does not tell.
        if (holes.some((hole) => hole.partition === partition && hole.from < end)) break
        const month = { from: own[i - 1]?.offset ?? 0, below: end }
        const ranges = await archivedWithin(pool, { epoch: log.epoch, topic, partition }, month)
        for (const [at, range] of ranges.entries()) {
          if (range.to <= (done[partition] ?? 0)) continue
          signal.throwIfAborted()
          await writeFile(parts, range, { later: ranges.slice(at + 1), end }, signal)
          files++
        }
      }
    return files
  })
}

async function writeFile(
  parts: BaseParts,
  { epoch, topic, partition, from, to, path }: ArchivedRange,
  { later, end }: { readonly later: readonly ArchivedRange[]; readonly end: number },
  signal: AbortSignal,
): Promise<void> {
  const scratch = await parts.newScratch()
  try {
    const products = await productsIn(parts, scratch, path, later)
    const table = await scratch.table(gatheredTable, gatheredColumns)
    let valueBytes = 0
    let records = 0
    for (let at = 0; at < products.length; at += productsAtOnce) {
      signal.throwIfAborted()
      const some = new Map(products.slice(at, at + productsAtOnce).map((row) => [row[0], row]))
      const bases = new Map<string, Buffer>()
      for await (const [product, base] of parts.basesAt([...some.keys()], { epoch, partition, offset: end }))
        bases.set(product, Buffer.from(JSON.stringify(base)))
      for (const [product, [, last, workspace, catalog]] of some) {
        const value = bases.get(product)
        // Nobody could read a record of it.
        if (value === undefined) continue
        table.add([last, workspace, catalog, product, null, null, 'layers', null, value])
        valueBytes += value.length
        records++
      }
      table.flush()
    }
    const day = /day=([\d-]+)/.exec(path)?.[1] ?? ''
    const of = { epoch, topic: layersOf(topic), partition, from, day, order: '' }
    await keepFile(parts, scratch, of, { to, records, valueBytes }, signal)
  } finally {
    await scratch.close()
  }
}

/** In order, so that those read at once lie close together. */
async function productsIn(
  { store }: BaseParts,
  scratch: Scratch,
  path: string,
  later: readonly ArchivedRange[],
): Promise<Row[]> {
  const file = async (name: string) => quoted(await store.local(name))
  const others = await Promise.all(later.map((range) => file(range.path)))
  const elsewhere = others.length === 0 ? '' : `and product not in (select product from read_parquet([${others}]))`
  const rows: Row[] = []
  for await (const page of scratch.stream<Row[number]>(
    `select product, max("offset"), max(workspace), max(catalog) from read_parquet(${await file(path)}, hive_partitioning = false)
      where regexp_matches(product, '${uuid}') ${elsewhere} group by product order by product`,
  ))
    rows.push(...(page as Row[]))
  return rows
}
