/** Reads XML text as it comes: what stands in it is told to a listener; nothing is kept, expanded or fetched. */
import sax from 'sax'
import { TableError } from '../../table-error.ts'
import { faultOf, isPage, pageError, subsetError } from './faults.ts'

export type Attribute = readonly [name: string, value: string]

export interface XmlEvents {
  /** @param line where the tag begins, from 1 */
  opens(name: string, attributes: readonly Attribute[], line: number): void
  /** A long text comes in several parts. */
  text(text: string): void
  closes(): void
}

const deepest = 100
const mostAttributeCharacters = 2 ** 20
/** The parser looks at its buffers once a piece, and refuses those beyond 64 Ki: but for texts, which it gives away in parts. */
const longestPiece = 2 ** 15

/** XML's own five. The parser looks them up in an object, where `constructor` would be an entity too. */
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const none: readonly Attribute[] = []

/** What the parser has and its types leave out. */
interface Inner {
  readonly c: string
  doctype: string | true
  comment: string
}

/**
 * Gives way after each piece, so that the caller can take what the listener has gathered.
 * @throws TableError with line and column where the text is no well-formed XML, is a page, or has a document type of its own
 */
export async function* readXmlText(text: AsyncIterable<string>, listener: XmlEvents): AsyncGenerator<void> {
  const parser = parserFor(listener)
  const inner = parser as unknown as Inner
  for await (const piece of withLineFeeds(text)) {
    for (let at = 0; at < piece.length; at += longestPiece) {
      parser.write(piece.slice(at, at + longestPiece))
      // Nobody reads it, and shops comment thousands of products out.
      inner.comment = ''
      yield
    }
  }
  parser.close()
  yield
}

function parserFor(listener: XmlEvents): sax.SAXParser {
  const parser = new sax.SAXParser(true, {})
  const inner = parser as unknown as Inner
  parser.ENTITIES = Object.assign(Object.create(null), entities)
  let attributes: Attribute[] = []
  const names = new Set<string>()
  let length = 0
  let line = 1
  let depth = 0
  parser.onerror = (error) => {
    throw faultOf(error, parser.line + 1, parser.column)
  }
  parser.ondoctype = (doctype) => {
    if (isPage(/[^\s[>]*/.exec(doctype.trimStart())?.[0] ?? '')) throw pageError()
    if (doctype.includes('[')) throw subsetError()
  }
  parser.onopentagstart = () => {
    if (inner.doctype && inner.doctype !== true) throw subsetError()
    line = parser.line + (inner.c === '\n' ? 0 : 1)
    length = 0
    if (attributes.length === 0) return
    attributes = []
    names.clear()
  }
  parser.onattribute = ({ name, value }) => {
    // The parser asks this very object for `hasOwnProperty`, and drops an attribute that it has.
    delete (parser.tag as sax.Tag).attributes[name]
    length += name.length + value.length
    if (names.has(name)) throw faultOf(new Error(`The attribute ${name} stands twice`), parser.line + 1, parser.column)
    if (length > mostAttributeCharacters)
      throw new TableError('too_large', `An element at line ${line} has more than a million characters of attributes`)
    names.add(name)
    attributes.push([name, value])
  }
  parser.onopentag = ({ name }) => {
    if (++depth > deepest)
      throw new TableError(
        'not_a_table',
        `At line ${line} the file is nested more than ${deepest} levels deep; send flatter XML`,
      )
    listener.opens(name, attributes.length > 0 ? attributes : none, line)
  }
  parser.ontext = (text) => listener.text(text)
  parser.oncdata = (text) => listener.text(text)
  parser.onclosetag = () => {
    depth--
    listener.closes()
  }
  return parser
}

/** XML means one line feed by any line end that stands in the text (XML 1.0, 2.11). */
async function* withLineFeeds(text: AsyncIterable<string>): AsyncGenerator<string> {
  let held = ''
  for await (const piece of text) {
    const whole = held + piece
    held = whole.endsWith('\r') ? '\r' : ''
    const now = held ? whole.slice(0, -1) : whole
    if (now !== '') yield now.includes('\r') ? now.replace(/\r\n?/g, '\n') : now
  }
  if (held) yield '\n'
}
