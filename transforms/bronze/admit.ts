/** Lets a record in once: a repeat of an append whose answer was lost is dropped, neither applied nor counted. */
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { drop, type Outcome, ok } from '../step.ts'

/** Those that change what counts in the past have no place in an import's order. */
export const isSaying = ({ op }: BronzeRecord) => op === 'put' || op === 'withdraw'

/** @param taken the highest seq of the record's import that this partition has taken */
export function admit(record: BronzeRecord, taken: number | undefined): Outcome<BronzeRecord> {
  const repeats = record.import !== undefined && isSaying(record) && record.seq <= (taken ?? -1)
  return repeats ? drop(`seq ${record.seq} of import ${record.import} was taken before`) : ok(record)
}
