/** Lays an item out as cells: nested elements by dotted names, attributes as `@name`, repeated ones as a list. */
import type { CellValue } from '../../../schemas/pipeline.ts'
import {
  byName,
  childrenOf,
  type Element,
  hasChildren,
  isMarkup,
  localName,
  markupOf,
  plainOf,
  textOf,
} from './element.ts'
import type { NamedPairs, Pair } from './named-pairs.ts'
import { isNamed, pairOf, pairsCell } from './named-pairs.ts'

export interface Flattening {
  /** Prefixes that a column's name goes without. */
  readonly prefixes: ReadonlySet<string>
  /** The item's own attributes are fields like its elements. */
  readonly plainAttributes: boolean
  /** The elements that are a name and a value each: the first of these that fits. */
  readonly pairs: readonly NamedPairs[]
}

export type Cells = Map<string, CellValue>

/** Nothing of the item is left out; a column is there also where its cell is blank. */
export function flatten(item: Element, how: Flattening): Cells {
  const cells: Cells = new Map()
  const put = (column: string, value: CellValue) => {
    const before = cells.get(column)
    cells.set(column, before === undefined ? value : [before, value].flat())
  }
  const children = childrenOf(item)
  for (const [name, value] of item.attributes) {
    const isPlain = how.plainAttributes && !children.some((child) => child.name === name)
    put(isPlain ? name : `@${name}`, value)
  }
  const text = textOf(item)
  if (text.trim() !== '') put(localName(item.name), text)
  putChildren(children, '', how, put)
  return cells
}

type Put = (column: string, value: CellValue) => void

function putChildren(children: readonly Element[], path: string, how: Flattening, put: Put) {
  const groups = byName(children)
  for (const [name, all] of groups) {
    const column = columnOf(path, shortName(name, groups, how))
    const { pairs, rest } = pairsIn(all, how)
    if (pairs.length > 0) put(column, pairsCell(pairs))
    const [first] = rest
    // What is no pair must not get into the column of pairs.
    const own = pairs.length > 0 ? `${column}.other` : column
    if (first && rest.length === 1) putOne(first, own, how, put)
    else if (rest.length > 1) putList(rest, own, put)
  }
}

function pairsIn(all: readonly Element[], how: Flattening) {
  const [first] = all
  if (!first || !how.pairs.some(({ element }) => isNamed(first, element))) return { pairs: [], rest: all }
  const known = how.pairs.filter(({ element }) => isNamed(first, element))
  const pairs: Pair[] = []
  const rest: Element[] = []
  for (const element of all) {
    const pair = known.map((form) => pairOf(element, form)).find((one) => one !== null)
    if (pair) pairs.push(pair)
    else rest.push(element)
  }
  return { pairs, rest }
}

function putOne(element: Element, column: string, how: Flattening, put: Put) {
  if (!hasChildren(element)) {
    if (element.content.length > 0 || element.attributes.length === 0) put(column, textOf(element))
  } else if (isMarkup(element)) put(column, markupOf(element))
  else putChildren(childrenOf(element), column, how, put)
  for (const [name, value] of element.attributes) put(`${column}.@${name}`, value)
}

/** Texts are a list, and each attribute is one beside it; groups stay together, as JSON. */
function putList(elements: readonly Element[], column: string, put: Put) {
  const grouped = elements.some((element) => childrenOf(element).length > 0 && !isMarkup(element))
  if (grouped) {
    put(column, JSON.stringify(elements.map(plainOf)))
    return
  }
  const texts = elements.map((element) => (isMarkup(element) ? markupOf(element) : textOf(element)))
  const attributes = new Set(elements.flatMap((element) => element.attributes.map(([name]) => name)))
  if (attributes.size === 0 || texts.some((text) => text !== '')) put(column, texts)
  for (const name of attributes)
    put(
      `${column}.@${name}`,
      elements.map((element) => element.attributes.find(([key]) => key === name)?.[1] ?? ''),
    )
}

/** A prefix of the format's own is left out, but where that would make two different elements one. */
function shortName(name: string, groups: ReadonlyMap<string, unknown>, { prefixes }: Flattening): string {
  const at = name.indexOf(':')
  if (at <= 0 || !prefixes.has(name.slice(0, at))) return name
  const short = name.slice(at + 1)
  if (groups.has(short)) return name
  for (const prefix of prefixes) if (!name.startsWith(`${prefix}:`) && groups.has(`${prefix}:${short}`)) return name
  return short
}

/** `images.image` says nothing more than `images`. */
function columnOf(path: string, name: string): string {
  if (path === '') return name
  const around = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  const one = name.toLowerCase()
  return around === `${one}s` || around === one.replace(/y$/, 'ies') ? path : `${path}.${name}`
}
