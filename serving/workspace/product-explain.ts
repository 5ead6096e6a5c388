/** GET …/products/{id}/explain: why a product has the score that it has, rule by rule, and what stands behind it on the log. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findSettings } from '../../infra/catalog/settings.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { productId, workspaceId } from '../../schemas/ids.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { explanation, explanationOf } from './explanation.ts'
import { presentProducts, revisionOf } from './present-products.ts'
import type { ProductPorts } from './product-ports.ts'
import { exampleExplanation } from './score-examples.ts'

export const productExplain: FastifyPluginAsyncZod<ProductPorts> = async (app, ports) => {
  const { catalog, provenance, requiredProfiles } = ports
  const { read } = presentProducts(ports)
  app.get(
    '/catalog/products/:productId/explain',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'Explain the score of a product',
        description:
          'Every rule of the rubric: what it looked at, what it could give, gave and took, in points of the score under the weights in force, and why; then the platforms, the gaps, and the records that the values come from. ' +
          '`state` says whether this is the score that the product has; where it is not, the rules tell what grading would give now.',
        tags: ['Products'],
        errors: ['NOT_FOUND'],
        examples: { answer: { explanation: exampleExplanation } },
        params: z.object({ workspaceId, productId }),
        response: { 200: z.object({ explanation }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const row = await read(bearer, request.params.productId)
      const settings = await catalog.withTenant(principalOf(bearer), (tx) => findSettings(tx, bearer.workspace))
      const said = await provenance({ workspace: row.workspaceId, catalog: row.catalogId }, row.id)
      if (!settings || !said) throw new ServiceError('NOT_FOUND', { message: 'Product not found', field: 'productId' })
      const { epoch, rev } = revisionOf(row)
      return {
        explanation: explanationOf({
          row,
          settings,
          required: await requiredProfiles(row.brandId),
          said,
          revision: { epoch, offset: rev },
        }),
      }
    },
  )
}
