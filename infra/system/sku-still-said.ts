/** Whether a source of a product still says a SKU, by what its columns mean to the workspace now. */
import type { Pool } from 'pg'
import type { EditPorts } from '../../ingest/edit.ts'
import { contextsOf } from '../../transforms/bronze/contexts-of.ts'
import { saysSku } from '../../transforms/bronze/says-sku.ts'
import { findContexts } from '../catalog/import-sources.ts'
import { loadProducts } from '../catalog/product-store.ts'
import { findSettings } from '../catalog/settings.ts'

export const skuStillSaid =
  (pool: Pool): EditPorts['saysSku'] =>
  async ({ workspace, catalog }, product, sku) => {
    const state = (await loadProducts(pool, [{ catalog, product }])).get(product)
    if (state === undefined) return false
    const contexts = new Map((await findContexts(pool, [...contextsOf(state.layers)])).map((one) => [one.id, one]))
    const settings = await findSettings(pool, workspace)
    if (!settings) throw new Error(`workspace ${workspace} is gone`)
    return saysSku(state.layers, sku, (context) => contexts.get(context), settings.silver)
  }
