/** A version, and a product as it stood in one, as the API answers them. */
import { z } from 'zod'
import type { VersionProductRow, VersionRow } from '../../infra/catalog/version-queries.ts'
import { productResource, toResource } from './product-resource.ts'

export const versionResource = z.object({
  version: z.int(),
  publishedAt: z.iso.datetime(),
  publishedBy: z.string().nullable(),
  /** Products added, modified and removed. */
  changeCount: z.int(),
  added: z.int(),
  modified: z.int(),
  removed: z.int(),
  /** Products of the working catalog that had never been refined, and so are not in it. */
  unrefined: z.int(),
  changelog: z.string().nullable(),
})

export const toVersion = (row: VersionRow): z.infer<typeof versionResource> => ({
  ...row,
  publishedAt: row.publishedAt.toISOString(),
  changeCount: row.added + row.modified + row.removed,
})

/** Neither score nor stage is part of a version, nor what it resembles. */
export const versionProduct = productResource.omit({
  optimizationScore: true,
  feedReady: true,
  feedReadyFor: true,
  createdBy: true,
  stage: true,
  sourceIdentifier: true,
  scoredWith: true,
  duplicateGroup: true,
})

export function toVersionProduct(
  { id, content }: VersionProductRow,
  scope: { workspaceId: string; brandId: string; catalogId: string },
): z.infer<typeof versionProduct> {
  const { kind, family, createdAt, updatedAt, product } = content
  const row = {
    ...{ ...scope, id, kind, familyId: family, refined: product },
    ...{ createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) },
    ...({ stage: 'silver', alive: true, rev: 0, sid: '', sub: null, points: null, valid: null, rubric: null } as const),
    // It was published as refined, whatever the settings are now.
    ...{ settings: 1, scoredAt: null, silverNumber: null, layers: null, createdBy: null, duplicateGroup: null },
  }
  return versionProduct.parse(toResource(row, { weights: [], number: 0 }, 0))
}
