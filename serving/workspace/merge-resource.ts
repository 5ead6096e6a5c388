/** A merge and its conflicts as the API shows them, and the choices that decide them. */
import { z } from 'zod'
import type { MergeRow } from '../../infra/catalog/merges.ts'
import { catalogId, productId } from '../../schemas/ids.ts'
import { mergeFields } from '../../transforms/versions/fields.ts'

export const mergeId = z.uuid().toLowerCase()
export const conflictField = z.enum(['product', ...mergeFields])
const take = z.enum(['from', 'target'])
export const choices = z.array(z.strictObject({ productId, field: conflictField, take })).max(1_000)

export const mergeResource = z.object({
  id: mergeId,
  targetId: catalogId,
  fromId: catalogId,
  state: z.enum(['planning', 'ready', 'applying', 'applied']),
  edited: z.int(),
  created: z.int(),
  deleted: z.int(),
  /** Products that were edited after they were planned; they are left as they are, and the next merge shows them. */
  refused: z.int(),
  conflicts: z.int(),
  unresolved: z.int(),
  createdAt: z.iso.datetime(),
  appliedAt: z.iso.datetime().nullable(),
})

export const conflictResource = z.object({
  productId,
  field: conflictField,
  base: z.unknown(),
  from: z.unknown(),
  target: z.unknown(),
  take: take.nullable(),
})

export const toResource = ({ id, target, source, state, createdAt, appliedAt, ...row }: MergeRow) => ({
  id,
  targetId: target,
  fromId: source,
  state,
  edited: row.edited,
  created: row.created,
  deleted: row.deleted,
  refused: row.refused,
  conflicts: row.conflicts,
  unresolved: row.unresolved,
  createdAt: createdAt.toISOString(),
  appliedAt: appliedAt?.toISOString() ?? null,
})
