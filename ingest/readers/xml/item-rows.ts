/** Makes rows of one item of XML: one, or one for each of the variants that it holds. */
import { isBlank } from '../blank.ts'
import { keyColumns } from '../nested/family-key.ts'
import type { Element } from './element.ts'
import { type Cells, type Flattening, flatten } from './flatten.ts'
import { variantsOf } from './item-variants.ts'
import type { NamedPairs } from './named-pairs.ts'

export interface ItemRow {
  readonly line: number
  readonly cells: Cells
}

export interface ItemRows {
  /** The list that holds the variants, for people; null where the item has none. */
  readonly list: string | null
  /** Made one after the other: a product may have a hundred thousand variants. */
  rows(): Iterable<ItemRow>
}

/** Stands before the columns of variants, whatever their list is called. */
export const variantsKey = 'variants'

/** The elements that are a name and a value each, in the variants of any shop. */
const pairs: readonly NamedPairs[] = [
  'param',
  'parameter',
  'attribute',
  'option',
  'property',
  'characteristic',
].flatMap((element): NamedPairs[] => [
  ...['value', 'val'].flatMap((value) =>
    ['name', 'key', 'label', 'param_name'].map((name) => ({
      element,
      name: { child: name },
      value: { child: value },
      unit: null,
    })),
  ),
  ...['name', 'key', 'label'].map((name) => ({ element, name: { attribute: name }, value: null, unit: 'unit' })),
])

/**
 * @param complete fills cells of the product's own
 * @param flat the item's format has no variants in it
 */
export function itemRows(item: Element, how: Flattening, complete: (cells: Cells) => void, flat: boolean): ItemRows {
  const found = flat ? null : variantsOf(item)
  const own = flatten(found ? found.rest : item, how)
  complete(own)
  if (!found) return { list: null, rows: () => [{ line: item.line, cells: own }] }
  const ofVariant: Flattening = { ...how, plainAttributes: true, pairs }
  return {
    list: found.list,
    *rows() {
      let family = own
      for (const variant of found.variants) {
        const cells: Cells = new Map(family)
        for (const [name, cell] of flatten(variant, ofVariant)) cells.set(`${variantsKey}.${name}`, cell)
        yield { line: variant.line, cells }
        if (family === own) family = keyOf(own)
      }
    },
  }
}

/** What the family has in common stands on its first row alone; without a key nothing would bring the others to it. */
function keyOf(own: Cells): Cells {
  const key = keyColumns(own.keys()).find((column) => !isBlank(own.get(column) ?? ''))
  return key === undefined ? own : new Map([[key, own.get(key) ?? '']])
}
