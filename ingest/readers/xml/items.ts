/** Cuts a document into its items: whole elements at given paths, one after the other, and nothing of what stands between. */
import { beginning } from '../beginning.ts'
import { type Element, localName } from './element.ts'
import { type Attribute, deepest, lost, mostAttributeCharacters, readXmlText, type XmlEvents } from './events.ts'

export interface XmlItem {
  readonly path: string
  readonly element: Element
  readonly unheld?: Unheld
}

/** The first part of an item that was let go, since the item was too long by then, or it too deep; U+FFFD stands in its place. */
export interface Unheld {
  readonly because: 'long' | 'deep'
  /** Line of that part. */
  readonly line: number
  /** Whether it alone is too long, and not all that the item has. */
  readonly alone: boolean
  /** Characters that it may have. */
  readonly millions: number
  /** How its text begins. */
  readonly begins: string
}

/** Characters; an element counts as many as it takes of memory. */
const longestItem = 2 ** 24
export const elementCost = 128
const textCost = 16
const million = 2 ** 20
const batchItems = 500
const batchCost = 2 ** 20

/** Local names with slashes between, the root's first. */
const pathUnder = (path: string, name: string) => `${path}/${localName(name)}`

export const withoutDeclarations = (attributes: readonly Attribute[]) =>
  attributes.length === 0 ? attributes : attributes.filter(([name]) => name !== 'xmlns' && !name.startsWith('xmlns:'))

interface Open extends Element {
  content: readonly (Element | string)[]
}

const nothing: Open['content'] = []

/** Most elements have one text, and an array that grows has room for seventeen at once. */
function add(element: Open, part: Element | string): void {
  if (element.content.length === 0) element.content = [part]
  else (element.content as (Element | string)[]).push(part)
}

function addText(element: Open, text: string): void {
  const content = element.content as (Element | string)[]
  const last = content.length - 1
  if (typeof content[last] === 'string') content[last] += text
  else add(element, text)
}

/**
 * @param paths of items; none of them is within another
 * @param unknown as in `XmlEvents`
 */
export async function* readItems(
  text: AsyncIterable<string>,
  paths: ReadonlySet<string>,
  unknown: NonNullable<XmlEvents['unknown']> = () => {},
): AsyncGenerator<XmlItem[]> {
  let items: XmlItem[] = []
  let held = 0
  let cost = 0
  /** What the item had cost before the part of it that is open. */
  let costBefore = 0
  let lettingGo = false
  let unheld: Unheld | undefined
  /** Paths of the elements around an item. */
  const around: string[] = []
  /** The elements that are open in it. */
  const open: Open[] = []

  const spend = (characters: number) => {
    cost += characters
    if (cost > longestItem) letGo()
  }
  /** The element in the item that is open, with all that it holds, or else the item's own last text. */
  function letGo() {
    const [item, part] = open
    const last = open.at(-1)
    if (!item || !last) return
    const own = part ? firstText(last) : item.content.at(-1)
    const text = typeof own === 'string' ? own : ''
    const before = part ? costBefore : cost - text.length - textCost
    const isFirst = unheld === undefined
    unheld ??= {
      because: 'long',
      line: last.line,
      alone: cost - before > longestItem / 2,
      millions: longestItem / million,
      begins: beginning(text),
    }
    cost = before
    if (part && isFirst) for (const [i, element] of open.entries()) if (i > 0) element.content = [open[i + 1] ?? lost]
    if (!part || !isFirst) (item.content as (Element | string)[]).pop()
    if (!part && isFirst) add(item, lost)
    lettingGo = part !== undefined
  }
  const listener: XmlEvents = {
    opens(name, attributes, line, cut) {
      const within = open.at(-1)
      if (!within) {
        const path = around.length < deepest ? pathUnder(around.at(-1) ?? '', name) : ''
        around.push(path)
        if (!paths.has(path)) return
        cost = 0
        unheld = undefined
      }
      const element: Open = { name, line, attributes: withoutDeclarations(attributes), content: nothing }
      const part = open[1]
      open.push(element)
      if (lettingGo) return
      if (part && around.length + open.length > deepest + 1) {
        unheld ??= { because: 'deep', line, alone: true, millions: 0, begins: name }
        part.content = [lost]
        cost = costBefore
        lettingGo = true
        return
      }
      if (open.length === 2) costBefore = cost
      if (cut !== undefined)
        unheld ??= { because: 'long', line, alone: true, millions: mostAttributeCharacters / million, begins: cut }
      if (within) add(within, element)
      let characters = elementCost
      for (const [key, value] of attributes) characters += key.length + value.length
      spend(characters)
    },
    text(text) {
      const element = open.at(-1)
      if (!element || lettingGo) return
      addText(element, text)
      spend(text.length + textCost)
    },
    closes() {
      const element = open.pop()
      if (open.length === 1) lettingGo = false
      if (open.length > 0) return
      const path = around.pop() ?? ''
      if (!element) return
      items.push(unheld ? { path, element, unheld } : { path, element })
      held += cost
    },
    unknown,
  }
  for await (const _ of readXmlText(text, listener)) {
    if (items.length < batchItems && held < batchCost) continue
    yield items
    items = []
    held = 0
  }
  if (items.length > 0) yield items
}

const firstText = ({ content }: Element) => content.find((part) => typeof part === 'string')
