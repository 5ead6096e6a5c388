/** Lets a record in once: a repeat of an append whose answer was lost is dropped, neither applied nor counted. */
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { drop, type Outcome, ok } from '../step.ts'

/** Those that change what counts in the past have no place in an import's order. */
export const isSaying = ({ op }: BronzeRecord) => op === 'put' || op === 'withdraw'

/** By what a repeat of it is known: the import or the job that sent it, and its number there. null: it is sent once, or each time is one. */
export function sentAs(record: BronzeRecord): { readonly of: string; readonly number: number } | null {
  if (record.once !== undefined) return record.once
  return record.import !== undefined && isSaying(record) ? { of: record.import, number: record.seq } : null
}

/** @param taken the highest number of its sender that this partition has taken */
export function admit(record: BronzeRecord, taken: number | undefined): Outcome<BronzeRecord> {
  const sent = sentAs(record)
  return sent !== null && sent.number <= (taken ?? -1)
    ? drop(`number ${sent.number} of ${sent.of} was taken before`)
    : ok(record)
}
