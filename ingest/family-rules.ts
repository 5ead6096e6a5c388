/** Which rows of a platform's file are one product with its variants, as data: who is the parent, what is shared, which options tell variants apart. */
import { jsonObject, optionField } from '../transforms/silver/variants.ts'

/** A row's cells by column name; '' where absent. Lists are joined by the caller before a rule sees them. */
export type CellReader = (column: string) => string

export interface FamilyRole {
  /** `alone`: no family. `member`: a variant. `parent`: the family's own row. `more`: only adds to the family (another image). */
  readonly role: 'alone' | 'member' | 'parent' | 'more'
  /** The family's key within its source; '' for `alone`. */
  readonly key: string
  readonly options: Readonly<Record<string, string>>
  /** Members that a parent names: their SKU and their options. */
  readonly children?: readonly { readonly sku: string; readonly options: Readonly<Record<string, string>> }[]
}

export interface FamilyRule {
  readonly platform: string
  /** The file follows this rule where all of these columns are there. */
  readonly columns: readonly string[]
  /** Cells of the family that a variant takes where its own is blank: column names, or a test of them. */
  readonly shared: (column: string) => boolean
  /**
   * Where each row is a product in itself, and none is the family's: the shared cells that may speak of one variant alone, such as
   * its text or its picture. Absent where the platform writes what a product's variants share once.
   */
  readonly own?: (column: string) => boolean
  /** Rows say their group, their options and all other values themselves: nothing is taken from another row or put into its place. */
  readonly whole?: true
  /** The column in which a row says its options itself, as a JSON object. */
  readonly optionsColumn?: string
  /** Columns whose values over all rows of the family become one list in order. */
  readonly lists: readonly string[]
  /** Whether a key is a SKU, which means the same in every source; other keys mean something in their own alone. */
  readonly keyIsSku: (key: string) => boolean
  /** Option names stand in the family's first row only; the options of a row are keyed by place until they are named from it. */
  readonly optionName?: (place: string, head: CellReader) => string
  /** Columns of a variant that say for it what another column says for the family. */
  readonly better?: Readonly<Record<string, string>>
  /** @param above key of the nearest family head above, for files in which a blank cell continues the product above */
  read(cell: CellReader, above: string): FamilyRole
}

export const never = () => false
export const always = () => true
export const alone: FamilyRole = { role: 'alone', key: '', options: {} }

const pairs = (text: string, between: string): Record<string, string> => {
  const found: Record<string, string> = {}
  for (const part of text.split(between)) {
    const at = part.indexOf('=')
    if (at > 0) found[part.slice(0, at).trim()] = part.slice(at + 1).trim()
  }
  return found
}

/** Shopify writes this value for a product that has no options. */
const noOption = 'Default Title'

const shopifyShared = new Set([
  'Title',
  'Body (HTML)',
  'Vendor',
  'Type',
  'Product Category',
  'Standardized Product Type',
  'Custom Product Type',
  'Tags',
  'Published',
  'Status',
  'Gift Card',
  'SEO Title',
  'SEO Description',
  'Option1 Name',
  'Option2 Name',
  'Option3 Name',
])

const shopify: FamilyRule = {
  platform: 'shopify',
  columns: ['Handle', 'Option1 Value', 'Variant Price'],
  shared: (column) => shopifyShared.has(column) || column.startsWith('Google Shopping / '),
  lists: ['Image Src'],
  keyIsSku: never,
  optionName: (place, head) => head(`Option${place} Name`).trim() || `Option ${place}`,
  read(cell) {
    const key = cell('Handle').trim()
    if (key === '') return alone
    const options: Record<string, string> = {}
    let valued = false
    for (const n of ['1', '2', '3']) {
      const value = cell(`Option${n} Value`).trim()
      if (value === '') continue
      valued = true
      if (value !== noOption) options[n] = value
    }
    if (!valued && cell('Variant Price').trim() === '' && cell('Variant SKU').trim() === '')
      return { role: cell('Title').trim() === '' ? 'more' : 'member', key, options }
    return { role: 'member', key, options }
  },
}

