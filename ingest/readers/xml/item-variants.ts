/** Finds the list of variants that an item holds, and takes it out of the item. */
import { optionField } from '../../../transforms/silver/variants.ts'
import { childrenOf, type Element, isMarkup, localName, textOf } from './element.ts'
import { foldedName, identifiers, isPriceName, labels, sellers, variantLists } from './variant-lists.ts'

export interface ItemVariants {
  /** Where they stand in the item, for people. */
  readonly list: string
  readonly variants: readonly Element[]
  /** The item without them. */
  readonly rest: Element
}

const lists = variantLists.map((list) => ({
  ...list,
  names: new Set(list.names.map(foldedName)),
  beside: list.beside?.map(foldedName),
}))
type List = (typeof lists)[number]
const listNames = new Set(lists.flatMap(({ names }) => [...names]))

/** Products have the same elements over and over: folding each name anew made the reading of a feed take up to 1.4 times as long. */
const known = new Map<string, boolean>()
const mostKnown = 10_000
/** No list has such a name, and it would be held. */
const longestName = 64

function mayBeList({ name }: Element): boolean {
  if (name.length > longestName) return false
  const found = known.get(name)
  if (found !== undefined) return found
  const may = listNames.has(foldedName(name))
  if (known.size >= mostKnown) known.clear()
  known.set(name, may)
  return may
}

/** @returns null for an item that has none */
export function variantsOf(item: Element): ItemVariants | null {
  const children = childrenOf(item)
  if (!children.some(mayBeList)) return null
  for (const list of lists) {
    const found = list.bare ? bareIn(item, children, list) : listIn(item, children, list)
    if (found) return found
  }
  return null
}

function bareIn(item: Element, children: readonly Element[], list: List): ItemVariants | null {
  const variants = children.filter(({ name }) => list.names.has(foldedName(name)))
  const [first] = variants
  if (!first || !variants.every((one) => isVariant(one, list))) return null
  const content = item.content.filter((part) => typeof part === 'string' || !list.names.has(foldedName(part.name)))
  return { list: localName(first.name), variants, rest: { ...item, content } }
}

function listIn(item: Element, children: readonly Element[], list: List): ItemVariants | null {
  if (list.beside && !fieldsOf(item).some((name) => list.beside?.includes(name))) return null
  const around = children.filter(({ name }) => list.names.has(foldedName(name)))
  const [holder] = around
  if (!holder || around.length > 1 || isMarkup(holder)) return null
  const held = childrenOf(holder)
  const [first] = held
  if (!first || !held.every((one) => one.name === first.name && isVariant(one, list))) return null
  const { option } = list
  return {
    list: `${localName(holder.name)}/${localName(first.name)}`,
    variants: option === undefined ? held : held.map((one) => withOption(one, option)),
    rest: { ...item, content: item.content.flatMap((part) => (part === holder ? attributesOf(holder) : part)) },
  }
}

/** What is said of the list as a whole is of the product; under another name, as no variant says it. */
const attributesOf = (holder: Element): Element[] =>
  holder.attributes.length === 0 ? [] : [{ ...holder, name: `${holder.name}-list`, content: [] }]

const fieldsOf = (element: Element) => [
  ...element.attributes.map(([name]) => foldedName(name)),
  ...childrenOf(element).map(({ name }) => foldedName(name)),
]

function isVariant(element: Element, { doubtful, option }: List): boolean {
  const fields = fieldsOf(element)
  if (fields.length === 0 || isMarkup(element) || isOption(fields)) return false
  if (!doubtful) return true
  if (fields.some((name) => sellers.has(name))) return false
  if (fields.some((name) => identifiers.has(name) && !option?.own.includes(name))) return true
  const told = option === undefined ? fields.some((name) => optionField(name) !== undefined) : textOfOption(element)
  return fields.some(isPriceName) && Boolean(told)
}

/** Some list the values of each option where others list variants. */
const isOption = (fields: readonly string[]) =>
  fields.length < 5 && fields.includes('name') && fields.includes('values')

function textOfOption(element: Element): string {
  const own = textOf(element).trim()
  if (own !== '') return own
  for (const label of labels) {
    const attribute = element.attributes.find(([name]) => foldedName(name) === label)?.[1]
    const child = childrenOf(element).find(({ name }) => foldedName(name) === label)
    const text = (attribute ?? (child ? textOf(child) : '')).trim()
    if (text !== '') return text
  }
  return ''
}

/** `<sizes><size sku="A">XL</size></sizes>`: the list names what its elements are. */
function withOption(element: Element, { name, own }: NonNullable<List['option']>): Element {
  const isOwn = (field: string) => own.includes(foldedName(field))
  const children = childrenOf(element)
  const attributes = [
    ...element.attributes.filter(([field]) => isOwn(field)),
    ...children.filter((child) => isOwn(child.name)).map((child) => [child.name, textOf(child)] as const),
  ]
  const named = fieldsOf(element).includes(name)
  const text = named ? '' : textOfOption(element)
  const rest = element.content.filter((part) => (typeof part === 'string' ? named : !isOwn(part.name)))
  const said: Element = {
    name: named ? `${name}-own` : name,
    line: element.line,
    attributes,
    content: text === '' ? [] : [text],
  }
  return {
    ...element,
    attributes: element.attributes.filter(([field]) => !isOwn(field)),
    content: text === '' && attributes.length === 0 ? rest : [said, ...rest],
  }
}
