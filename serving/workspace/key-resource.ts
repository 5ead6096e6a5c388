/** An API key as the API shows and takes one; the secret is in no resource. */
import { z } from 'zod'
import type { KeyRow } from '../../infra/catalog/api-keys.ts'
import { actionNames } from '../../schemas/access.ts'
import { keyScope } from '../../schemas/api-key.ts'
import { displayName } from '../../schemas/display-name.ts'
import { brandId } from '../../schemas/ids.ts'
import { instant } from '../../schemas/instant.ts'

const time = z.iso.datetime().nullable()

export const keyResource = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Begins the key after `ask_live_`; no secret. */
  prefix: z.string(),
  brandId: z.uuid().nullable(),
  scopes: z.array(z.enum(actionNames as [string, ...string[]])),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: time,
  lastUsedAt: time,
  revokedAt: time,
  rotatedTo: z.uuid().nullable(),
})

export const newKey = z.strictObject({
  name: displayName,
  scopes: z.array(keyScope).min(1).max(100),
  /** null: the whole workspace. */
  brand_id: brandId.nullable(),
  expires_at: instant.nullable().default(null),
})

/** Two weeks would be a second key, not an overlap. */
export const rotation = z.strictObject({ overlap_minutes: z.int().min(0).max(10_080).default(60) }).nullish()

const told = (at: Date | null) => at?.toISOString() ?? null

export const toResource = (row: KeyRow) => ({
  ...row,
  scopes: [...row.scopes],
  createdAt: row.createdAt.toISOString(),
  expiresAt: told(row.expiresAt),
  lastUsedAt: told(row.lastUsedAt),
  revokedAt: told(row.revokedAt),
})
