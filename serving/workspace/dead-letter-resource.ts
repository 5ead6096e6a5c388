/** A dead letter as the API shows it: where the record stands, whose it is, why nobody could read it, and what was tried since. */
import { z } from 'zod'
import type { DeadAttempt, DeadLetterRow } from '../../infra/catalog/dead-letters.ts'
import { type DeadPlace, deadKindNames, deadKinds, deadStates, letterForm } from '../../schemas/dead-letter.ts'
import { brandId, catalogId, importId, jobId } from '../../schemas/ids.ts'

export const letterId = z.string().max(120).regex(letterForm, 'a dead letter is topic:epoch:partition:offset')

export const deadLetter = z.object({
  id: letterId,
  topic: z.string(),
  position: z.object({ epoch: z.int(), partition: z.int(), offset: z.int() }),
  kind: z.enum(deadKindNames),
  /** What all of this kind have in common, and what would bring it back. */
  says: z.string(),
  /** Of this one, as the last try had it. */
  reason: z.string(),
  /** redriven: it counts, at its original position. */
  state: z.enum(deadStates),
  attempts: z.int(),
  /** Of the log; on products.bronze the product's id. */
  key: z.string().nullable(),
  source: z.string().nullable(),
  catalogId: catalogId.nullable(),
  brandId: brandId.nullable(),
  importId: importId.nullable(),
  diedAt: z.iso.datetime(),
  redrivenAt: z.iso.datetime().nullable(),
})

export const deadAttempt = z.object({
  attempt: z.int(),
  at: z.iso.datetime(),
  /** The redrive's; null: the death itself. */
  jobId: jobId.nullable(),
  by: z.string().nullable(),
  /** What its record did; dead: nothing yet. */
  result: z.enum(['created', 'updated', 'unchanged', 'dead']),
  kind: z.enum(deadKindNames).nullable(),
  reason: z.string().nullable(),
})

export const toDeadLetter = (row: DeadLetterRow): z.input<typeof deadLetter> => ({
  id: [row.topic, row.epoch, row.partition, row.offset].join(':'),
  topic: row.topic,
  position: { epoch: row.epoch, partition: row.partition, offset: row.offset },
  kind: row.kind,
  says: deadKinds[row.kind],
  reason: row.reason,
  state: row.state,
  attempts: row.attempts,
  key: row.key,
  source: row.source,
  catalogId: row.catalog,
  brandId: row.brand,
  importId: row.import,
  diedAt: row.at.toISOString(),
  redrivenAt: row.redrivenAt?.toISOString() ?? null,
})

export const toAttempt = ({
  attempt,
  at,
  job,
  by,
  effect,
  kind,
  reason,
}: DeadAttempt): z.input<typeof deadAttempt> => ({
  ...{ attempt, at: at.toISOString(), jobId: job, by, kind, reason },
  result: effect ?? 'dead',
})

/** @param id as `letterId` takes it */
export function placeOfLetter(id: string): DeadPlace {
  const [, topic = '', epoch, partition, offset] = letterForm.exec(id) ?? []
  return { topic, epoch: Number(epoch), partition: Number(partition), offset: Number(offset) }
}
