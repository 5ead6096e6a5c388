/** What is asked of a catalog to put the products of messages and pages into the groups that they name. */
import type { Pool } from 'pg'
import type { Known } from '../../ingest/group-of.ts'
import type { JoinPorts } from '../../ingest/join-groups.ts'
import { presentProducts } from '../catalog/export-queries.ts'
import { kindsOf } from '../catalog/family-queries.ts'
import { loadProducts } from '../catalog/product-store.ts'
import type { Log } from '../log/port.ts'
import { arrivedProduct } from './arrived-product.ts'

/** Products of groups that the sink may not have yet. */
const mostRemembered = 10_000

export function groupPorts(pool: Pool, log: Log): Omit<JoinPorts, 'identities'> {
  const lately = new Map<string, Known>()
  return {
    async known(catalog, products) {
      const wanted = products.map((product) => ({ catalog, product }))
      const found = new Map<string, Known>(await loadProducts(pool, wanted))
      for (const product of products) {
        const known = found.has(product) ? undefined : lately.get(product)
        if (known) found.set(product, known)
      }
      return found
    },
    exists: arrivedProduct(pool, log),
    present: (catalog, products) => presentProducts(pool, catalog, products),
    kindsOf: (catalog, products) => kindsOf(pool, catalog, products),
    remember(product, known) {
      if (lately.size > mostRemembered) lately.clear()
      lately.set(product, known)
    },
  }
}
