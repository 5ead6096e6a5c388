/** The options of a variant that stands within its product, in whatever form its file writes them. */
import { foldName } from '../transforms/silver/fold-name.ts'
import { jsonObject, optionField } from '../transforms/silver/variants.ts'
import type { CellReader } from './family-rules.ts'

/** Names under which a variant has its options, as an array of names and values or as an object: the first that says any. */
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
/** Names, folded, under which shops say of a variant what it is like, its options among the rest. */
const describingKeys: ReadonlySet<string> = new Set([
  'parameters',
  'parameter',
  'params',
  'param',
  'properties',
  'property',
  'characteristics',
  'option',
  'attribute',
])
const nameKeys = ['name', 'option_display_name', 'key', 'label', 'Name']
const valueKeys = ['value', 'values', 'label', 'option', 'Value']
/** Shopify writes this value for a product that has no options. */
const noOption = 'Default Title'

type Options = Record<string, string>

/** @param own columns of the variants, which begin with the prefix */
export function nestedOptions(prefix: string, own: readonly string[]): (cell: CellReader) => Options {
  const listed = optionKeys.map((key) => formsOf(prefix, own, (name) => name === key))
  const plain = own.flatMap((column) => {
    const name = column.slice(prefix.length)
    return optionField(foldName(name)) === undefined ? [] : [[name, column] as const]
  })
  const describing = formsOf(prefix, own, (name) => describingKeys.has(foldName(name)))
  return (cell) => {
    for (const forms of listed) {
      const options = read(cell, forms)
      if (Object.keys(options).length > 0) return options
    }
    const options: Options = {}
    for (const place of ['1', '2', '3']) put(options, place, cell(`${prefix}option${place}`))
    if (Object.keys(options).length > 0) return options
    for (const [name, column] of plain) put(options, name, cell(column))
    return withDescribed(options, read(cell, describing))
  }
}

/** Beside columns that are options, what a shop says of a variant may be anything. */
function withDescribed(options: Options, described: Options): Options {
  const fields = new Set(Object.keys(options).map((name) => optionField(foldName(name))))
  if (fields.size === 0) return described
  for (const [name, value] of Object.entries(described)) {
    const field = optionField(name)
    if (field !== undefined && !fields.has(field)) options[name] = value
  }
  return options
}

interface Forms {
  /** Columns that hold all of them as JSON. */
  readonly whole: readonly string[]
  /** A column for each. */
  readonly under: readonly (readonly [name: string, column: string])[]
}

function formsOf(prefix: string, own: readonly string[], is: (name: string) => boolean): Forms {
  const whole = own.filter((column) => is(column.slice(prefix.length)))
  const under = own.flatMap((column) => {
    const name = column.slice(prefix.length)
    const dot = name.indexOf('.')
    return dot > 0 && is(name.slice(0, dot)) ? [[name.slice(dot + 1), column] as const] : []
  })
  return { whole, under }
}

function read(cell: CellReader, { whole, under }: Forms): Options {
  const options: Options = {}
  for (const column of whole) for (const [name, value] of pairsIn(cell(column))) options[name] = value
  for (const [name, column] of under) put(options, name, cell(column))
  return options
}

function put(options: Options, name: string, value: string) {
  const text = value.trim()
  if (text !== '' && text !== noOption) options[name] = text
}

/** Names and values from the JSON text of an array of objects, or of an object. */
function pairsIn(json: string): [name: string, value: string][] {
  if (json.startsWith('{'))
    return Object.entries(jsonObject(json) ?? {}).flatMap(([name, value]): [string, string][] => {
      const text = textAt({ value }, ['value'])
      return text === '' || text === noOption ? [] : [[name, text]]
    })
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
export const optionNamed = (place: number, head: CellReader) =>
  textAt(objectsIn(head('options'))[place - 1] ?? {}, ['name']) || `Option ${place}`
