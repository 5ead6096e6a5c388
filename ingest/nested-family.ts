/** The family rule of files whose products hold their variants, as JSON documents do: the variants' columns have the name of that key before theirs. */
import { foldName } from '../transforms/silver/fold-name.ts'
import type { CellReader, FamilyRule } from './family-rules.ts'
import { nestings } from './readers/json/nestings.ts'
import { familyKeys } from './readers/json/product-rows.ts'

/** Keys of a variant under which its options stand, as an array of names and values or as an object. */
const optionKeys = [
  'variant_options',
  'variations',
  'selectedOptions',
  'selected_options',
  'option_values',
  'optionValues',
  'options',
  'attributes',
]
const nameKeys = ['name', 'option_display_name', 'key', 'label', 'Name']
const valueKeys = ['value', 'values', 'label', 'option', 'Value']
const plainOptions = new Set(['color', 'colour', 'size', 'material', 'pattern'])
/** Shopify writes this value for a product that has no options. */
const noOption = 'Default Title'

/** Per platform, columns of a variant that say better what a column of its family says. */
const betterOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  acp: {
    'variants.title': 'title',
    'variants.description.plain': 'description.plain',
    'variants.url': 'url',
    'variants.media.url': 'media.url',
  },
}

/** @returns null where no column says which rows are one family */
export function nestedRule(header: readonly string[], platform: string): FamilyRule | null {
  const key = nestings.find(({ variants }) => header.some((column) => column.startsWith(`${variants}.`)))?.variants
  const keys = familyKeys.filter((name) => header.includes(name))
  if (key === undefined || keys.length === 0) return null
  const prefix = `${key}.`
  const own = header.filter((column) => column.startsWith(prefix))
  const better = betterOf[platform]
  return {
    platform,
    columns: keys.slice(0, 1),
    shared: (column) => !column.startsWith(prefix) && column !== 'sku',
    lists: [],
    keyIsSku: () => keys[0] === 'sku',
    optionName: (place, head) => (/^\d$/.test(place) ? optionNamed(Number(place), head) : place),
    ...(better ? { better } : {}),
    read(cell) {
      const value = keys.map((name) => cell(name).trim()).find((text) => text !== '')
      if (value === undefined || own.every((column) => cell(column).trim() === ''))
        return { role: 'alone', key: '', options: {} }
      return { role: 'member', key: value, options: optionsOf(cell, prefix, own) }
    },
  }
}

function optionsOf(cell: CellReader, prefix: string, own: readonly string[]): Record<string, string> {
  const options: Record<string, string> = {}
  for (const key of optionKeys) {
    for (const [name, value] of pairsIn(cell(prefix + key))) options[name] = value
    const under = `${prefix}${key}.`
    for (const column of own) if (column.startsWith(under)) put(options, column.slice(under.length), cell(column))
    if (Object.keys(options).length > 0) return options
  }
  for (const place of ['1', '2', '3']) put(options, place, cell(`${prefix}option${place}`))
  if (Object.keys(options).length > 0) return options
  for (const column of own) {
    const name = column.slice(prefix.length)
    if (plainOptions.has(foldName(name))) put(options, name, cell(column))
  }
  return options
}

function put(options: Record<string, string>, name: string, value: string) {
  const text = value.trim()
  if (text !== '' && text !== noOption) options[name] = text
}

/** Names and values from the JSON text of an array of objects. */
function pairsIn(json: string): [name: string, value: string][] {
  return objectsIn(json).flatMap((object): [string, string][] => {
    const name = textAt(object, nameKeys)
    const value = textAt(object, name === textAt(object, ['label']) ? ['value', 'values'] : valueKeys)
    return name === '' || value === '' || value === noOption ? [] : [[name, value]]
  })
}

function objectsIn(json: string): Record<string, unknown>[] {
  if (!json.startsWith('[')) return []
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) ? list.filter((item) => typeof item === 'object' && item !== null) : []
  } catch {
    return []
  }
}

function textAt(object: Readonly<Record<string, unknown>>, keys: readonly string[]): string {
  for (const key of keys) {
    const value = [object[key]].flat()[0]
    if (typeof value === 'string' || typeof value === 'number') return String(value).trim()
  }
  return ''
}

/** Shopify names a product's options once, in order. */
const optionNamed = (place: number, head: CellReader) =>
  textAt(objectsIn(head('options'))[place - 1] ?? {}, ['name']) || `Option ${place}`
