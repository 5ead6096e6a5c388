/** Reads dead letters back from the log, and makes of each the record that redrives it, or says why none can be made. */
import type { DeadKind } from '../../schemas/dead-letter.ts'
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import { decodeRecord } from '../../transforms/bronze/decode.ts'
import type { DeadPlace } from '../catalog/dead-letters.ts'
import type { Log, StoredRecord } from '../log/port.ts'

export interface LetterRecord<Letter extends DeadPlace> {
  readonly letter: Letter
  readonly made: BronzeRecord | { readonly reason: string; readonly as: DeadKind }
}

/** One stored batch at a time: letters that died together stand in it together. */
export async function letterRecords<Letter extends DeadPlace>(
  letters: readonly Letter[],
  log: Pick<Log, 'read'>,
  { job, by, at }: { readonly job: string; readonly by: string; readonly at: string },
): Promise<LetterRecord<Letter>[]> {
  const inOrder = [...letters].sort((a, b) => a.partition - b.partition || a.offset - b.offset)
  let read: readonly StoredRecord[] = []
  const found: LetterRecord<Letter>[] = []
  for (const letter of inOrder) {
    const here = (one: StoredRecord) => one.partition === letter.partition && one.offset === letter.offset
    if (!read.some(here)) read = await log.read(topics.bronze, letter.partition, letter.offset, 1)
    const stored = read.find(here)
    found.push({ letter, made: stored ? recordOf(stored, letter, { job, by, at }) : gone })
  }
  return found
}

const gone = { reason: 'the log no longer has it', as: 'failed' } as const

function recordOf(
  { key, value }: StoredRecord,
  { epoch, partition, offset }: DeadPlace,
  by: { readonly job: string; readonly by: string; readonly at: string },
): LetterRecord<DeadPlace>['made'] {
  const outcome = decodeRecord(value)
  if (outcome.kind !== 'ok') return { reason: outcome.reason, as: outcome.kind === 'dead' ? outcome.as : 'failed' }
  const { workspace, brand, catalog, product, source, sid, kind } = outcome.value
  if (product !== key) return { reason: 'it names another product than its key', as: 'invalid_record' }
  return {
    ...{ v: 1, op: 'redrive', workspace, brand, catalog, product, source, sid, kind },
    ...{ context: 0, seq: -1, rows: [], cells: {}, origin: { epoch, partition, offset } },
    ...by,
  }
}
