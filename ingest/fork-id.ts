/** The id that a product has in a fork: a pure function of both, so that a fork that was cut off goes on with the same ids. */
import { decidingKind, productId, unit } from './identifiers.ts'

/** Its kind stays that of the identifier by which the product was first known: identity judges by it. */
export function forkId(workspace: string, fork: string, product: string): { id: string; sid: string } {
  return productId(workspace, fork, decidingKind(product), `fork${unit}${product}`)
}
