/** A member as the API shows and takes one. */
import { z } from 'zod'
import type { MemberRow } from '../../infra/catalog/members.ts'
import { roles } from '../../schemas/access.ts'
import { displayName } from '../../schemas/display-name.ts'
import { brandId } from '../../schemas/ids.ts'
import { subjectForm } from '../../schemas/subject.ts'

export const subject = z.string().regex(subjectForm, 'a subject is 1 to 255 visible ASCII characters')

const brandIds = z.array(brandId).max(1_000)

export const memberResource = z.object({
  subject: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  role: z.enum(roles),
  allBrands: z.boolean(),
  brandIds: z.array(z.uuid()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})

export const newMember = z.strictObject({
  subject,
  email: z.email().max(320).optional(),
  name: displayName.optional(),
  role: z.enum(roles),
  all_brands: z.boolean().default(false),
  brand_ids: brandIds.default([]),
})

/** `brand_ids` alone pins to them, `all_brands` alone unpins. */
export const memberChange = z
  .strictObject({
    role: z.enum(roles).optional(),
    all_brands: z.boolean().optional(),
    brand_ids: brandIds.optional(),
  })
  .refine((body) => Object.keys(body).length > 0, 'says nothing to change')
  .meta({ minProperties: 1 })

export const toResource = (row: MemberRow) => ({
  ...row,
  brandIds: [...row.brandIds],
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})
