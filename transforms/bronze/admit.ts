/** Lets a record in once: a repeat of an append whose answer was lost is dropped, neither applied nor counted. */
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { drop, type Outcome, ok } from '../step.ts'

/** @param taken the highest seq of the record's import that this partition has taken */
export function admit(record: BronzeRecord, taken: number | undefined): Outcome<BronzeRecord> {
  const repeats = record.import !== undefined && record.op === 'put' && record.seq <= (taken ?? -1)
  return repeats ? drop(`seq ${record.seq} of import ${record.import} was taken before`) : ok(record)
}
