/** A group of duplicates as the API shows it. */
import { z } from 'zod'
import type { DuplicateGroupRow } from '../../infra/catalog/duplicate-queries.ts'
import { duplicateReason, reasonsOf } from '../../schemas/duplicate.ts'
import { productId } from '../../schemas/ids.ts'

export const groupId = z.uuid().toLowerCase()
/** In hundredths: how sure it is. */
const confidence = z.int().min(0).max(100)

export const duplicateResource = z.object({
  id: groupId,
  /** That of its least sure member. */
  confidence,
  /** Strongest first. */
  reasons: z.array(duplicateReason),
  members: z.array(
    z.object({
      productId,
      sku: z.string().nullable(),
      title: z.string().nullable(),
      reasons: z.array(duplicateReason),
      confidence,
    }),
  ),
  foundAt: z.iso.datetime(),
})

export const toResource = (row: DuplicateGroupRow): z.infer<typeof duplicateResource> => ({
  id: row.id,
  confidence: row.confidence,
  reasons: reasonsOf(row.reasons),
  members: row.members.map((member) => ({ ...member, reasons: reasonsOf(member.reasons) })),
  foundAt: row.foundAt.toISOString(),
})
