/** Takes an import out of the catalog, or back in: one `void` or `unvoid` record for each product that it touched (DESIGN 5.6). */
import type { ImportRow } from '../infra/catalog/imports.ts'
import type { Log } from '../infra/log/port.ts'
import type { BronzeRecord } from '../schemas/pipeline.ts'
import { topics } from '../schemas/topics.ts'

export interface UndoPorts {
  readonly log: Log
  readonly now: () => Date
  /** Waits while bulk writers are too far ahead of the sink. */
  readonly keepPace: () => Promise<void>
}

const readRecords = 5_000

/**
 * @returns how many records were appended, and the offset after the last of each partition
 */
export async function voidImport(
  row: ImportRow,
  op: 'void' | 'unvoid',
  by: string,
  { log, now, keepPace }: UndoPorts,
): Promise<{ records: number; ends: readonly number[] }> {
  const { offsets } = row
  let records = 0
  for (let partition = 0; offsets && partition < log.partitions; partition++) {
    const [from, to] = [offsets.from[partition] ?? null, offsets.to[partition] ?? null]
    if (from === null || to === null) continue
    for (let next = from; next < to; ) {
      const read = await log.read(topics.bronze, partition, next, readRecords)
      const last = read.at(-1)
      if (!last) break
      next = last.offset + 1
      const own = read.filter((stored) => stored.offset < to).map((stored) => parse(stored.value))
      const meant = own.filter((record) => record?.import === row.id && record.op === 'put')
      await keepPace()
      const at = now().toISOString()
      const out = meant.flatMap((record) =>
        record ? [{ key: record.product, value: JSON.stringify(voidOf(record, op, by, at)) }] : [],
      )
      if (out.length > 0) await log.append(topics.bronze, out)
      records += out.length
    }
  }
  return { records, ends: await log.ends(topics.bronze) }
}

function voidOf(record: BronzeRecord, op: 'void' | 'unvoid', by: string, at: string): BronzeRecord {
  const { fresh: _made, inherited: _taken, ...rest } = record
  return { ...rest, op, rows: [], seq: -1, cells: {}, by, at }
}

function parse(value: Buffer): BronzeRecord | null {
  try {
    return JSON.parse(value.toString())
  } catch {
    return null
  }
}
