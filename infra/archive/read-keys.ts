/** Reads single products out of the archive: DuckDB opens only the row groups that can have them. */
import type { Scratch } from '../../ingest/scratch.ts'
import { archivedWithin } from '../catalog/archive-queries.ts'
import type { Log, StoredRecord } from '../log/port.ts'
import { quoted } from './quoted.ts'
import type { ArchivePlace } from './write-range.ts'

type Row = [product: string, offset: number, value: Buffer]

/**
 * Product after product, the keys of a partition in order, and each one's records in order of offset.
 * @param keys in lower case, each once; ones that lie close together in order share row groups
 * @param from offset of each partition where reading begins, and `below` where it ends
 */
export async function* readArchivedKeys(
  { pool, store }: ArchivePlace,
  { epoch, partitionOf }: Pick<Log, 'epoch' | 'partitionOf'>,
  scratch: Scratch,
  topic: string,
  keys: readonly string[],
  { from, below }: { readonly from: readonly number[]; readonly below: readonly number[] },
): AsyncGenerator<StoredRecord> {
  for (const [partition, some] of Map.groupBy(keys, partitionOf)) {
    const [begin, end] = [from[partition] ?? 0, below[partition] ?? 0]
    const files =
      begin >= end ? [] : await archivedWithin(pool, { epoch, topic, partition }, { from: begin, below: end })
    if (files.length === 0) continue
    const wanted = await scratch.table('wanted', [{ name: 'key', type: 'text' }])
    for (const key of some) wanted.add([key])
    wanted.flush()
    const paths: string[] = []
    for (const { path } of files) paths.push(quoted(await store.local(path)))
    const [first, last] = bounds(some)
    const rows = scratch.stream<Row[number]>(
      `select product, "offset", value from read_parquet([${paths.join(', ')}], hive_partitioning = false)
        where product between ${quoted(first)} and ${quoted(last)} and "offset" >= ${begin} and "offset" < ${end}
          and product in (select key from wanted)
        order by product, "offset"`,
    )
    for await (const page of rows) {
      for (const [key, offset, value] of page as Row[]) yield { partition, offset, key, value }
    }
  }
}

/** The first and the last of them in order. */
export function bounds(keys: readonly string[]): [first: string, last: string] {
  let first = keys[0] ?? ''
  let last = first
  for (const key of keys) {
    if (key < first) first = key
    if (key > last) last = key
  }
  return [first, last]
}
