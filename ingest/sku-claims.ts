/** SKUs that edits give and take: which product one leads to. */
import type { EditPorts, EditScope } from './edit.ts'
import { kinds, productId, unit, valueHash } from './identifiers.ts'

/** Registers a SKU that an edit gives; false where another product has it. One that nobody ever had is free. */
export async function claimSku(scope: EditScope, product: string, sku: string, ports: EditPorts): Promise<boolean> {
  const hash = valueHash(kinds.sku, sku)
  const [holder] = await ports.identities.find(scope.catalog, [{ kind: kinds.sku, hash }])
  if (holder?.product === product) return true
  if (holder && (holder.shared || (await ports.exists(scope.catalog, holder.product)))) return false
  try {
    return await ports.inTransaction(ports.pool, async (tx) => {
      if (holder) {
        if (!(await ports.identities.move(tx, scope.catalog, { kind: kinds.sku, hash }, holder.product, product)))
          return false
      } else {
        const row = { kind: kinds.sku, hash, product, shared: false, options: null }
        await ports.identities.insert(tx, scope.catalog, [row])
      }
      await ports.identities.gain(tx, scope.catalog, [{ product, sku: hash, options: null }])
      return true
    })
  } catch (error) {
    if (ports.isUniqueViolation(error)) return false
    throw error
  }
}

/**
 * Gives a SKU free that no source of the product says any more. Since a product's id is made of its first SKU, the SKU
 * then leads to an id that no product has yet: that of the next product which comes with it.
 */
export async function releaseSku(
  scope: Pick<EditScope, 'workspace' | 'catalog'>,
  product: string,
  sku: string,
  ports: Pick<EditPorts, 'pool' | 'identities' | 'inTransaction' | 'randomId' | 'saysSku'>,
): Promise<void> {
  if (await ports.saysSku(scope, product, sku)) return
  const hash = valueHash(kinds.sku, sku)
  const next = productId(scope.workspace, scope.catalog, kinds.sku, `${sku}${unit}${ports.randomId()}`).id
  await ports.inTransaction(ports.pool, (tx) =>
    ports.identities.move(tx, scope.catalog, { kind: kinds.sku, hash }, product, next),
  )
}
