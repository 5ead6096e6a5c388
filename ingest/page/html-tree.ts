/** The elements of a page as a tree: near enough to what a browser makes of it to know what stands within what. */
import { htmlTokens } from './html-tokens.ts'

export interface HtmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: (HtmlElement | string)[]
}

const words = (list: string) => new Set(list.split(' '))

const empty = words('area base br col embed hr img input link meta param source track wbr')
/** A closing tag of another element does not reach through these. */
const blocks = words(
  'address article aside blockquote body button center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup html li main menu nav object ol p pre section select summary table tbody td template tfoot th thead tr ul',
)
/** Those of these that are closed across a block go, and the block stays open. */
const formatting = words('a b big code em font i nobr s small strike strong tt u')
/** Elements whose own opening, or that of a neighbour, closes them where their end is left out. */
const closedBy: Readonly<Record<string, ReadonlySet<string>>> = {
  li: words('li'),
  dt: words('dt dd'),
  dd: words('dt dd'),
  option: words('option optgroup'),
  td: words('td th tr tbody tfoot'),
  th: words('td th tr tbody tfoot'),
  tr: words('tr tbody tfoot'),
  p: words(
    'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre section table ul',
  ),
}
/** What is nested deeper hangs beside what it should hang in. */
const deepest = 400
/** Real pages have some thousands; 4 MB of `<p>` would be a million, and take the memory of a whole import. */
const mostElements = 100_000

/** Of a page with elements without number it is the beginning. */
export function htmlTree(html: string): HtmlElement {
  const root: HtmlElement = { name: '', attributes: new Map(), children: [] }
  const open: HtmlElement[] = [root]
  let beyond = 0
  let elements = 0
  const top = () => open.at(-1) as HtmlElement
  for (const token of htmlTokens(html)) {
    if (token.kind === 'text') top().children.push(token.text)
    else if (token.kind === 'close') {
      if (beyond > 0) beyond--
      else close(open, token.name)
    } else {
      const { name, attributes } = token
      if (++elements > mostElements) break
      while (closedBy[top().name]?.has(name)) open.pop()
      const element: HtmlElement = { name, attributes, children: [] }
      top().children.push(element)
      if (empty.has(name)) continue
      if (open.length < deepest) open.push(element)
      else beyond++
    }
  }
  return root
}

function close(open: HtmlElement[], name: string) {
  const block = blocks.has(name)
  let crossed = false
  for (let i = open.length - 1; i > 0; i--) {
    const at = open[i]?.name ?? ''
    if (at === name) {
      if (!crossed || block) open.length = i
      else if (formatting.has(name)) open.splice(i, 1)
      return
    }
    if (!blocks.has(at)) continue
    crossed = true
    if (!block && !formatting.has(name)) return
  }
}

/** All elements in the order of the page. @param into false: its children are left out */
export function* elementsOf(
  root: HtmlElement,
  into: (element: HtmlElement) => boolean = () => true,
): Generator<HtmlElement> {
  const left: HtmlElement[] = [root]
  for (let element = left.pop(); element; element = left.pop()) {
    yield element
    if (!into(element)) continue
    for (let i = element.children.length - 1; i >= 0; i--) {
      const child = element.children[i]
      if (typeof child === 'object') left.push(child)
    }
  }
}

const unseen = words('script style template noscript')
/** Text that is longer is no value; what lies within what lies within is gone through each time. */
const mostText = 100_000
const mostParts = 50_000

/** What a reader sees of it, in one line. */
export function textOf(root: HtmlElement): string {
  const parts: string[] = []
  const left: (HtmlElement | string)[] = [root]
  let length = 0
  let seen = 0
  for (let one = left.pop(); one !== undefined && length < mostText && seen < mostParts; one = left.pop(), seen++) {
    if (typeof one === 'string') {
      parts.push(one)
      length += one.length
      continue
    }
    if (unseen.has(one.name) && one !== root) continue
    if (one.name === 'br' || blocks.has(one.name)) {
      parts.push(' ')
      left.push(' ')
    }
    for (let i = one.children.length - 1; i >= 0; i--) left.push(one.children[i] as HtmlElement | string)
  }
  return oneLine(parts.join(''))
}

export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
