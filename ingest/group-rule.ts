/** The family rule of files that name a group or a parent in a column of its own, as Google's feeds do. */
import { type Field, fields } from '../schemas/product.ts'
import { type OptionField, optionField } from '../transforms/silver/variants.ts'
import { alone, always, type FamilyRule, never } from './family-rules.ts'
import { saidOptions } from './said-options.ts'

/** Columns of these names say which SKU is a row's parent. */
export const parentColumns = new Set(['parent', 'parent sku', 'parent_sku', 'parentsku', 'parent id', 'parent_id'])

const optionFields: readonly OptionField[] = ['color', 'size', 'material', 'pattern']
/** What a row says of its own variant as often as of all of them. */
const ownTexts: readonly Field[] = ['title', 'description', 'images']
export const familyFields: readonly Field[] = [...ownTexts, 'brand', 'category', 'google_product_category']

/** @param columnsOf in order of the header */
export function groupRule(
  group: string,
  columnsOf: (field: Field) => readonly string[],
  byParent: boolean,
): FamilyRule {
  const columnOf = (field: Field) => columnsOf(field)[0]
  const options = optionFields.flatMap((field) => {
    const column = columnOf(field)
    return column === undefined ? [] : [[field, column] as const]
  })
  const skuColumn = columnOf('sku')
  const columnsFor = (all: readonly Field[]) =>
    new Set(all.flatMap((field) => (fields[field] === 'levels' ? columnsOf(field) : columnsOf(field).slice(0, 1))))
  const shared = columnsFor(familyFields)
  const own = columnsFor(ownTexts)
  const optionsColumn = columnOf('options')
  return {
    platform: byParent ? 'parent column' : 'item group',
    columns: [group],
    shared: (column) => shared.has(column),
    own: (column) => own.has(column),
    ...(optionsColumn === undefined ? {} : { optionsColumn }),
    lists: [],
    keyIsSku: byParent ? always : never,
    read(cell) {
      const key = cell(group).trim()
      const sku = skuColumn ? cell(skuColumn).trim() : ''
      // A row that names no group, or no parent but itself, may be one; the gathering finds out, since only then does a member name
      // its SKU. In a feed it would stand beside its own variants (KF-23).
      if (key === '' || (byParent && key === sku)) return sku === '' ? alone : { role: 'alone', key: sku, options: {} }
      const said = optionsColumn === undefined ? {} : saidOptions(cell(optionsColumn))
      const named = new Set(Object.keys(said).map(optionField))
      for (const [field, column] of options) {
        const value = cell(column).trim()
        if (value !== '' && !named.has(field)) said[field] = value
      }
      return { role: 'member', key, options: said }
    },
  }
}
