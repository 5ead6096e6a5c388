/** Whether a product is among those that a rule picks out: what filters say of a document, said of the product itself. */
import type { RefinedProduct } from '../../schemas/product.ts'
import type { Selection } from '../../schemas/search-rule.ts'
import { attributeValues } from './attribute-values.ts'
import { isUnder } from './filter-documents.ts'
import { attributesOf, categoryOf } from './filter-texts.ts'
import { foldLetters } from './fold-letters.ts'
import { foldedPair } from './folded-values.ts'

export function isSelected(
  { products, brands, categories, attributes }: Selection,
  id: string,
  product: RefinedProduct,
): boolean {
  if (products.length + brands.length + categories.length + attributes.length === 0) return false
  if (products.length > 0 && !products.includes(id)) return false
  if (brands.length > 0 && !isOneOf(product.brand, brands)) return false
  const path = product.categoryPath.map(foldLetters)
  if (
    categories.length > 0 &&
    !isUnder(
      path,
      categories.map((text) => categoryOf(text).map(foldLetters)),
    )
  )
    return false
  if (attributes.length === 0) return true
  const own = new Set([...attributeValues(product)].map(foldedPair))
  return [...attributesOf(attributes)].every(([name, values]) =>
    values.some((value) => own.has(`${name}=${foldLetters(value)}`)),
  )
}

const isOneOf = (brand: string | null, brands: readonly string[]) =>
  brand !== null && brand !== '' && brands.some((name) => foldLetters(name) === foldLetters(brand))
