/** Reads the things that a page marks in its own elements: as microdata, or as RDFa. */
import { elementsOf, type HtmlElement, textOf } from './html-tree.ts'
import { type Item, type ItemValue, plainName } from './item.ts'

interface Markup {
  /** Begins a thing. */
  readonly scope: string
  readonly type: string
  readonly property: string
  readonly id: readonly string[]
  /** Properties of the element that has them may stand elsewhere, by these ids. */
  readonly elsewhere?: string
}

export const microdata: Markup = {
  scope: 'itemscope',
  type: 'itemtype',
  property: 'itemprop',
  id: ['itemid'],
  elsewhere: 'itemref',
}
export const rdfa: Markup = { scope: 'typeof', type: 'typeof', property: 'property', id: ['resource', 'about'] }

/** Where an element of this name has its value. */
const valueIn: Readonly<Record<string, readonly string[]>> = {
  meta: ['content'],
  a: ['href'],
  area: ['href'],
  link: ['href'],
  img: ['src', 'data-src'],
  audio: ['src'],
  embed: ['src'],
  iframe: ['src'],
  source: ['src'],
  track: ['src'],
  video: ['src'],
  object: ['data'],
  data: ['value'],
  meter: ['value'],
  time: ['datetime'],
}

const names = (text: string | undefined) => (text ?? '').split(/\s+/).filter((name) => name !== '')

/** Things that are no property of another. */
export function readMarkup(root: HtmlElement, markup: Markup): readonly Item[] {
  const top: Item[] = []
  const ids = new Map<string, HtmlElement>()
  if (markup.elsewhere)
    for (const element of elementsOf(root)) {
      const id = element.attributes.get('id')
      if (id !== undefined && !ids.has(id)) ids.set(id, element)
    }
  // Each element is read once, so that no page of references to references takes long.
  const read = new Set<HtmlElement>()
  for (const element of elementsOf(root)) {
    if (!element.attributes.has(markup.scope) || element.attributes.has(markup.property) || read.has(element)) continue
    top.push(itemAt(element, { markup, ids, read }))
  }
  return top
}

interface Desk {
  readonly markup: Markup
  readonly ids: ReadonlyMap<string, HtmlElement>
  readonly read: Set<HtmlElement>
}

function itemAt(element: HtmlElement, desk: Desk): Item {
  const { markup, ids, read } = desk
  read.add(element)
  const properties = new Map<string, ItemValue[]>()
  const tell = (one: HtmlElement) => {
    const value = one.attributes.has(markup.scope) ? (read.has(one) ? null : itemAt(one, desk)) : valueAt(one)
    if (value === null) return
    for (const name of names(one.attributes.get(markup.property))) {
      const key = plainName(name)
      const values = properties.get(key)
      if (values) values.push(value)
      else properties.set(key, [value])
    }
  }
  const places = [element, ...names(element.attributes.get(markup.elsewhere ?? '')).flatMap((id) => ids.get(id) ?? [])]
  for (const place of places) {
    if (place !== element && read.has(place)) continue
    const own = (one: HtmlElement) => one === place || !one.attributes.has(markup.scope)
    for (const one of elementsOf(place, own)) {
      if (one === element || read.has(one)) continue
      if (one.attributes.has(markup.property)) tell(one)
      if (!one.attributes.has(markup.scope)) read.add(one)
    }
  }
  const [id] = markup.id.flatMap((name) => element.attributes.get(name) ?? [])
  return { types: names(element.attributes.get(markup.type)).map(plainName), id: id ?? null, properties }
}

/** Some give the value of any element in `content`, as RDFa has it. */
function valueAt(element: HtmlElement): string {
  const { attributes, name } = element
  const given = attributes.get('content')
  if (given !== undefined) return given.trim()
  for (const place of valueIn[name] ?? []) {
    const value = attributes.get(place)?.trim()
    if (value) return value
  }
  return attributes.get('resource')?.trim() || textOf(element)
}
