/** Products as they are but for their groups of duplicates, which a job of its own finds, some time after the import is done. */
import type { ProductResource } from '../serving/workspace/product-resource.ts'

export const withoutGroups = (found: readonly ProductResource[]) => found.map(({ duplicateGroup: _, ...one }) => one)
