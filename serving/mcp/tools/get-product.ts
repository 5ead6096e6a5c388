/** get_product: a product as it is published, whole. */
import { z } from 'zod'
import { scoredProducts } from '../../../infra/catalog/named-products.ts'
import { findPublished } from '../../../infra/catalog/published-products.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { principalOf } from '../../plugins/access.ts'
import { openedEvent, searchId } from '../../search/opened-event.ts'
import { publishedProduct } from '../../search/published-resource.ts'
import { productNamed } from '../product-named.ts'
import { productRef } from '../shapes.ts'
import { shownProduct, toShown } from '../shown-product.ts'
import { defineTool } from '../tool.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const getProduct = defineTool({
  name: 'get_product',
  title: 'Read a product',
  description: 'A published product by id or SKU, with description, images, options and attributes.',
  category: 'catalog',
  needs: null,
  input: z.strictObject({ product_id: productRef, search_id: searchId.optional() }),
  output: shownProduct,
  async run({ product_id, search_id }, { bearer, ports, request, agent, tell }) {
    const published = (id: string) =>
      ports.catalog.withTenant(principalOf(bearer), (tx) => findPublished(tx, id, bearer.brand))
    const named = uuid.test(product_id) ? await published(product_id.toLowerCase()) : null
    // A SKU is looked for where products are worked on: what is only published goes by its id.
    const row = named ?? (await published((await productNamed(scoredProducts, ports, bearer, product_id)).id))
    if (!row) throw new ServiceError('DATA_001', { message: 'The product is not published', field: 'product_id' })
    const [weights, required] = [await ports.weights(row.workspace), await ports.requiredProfiles(row.brand)]
    const whole = publishedProduct(row, weights, required)
    tell({ brand: whole.brandId, catalog: whole.catalogId, product: whole.id })
    if (search_id !== undefined)
      ports.recordFor(row.workspace, request, openedEvent(row, { channel: 'tools', search_id, agent }))
    const { description, images, options, attributes, mpn, itemGroupId, tags } = whole
    return {
      ...toShown(whole),
      ...{
        catalog_id: whole.catalogId,
        description,
        images,
        options,
        attributes,
        mpn,
        item_group_id: itemGroupId,
        tags,
      },
    }
  },
})
