/** Reads the blocks of JSON-LD in a page: graphs, lists, types that are lists, and blocks that are broken (KF-55, KF-57). */
import type { HtmlElement } from './html-tree.ts'
import { type Item, type ItemValue, plainName } from './item.ts'
import { type Json, readLooseJson } from './loose-json.ts'

export interface JsonLdBlock {
  readonly items: readonly Item[]
  /** It could be read only after its syntax was repaired. */
  readonly repaired: boolean
  /** It could not be read at all. */
  readonly broken: boolean
}

const deepest = 32

export function readJsonLd(scripts: readonly HtmlElement[]): readonly JsonLdBlock[] {
  return scripts
    .filter(({ attributes }) => /^\s*application\/ld\+json\s*(?:;|$)/i.test(attributes.get('type') ?? ''))
    .map(({ children }) => {
      const read = readLooseJson(children.join(''))
      if (read === null) return { items: [], repaired: false, broken: true }
      return { items: read.values.flatMap((value) => topItems(value, 0)), repaired: read.repaired, broken: false }
    })
}

type JsonObject = { readonly [key: string]: Json }
const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value as Json]

function topItems(value: Json, depth: number): Item[] {
  if (depth > deepest) return []
  if (Array.isArray(value)) return value.flatMap((one) => topItems(one, depth + 1))
  if (!isObject(value)) return []
  const inGraph = listOf(value['@graph']).flatMap((one) => topItems(one, depth + 1))
  const own = itemOf(value, depth)
  return own.properties.size > 0 || inGraph.length === 0 ? [own, ...inGraph] : inGraph
}

function itemOf(value: JsonObject, depth: number): Item {
  const properties = new Map<string, readonly ItemValue[]>()
  for (const [key, content] of Object.entries(value)) {
    if (key.startsWith('@') && key !== '@value') continue
    const values = valuesIn(content, depth + 1)
    if (values.length > 0) properties.set(plainName(key), values)
  }
  const { '@id': id, '@type': types = value.type } = value
  return {
    types: listOf(types).flatMap((type) => (typeof type === 'string' ? [plainName(type)] : [])),
    id: typeof id === 'string' ? id : null,
    properties,
  }
}

function valuesIn(value: Json, depth: number): readonly ItemValue[] {
  if (depth > deepest || value === null) return []
  if (Array.isArray(value)) return value.flatMap((one) => valuesIn(one, depth + 1))
  if (typeof value === 'string' || typeof value === 'number') return [value]
  if (typeof value === 'boolean') return [String(value)]
  if (!isObject(value)) return []
  const inner = value['@value'] ?? value['@list'] ?? value['@set']
  return inner === undefined ? [itemOf(value, depth)] : valuesIn(inner, depth + 1)
}
