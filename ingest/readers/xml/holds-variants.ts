/** Whether an element, by the names of its fields, is a product that holds variants, and none that holds products. */
import type { Field } from '../../../schemas/product.ts'
import { mapHeader } from '../../../transforms/silver/mapping.ts'
import { foldedName, identifiers, isPriceName, variantLists } from './variant-lists.ts'

interface Holder {
  /** Of its attributes and elements. */
  readonly names: readonly string[]
  /** How often such an element stands in the file. */
  readonly times: number
}

const telling: readonly Field[] = ['sku', 'source_id', 'gtin', 'title', 'link', 'mpn']
const sure: readonly Field[] = ['sku', 'gtin', 'mpn', 'price']
/** What a product has, and a shop that holds offers may have too: but that stands once. */
const likely: readonly Field[] = ['brand', 'description', 'image', 'images']

/**
 * @param list the element around the variants, or of each where they stand in the product itself
 * @param fields names of what is said of each variant
 */
export function holdsVariants(
  { names, times }: Holder,
  list: { readonly name: string; readonly bare: boolean },
  fields: readonly string[],
): boolean {
  const name = foldedName(list.name)
  const folded = names.map(foldedName)
  const kind = variantLists.find(
    (one) =>
      (one.bare ?? false) === list.bare &&
      one.names.some((other) => foldedName(other) === name) &&
      (!one.beside || one.beside.some((other) => folded.includes(foldedName(other)))),
  )
  if (!kind) return false
  const meant = Object.values(mapHeader([...new Set(names)]).mapping).map(({ field }) => field)
  const has = (of: readonly Field[]) => meant.some((field) => of.includes(field))
  if (!kind.doubtful) return has(telling)
  const own = fields.map(foldedName)
  if (!own.some((one) => identifiers.has(one) || isPriceName(one))) return false
  return has(sure) || (times > 1 && has(telling) && has(likely))
}
