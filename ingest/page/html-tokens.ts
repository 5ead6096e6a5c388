/** Reads HTML as the tags and texts that it is written in: any text has a reading, in time that grows with its length. */
import { decodeHTML, decodeHTMLAttribute } from 'entities'

export type HtmlToken =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }

/** What stands in these is no markup; in those of `plain` not even entities are. */
const plain = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes'])
const text = new Set(['title', 'textarea'])

/** Of one element. */
const mostAttributes = 200

const nameEnd = /[\s/>]/g
const attributeStart = /[^\s/]/g
const attributeEnd = /[\s/>=]/g
const valueEnd = /[\s>]/g
const notSpace = /\S/g

/** @returns the end of the text where nothing more fits */
function next(pattern: RegExp, html: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(html)?.index ?? html.length
}

const letter = /[A-Za-z]/
const withoutEntities = (raw: string) => (raw.includes('&') ? decodeHTML(raw) : raw)

export function* htmlTokens(html: string): Generator<HtmlToken> {
  let at = 0
  let textFrom = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    const after = html[open + 1] ?? ''
    const closes = after === '/' && letter.test(html[open + 2] ?? '')
    if (!closes && !letter.test(after) && !/[!?/]/.test(after)) {
      at = open + 1
      continue
    }
    if (open > textFrom) yield { kind: 'text', text: withoutEntities(html.slice(textFrom, open)) }
    if (closes) {
      const end = next(nameEnd, html, open + 2)
      yield { kind: 'close', name: html.slice(open + 2, end).toLowerCase() }
      at = behind(html, '>', end)
    } else if (letter.test(after)) {
      const tag = readTag(html, open + 1)
      at = tag.end
      textFrom = at
      if (tag.attributes === null) break
      yield { kind: 'open', name: tag.name, attributes: tag.attributes }
      if (plain.has(tag.name) || text.has(tag.name)) {
        const end = rawEnd(html, tag.name, at)
        const raw = html.slice(at, end)
        if (raw !== '') yield { kind: 'text', text: plain.has(tag.name) ? raw : withoutEntities(raw) }
        at = end
      }
    } else at = html.startsWith('!--', open + 1) ? commentEnd(html, open + 4) : behind(html, '>', open + 1)
    textFrom = at
  }
  if (textFrom < html.length) yield { kind: 'text', text: withoutEntities(html.slice(textFrom)) }
}

function behind(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found < 0 ? html.length : found + mark.length
}

/** `<!-->` and `<!--->` are comments too. */
function commentEnd(html: string, from: number): number {
  if (html.startsWith('>', from)) return from + 1
  if (html.startsWith('->', from)) return from + 2
  return behind(html, '-->', from)
}

function rawEnd(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  return next(close, html, from)
}

/** @returns no attributes where the text ends within the tag: then it is none */
function readTag(html: string, from: number): { name: string; attributes: Map<string, string> | null; end: number } {
  let at = next(nameEnd, html, from)
  const name = html.slice(from, at).toLowerCase()
  const attributes = new Map<string, string>()
  for (;;) {
    at = next(attributeStart, html, at)
    if (at >= html.length) return { name, attributes: null, end: at }
    if (html[at] === '>') return { name, attributes, end: at + 1 }
    // A sign of equality at the beginning belongs to the name.
    const end = next(attributeEnd, html, at + 1)
    const key = html.slice(at, end).toLowerCase()
    at = next(notSpace, html, end)
    let value = ''
    if (html[at] === '=') {
      at = next(notSpace, html, at + 1)
      const quote = html[at]
      if (quote === '"' || quote === "'") {
        const close = html.indexOf(quote, at + 1)
        if (close < 0) return { name, attributes: null, end: html.length }
        value = html.slice(at + 1, close)
        at = close + 1
      } else {
        const close = next(valueEnd, html, at)
        value = html.slice(at, close)
        at = close
      }
    }
    // The first of two counts.
    if (!attributes.has(key) && attributes.size < mostAttributes)
      attributes.set(key, value.includes('&') ? decodeHTMLAttribute(value) : value)
  }
}
