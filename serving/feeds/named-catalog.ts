/** Which catalog an order about a feed names: in its body, as writes do, or in the address, as reading the same feed does. */
import { z } from 'zod'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId } from '../../schemas/ids.ts'

export const ofCatalog = z.object({ catalog_id: catalogId.optional() })

/** The body of one that starts a job. */
export const feedOrder = z.strictObject({
  catalog_id: catalogId.optional(),
  notify_email: z.boolean().optional(),
  brand_id: brandId.optional(),
})

type Named = z.infer<typeof ofCatalog>

/** @throws 400 where the two name different ones */
export function namedCatalog({ query, body }: { query: Named; body?: Named | null | undefined }): string | undefined {
  const [inAddress, inBody] = [query.catalog_id, body?.catalog_id]
  if (inAddress !== undefined && inBody !== undefined && inAddress !== inBody)
    throw new ServiceError('BAD_REQUEST', {
      field: 'catalog_id',
      message: 'The address and the body name two catalogs; name one',
    })
  return inBody ?? inAddress
}
