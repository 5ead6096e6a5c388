/** Words of an import's ledger: the states of an import, the results of a row, and what the guard saw. */
import { z } from 'zod'

/** `held`: the guard stopped it, nothing is appended and a person decides; `discarded`: that person said no. */
export const importStates = [
  'waiting',
  'reading',
  'appending',
  'settling',
  'completed',
  'failed',
  'held',
  'discarded',
] as const

/** Each row of a file has exactly one. */
const rowResults = ['created', 'updated', 'unchanged', 'duplicate', 'rejected'] as const

/** Results as notes of rows have them: a warning of the reader stands beside the result that the row gets later. */
export const noteResults = [...rowResults, 'warning'] as const

/** What the import would do, as the dry fold found it: rows by result, and products against the catalog. */
export const guardSeen = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  /** Products that a snapshot would withdraw. */
  removed: z.int(),
  /** Products that would change. */
  changed: z.int(),
  /** Products that the catalog has. */
  products: z.int(),
  /** Changed and removed products, of those that there are. */
  share: z.number(),
  /** The share that may change unasked. */
  limit: z.number(),
  rows: z.int(),
  /** Of the source's last completed import. */
  lastRows: z.int().nullable(),
  /** Why it was held, in sentences; empty where it was not. */
  reasons: z.array(z.string()),
})
export type GuardSeen = z.infer<typeof guardSeen>