const woocommerce: FamilyRule = {
  platform: 'woocommerce',
  columns: ['Type', 'Parent', 'SKU'],
  shared: (column) => ['Categories', 'Tags', 'Short description', 'Description', 'Brands', 'Images'].includes(column),
  own: (column) => ['Short description', 'Description', 'Images'].includes(column),
  lists: [],
  // A parent without a SKU is named `id:` and its number in that shop.
  keyIsSku: (key) => !key.startsWith('id:'),
  read(cell) {
    const types = cell('Type').toLowerCase()
    const id = cell('ID').trim()
    if (types.includes('variable')) return { role: 'parent', key: cell('SKU').trim() || `id:${id}`, options: {} }
    const parent = cell('Parent').trim()
    if (!types.includes('variation') || parent === '') return alone
    const options: Record<string, string> = {}
    for (let n = 1; ; n++) {
      const name = cell(`Attribute ${n} name`).trim()
      const value = cell(`Attribute ${n} value(s)`).trim()
      if (name !== '' && value !== '') options[name] = value
      if (name === '' && n > 3) break
    }
    return { role: 'member', key: parent, options }
  },
}

const magento: FamilyRule = {
  platform: 'magento',
  columns: ['sku', 'product_type', 'configurable_variations'],
  shared: (column) =>
    [
      'categories',
      'description',
      'short_description',
      'meta_title',
      'meta_description',
      'base_image',
      'additional_images',
    ].includes(column),
  lists: [],
  keyIsSku: always,
  read(cell) {
    const key = cell('sku').trim()
    const variations = cell('configurable_variations').trim()
    if (variations === '' || key === '') return alone
    const children = variations.split('|').map((variation) => {
      const { sku = '', ...options } = pairs(variation, ',')
      return { sku, options }
    })
    return { role: 'parent', key, options: {}, children }
  },
}

const vendure: FamilyRule = {
  platform: 'vendure',
  columns: ['name', 'slug', 'optionGroups', 'optionValues', 'sku'],
  shared: (column) => ['name', 'slug', 'description', 'assets', 'facets', 'optionGroups'].includes(column),
  lists: [],
  keyIsSku: never,
  optionName: (place, head) => head('optionGroups').split('|')[Number(place) - 1]?.trim() || `option ${place}`,
  read(cell, above) {
    const named = cell('name').trim() !== ''
    const key = named ? cell('slug').trim() || cell('name').trim() : above
    if (key === '') return alone
    const options: Record<string, string> = {}
    for (const [i, value] of cell('optionValues').split('|').entries()) {
      if (value.trim() !== '') options[String(i + 1)] = value.trim()
    }
    return { role: 'member', key, options }
  },
}

/**
 * A feed whose variants name their group, and say in pairs of name and value what they are like. Those that buyers choose by tell
 * the variants apart; where a shop uses none of those names, all that it says does.
 */
function pairsRule(
  platform: string,
  group: string,
  pairs: string,
  shared: Readonly<Record<'family' | 'own', readonly string[]>>,
): FamilyRule {
  return {
    platform,
    columns: [group, pairs],
    shared: (column) => shared.family.includes(column) || shared.own.includes(column),
    own: (column) => shared.own.includes(column),
    lists: [],
    keyIsSku: never,
    read(cell) {
      const key = cell(group).trim()
      if (key === '') return alone
      const said = Object.entries(jsonObject(cell(pairs)) ?? {}).filter(
        (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1].trim() !== '',
      )
      const chosen = said.filter(([name]) => optionField(name) !== undefined)
      return { role: 'member', key, options: Object.fromEntries(chosen.length > 0 ? chosen : said) }
    },
  }
}

const heurekaShared = { family: ['MANUFACTURER', 'CATEGORYTEXT'], own: ['PRODUCTNAME', 'PRODUCT', 'DESCRIPTION'] }
const yandexShared = { family: ['vendor', 'category'], own: ['name', 'description'] }

export const familyRules: readonly FamilyRule[] = [
  shopify,
  woocommerce,
  magento,
  vendure,
  pairsRule('heureka', 'ITEMGROUP_ID', 'PARAM', heurekaShared),
  pairsRule('yandex', 'group_id', 'param', yandexShared),
]
