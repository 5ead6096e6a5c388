/** Which products a brand leaves out now where it shows some without a query, as in recommendations. */
import type { PoolClient } from 'pg'
import type { PublishedProduct } from '../../infra/catalog/published-products.ts'
import { readTold } from '../../infra/catalog/search-told.ts'
import { isSelected } from '../../transforms/search/is-selected.ts'
import { askedKeys, isMeant, ruledSearch } from '../../transforms/search/rule-keys.ts'

export interface HiddenAsked {
  readonly brand: string
  /** null: any of the brand's. */
  readonly catalog: string | null
  /** The path that what is shown is of; null: of any. */
  readonly category: readonly string[] | null
  readonly at: Date
}

/** By the rules that hold always, or for that category. @returns tells of a product whether it is left out */
export async function hiddenNow(
  tx: PoolClient,
  { brand, catalog, category, at }: HiddenAsked,
): Promise<(product: Pick<PublishedProduct, 'id' | 'catalog' | 'product'>) => boolean> {
  const ruled = ruledSearch([], category === null ? [] : [category])
  const asked = { brand, catalog, locale: null, edition: null, synonymKeys: [], ruleKeys: askedKeys(ruled), at }
  const { rules } = await readTold(tx, asked)
  const hides = rules
    .filter(({ when }) => isMeant(when, ruled))
    .flatMap(({ catalog: of, hide }) => hide.map((selection) => ({ of, selection })))
  return ({ id, catalog: own, product }) =>
    hides.some(({ of, selection }) => (of === null || of === own) && isSelected(selection, id, product))
}
