/** An element of an item as it stands in the file, and what can be asked of it. */
import type { Attribute } from './events.ts'

export interface Element {
  /** With its prefix. */
  readonly name: string
  /** Where its start tag begins, from 1. */
  readonly line: number
  /** Declarations of namespaces are not among them. */
  readonly attributes: readonly Attribute[]
  /** Texts are decoded. */
  readonly content: readonly (Element | string)[]
}

export const localName = (name: string) => name.slice(name.indexOf(':') + 1)

export const childrenOf = ({ content }: Element) => content.filter((part) => typeof part !== 'string')

/** The element's own text, without that of its children. Most elements have one text, and nothing else. */
export function textOf({ content }: Element): string {
  if (content.length === 0) return ''
  const [only] = content
  if (content.length === 1 && typeof only === 'string') return only
  return content.filter((part) => typeof part === 'string').join('')
}

export const hasChildren = ({ content }: Element) => content.some((part) => typeof part !== 'string')

const isBlank = (text: string) => text.trim() === ''

/** Elements of a description that is written as a page is, without a text beside them. */
const pageElements = new Set('p br ul ol div span strong em h1 h2 h3 h4 h5 h6'.split(' '))

/** Text among elements, or only elements of pages: a text with marks in it, and no group of values. */
export function isMarkup(element: Element): boolean {
  if (!hasChildren(element)) return false
  const children = childrenOf(element)
  return !isBlank(textOf(element)) || children.every(({ name }) => pageElements.has(name.toLowerCase()))
}

/** Its content as it would be written in a page. */
export function markupOf({ content }: Element): string {
  return content
    .map((part) => {
      if (typeof part === 'string') return escaped(part)
      const attributes = part.attributes.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')
      return part.content.length === 0
        ? `<${part.name}${attributes}/>`
        : `<${part.name}${attributes}>${markupOf(part)}</${part.name}>`
    })
    .join('')
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** As a value of JSON: a text, or an object of attributes (`@name`), children, and text (`#text`) beside them. */
export function plainOf(element: Element): unknown {
  const markup = isMarkup(element)
  const children = markup ? [] : childrenOf(element)
  const text = markup ? markupOf(element) : children.length > 0 ? '' : textOf(element)
  if (children.length === 0 && element.attributes.length === 0) return text
  const entries: [string, unknown][] = element.attributes.map(([name, value]) => [`@${name}`, value])
  if (text !== '') entries.push(['#text', text])
  for (const [name, list] of byName(children))
    entries.push([name, list.length > 1 ? list.map(plainOf) : plainOf(list[0] as Element)])
  return Object.fromEntries(entries)
}

/** Elements of one name together, in the order of the first of each. */
export function byName(elements: readonly Element[]): Map<string, Element[]> {
  const found = new Map<string, Element[]>()
  for (const element of elements) {
    const list = found.get(element.name)
    if (list) list.push(element)
    else found.set(element.name, [element])
  }
  return found
}
