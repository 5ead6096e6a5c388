/** Takes an import out of the catalog, or back in: one `void` or `unvoid` record for each product that it touched (DESIGN 5.6). */
import type { ImportRow } from '../infra/catalog/imports.ts'
import type { EpochReader } from '../infra/log/port.ts'
import type { BronzeRecord } from '../schemas/pipeline.ts'
import { topics } from '../schemas/topics.ts'

/** Where it goes on: the next offset of a partition. */
export interface UndoPlace {
  readonly partition: number
  readonly next: number
}

export interface UndoStep {
  readonly records: readonly BronzeRecord[]
  readonly to: UndoPlace
}

const readRecords = 5_000

/**
 * The steps from a place on, in the same order however often they are asked for.
 * @param from null: from the import's first record
 * @param log the epoch that the import was appended in
 */
export async function* undoSteps(
  row: Pick<ImportRow, 'id' | 'offsets'>,
  op: 'void' | 'unvoid',
  by: string,
  from: UndoPlace | null,
  { log, now }: { readonly log: EpochReader | null; readonly now: () => Date },
): AsyncGenerator<UndoStep> {
  const { offsets } = row
  for (let partition = from?.partition ?? 0; offsets && log && partition < log.partitions; partition++) {
    const [first, end] = [offsets.from[partition] ?? null, offsets.to[partition] ?? null]
    if (first === null || end === null) continue
    for (let next = from?.partition === partition ? from.next : first; next < end; ) {
      const read = await log.read(topics.bronze, partition, next, readRecords)
      const last = read.at(-1)
      if (!last) break
      next = last.offset + 1
      const at = now().toISOString()
      const records = read.flatMap(({ offset, value }) => {
        const record = offset < end ? parse(value) : null
        const meant = record?.import === row.id && (record.op === 'put' || record.op === 'withdraw')
        return record && meant ? [changeOf(record, op, by, at)] : []
      })
      yield { records, to: { partition, next } }
    }
  }
}

function changeOf(record: BronzeRecord, op: 'void' | 'unvoid', by: string, at: string): BronzeRecord {
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
