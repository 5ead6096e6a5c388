/** Cuts a document into its items: whole elements at given paths, one after the other, and nothing of what stands between. */
import { TableError } from '../../table-error.ts'
import { type Element, localName } from './element.ts'
import { type Attribute, readXmlText, type XmlEvents } from './events.ts'

export interface XmlItem {
  readonly path: string
  readonly element: Element
}

/** Characters; an element counts as many as it takes of memory. */
const longestItem = 2 ** 24
const elementCost = 128
const batchItems = 500
const batchCost = 2 ** 20

/** Local names with slashes between, the root's first. */
const pathUnder = (path: string, name: string) => `${path}/${localName(name)}`

export const withoutDeclarations = (attributes: readonly Attribute[]) =>
  attributes.length === 0 ? attributes : attributes.filter(([name]) => name !== 'xmlns' && !name.startsWith('xmlns:'))

interface Open extends Element {
  readonly content: (Element | string)[]
}

/**
 * @param paths of items; none of them is within another
 * @throws TableError `too_large` where one item cannot be held
 */
export async function* readItems(text: AsyncIterable<string>, paths: ReadonlySet<string>): AsyncGenerator<XmlItem[]> {
  let items: XmlItem[] = []
  let held = 0
  let cost = 0
  let start = 0
  /** Paths of the elements around an item. */
  const around: string[] = []
  /** The elements that are open in it. */
  const open: Open[] = []

  const spend = (characters: number) => {
    cost += characters
    if (cost <= longestItem) return
    const says = `The item that begins at line ${start} has more than ${longestItem / 2 ** 20} million characters; no product is so long`
    throw new TableError('too_large', says)
  }
  const listener: XmlEvents = {
    opens(name, attributes, line) {
      const within = open.at(-1)
      if (!within) {
        const path = pathUnder(around.at(-1) ?? '', name)
        around.push(path)
        if (!paths.has(path)) return
        cost = 0
        start = line
      }
      const element: Open = { name, line, attributes: withoutDeclarations(attributes), content: [] }
      spend(elementCost)
      for (const [key, value] of attributes) spend(key.length + value.length)
      within?.content.push(element)
      open.push(element)
    },
    text(text) {
      const element = open.at(-1)
      if (!element) return
      spend(text.length + 16)
      const { content } = element
      const last = content.length - 1
      if (typeof content[last] === 'string') content[last] += text
      else content.push(text)
    },
    closes() {
      const element = open.pop()
      if (open.length > 0) return
      const path = around.pop() ?? ''
      if (!element) return
      items.push({ path, element })
      held += cost
    },
  }
  for await (const _ of readXmlText(text, listener)) {
    if (items.length < batchItems && held < batchCost) continue
    yield items
    items = []
    held = 0
  }
  if (items.length > 0) yield items
}
