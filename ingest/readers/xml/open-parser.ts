/** Opens the parser of all XML: what stands in the pieces of text that are written to it is told, and no more of them held than must be. */
// It reads 2.6 times as fast as sax did (30 MB of a feed) and checks more. Its last release is of 2021; jsdom is built upon it.
import { SaxesParser } from 'saxes'
import { damagedBytes } from '../../encoding/damage.ts'
import { beginning } from '../beginning.ts'
import { plainElements, type Standing } from './plain-elements.ts'

export interface Told {
  /** With the brackets of a subset, or as much of it as has come. */
  doctype(text: string): void
  /**
   * Of an element that has not been told yet: there may be attributes without end.
   * @param isWhole false where the value is too long to be held, and this only how it begins
   * @returns the value that is kept
   */
  attribute(name: string, value: string, line: number, isWhole: boolean): string
  /** @param line where the tag begins, from 1 */
  opens(name: string, attributes: Readonly<Record<string, string>>, line: number): void
  /** A long text comes in several parts; none of them is empty. */
  text(text: string): void
  closes(name: string): void
  /** Of a reference that XML does not know, or an & that begins none: it stays in the text as it is written. Where nobody is told, it is a fault. */
  unknown?(written: string, line: number): void
  /** What is to be thrown of text that is no well-formed XML. */
  fault(cause: string, line: number, column: number): Error
}

export interface Parser {
  write(piece: string): void
  close(): void
}

/** What the parser has and its types hide: it gathers what spans pieces without a limit, and gives no texts in parts. */
interface Inner extends Standing {
  chunk: string
  readonly prevI: number
  readonly entityReturnState: number
  readonly stateTable: (() => void)[]
  parseEntity(entity: string): string
  state: number
  name: string
  piTarget: string
  entity: string
  /** Set as fields: the eighth handler set with `on` would make V8 keep all of them in a dictionary, and reading take five times as long. */
  errorHandler(error: Error): void
  doctypeHandler(doctype: string): void
  openTagStartHandler(): void
  attributeHandler(attribute: { readonly name: string; value: string }): void
  openTagHandler(tag: { readonly name: string; readonly attributes: Readonly<Record<string, string>> }): void
  textHandler(text: string): void
  cdataHandler(text: string): void
  closeTagHandler(tag: { readonly name: string }): void
}

/** The numbers that its source gives to what it is within. */
const within = {
  subset: [4, 12],
  text: [13, 13],
  entity: [14, 14],
  comment: [17, 19],
  cdata: [20, 22],
  instruction: [23, 33],
  value: [40, 42],
} as const satisfies Record<string, readonly [first: number, last: number]>

const isWithin = (state: number, [first, last]: readonly [number, number]) => state >= first && state <= last

const longestPiece = 2 ** 15
const longestHeld = 2 ** 16
const longestValue = 2 ** 20

/** Does no harm: bytes that are no text are judged by row, and a file without an element has words of its own. */
const borne = new Set([
  'disallowed character.',
  'the string "]]>" is disallowed in char data.',
  'document must contain a root element.',
])

/** The parser takes whatever follows half a pair for its other half, be it a `<`. */
const loneHalf = /[\ud800-\udbff](?=[^\udc00-\udfff])/g

export function openParser(told: Told): Parser {
  const parser = new SaxesParser({ position: false, forceXMLVersion: true, defaultXMLVersion: '1.0' })
  const inner = parser as unknown as Inner
  // At the end of a piece the parser stands one behind it.
  const fault = (cause: string) =>
    told.fault(cause, parser.line, parser.columnIndex - Math.max(0, inner.i - inner.chunk.length))
  const text = (part: string) => {
    if (part !== '') told.text(ownCopy(part))
  }
  let line = 1
  let ended = false
  /** Of an attribute's value that is too long to be held. */
  let begun: string | undefined
  // Declarations and instructions are read by nobody, however shops write them.
  inner.errorHandler = ({ message }) => {
    if (isWithin(inner.state, within.subset)) told.doctype(inner.text)
    if (!borne.has(message) && (ended || !isWithin(inner.state, within.instruction))) throw fault(message)
    // In an attribute's value, of which the parser would leave it out.
    if (inner.chunk[inner.prevI] === '<') inner.text += '<'
  }
  inner.doctypeHandler = told.doctype
  inner.openTagStartHandler = () => {
    line = parser.column === 0 ? parser.line - 1 : parser.line
  }
  inner.attributeHandler = (attribute) => {
    const value = begun ?? ownCopy(attribute.value)
    attribute.value = told.attribute(attribute.name, value, line, begun === undefined)
    begun = undefined
  }
  inner.openTagHandler = ({ name, attributes }) => told.opens(ownCopy(name), attributes, line)
  inner.textHandler = text
  inner.cdataHandler = text
  inner.closeTagHandler = ({ name }) => told.closes(name)

  const plain = plainElements(inner, {
    attribute: (name, value, at) => told.attribute(name, ownCopy(value), at, true),
    opens: told.opens,
    text,
    closes: told.closes,
  })
  const readText = inner.stateTable[within.text[0]] as () => void
  inner.stateTable[within.text[0]] = () => {
    const { chunk, i, tags } = inner
    if (tags.length > 0) plain.read()
    else {
      // It is told where it begins, and not where the next tag does.
      strayText.lastIndex = i
      if (strayText.test(chunk)) inner.chunk = chunk.slice(0, strayText.lastIndex)
    }
    if (inner.i < chunk.length) readText.call(parser)
  }
  // The parser's own reads on to the next semicolon, and would tell of a lone & where that stands.
  inner.stateTable[within.entity[0]] = () => {
    const { chunk, i } = inner
    entityCharacters.lastIndex = i
    const found = entityCharacters.exec(chunk)?.[0] ?? ''
    inner.entity += found
    inner.i += found.length
    if (inner.i === chunk.length) return
    const ends = chunk[inner.i] === ';'
    if (ends || !told.unknown) inner.i++
    if (ends && isReference(inner.entity)) inner.text += inner.parseEntity(inner.entity.replace('#X', '#x'))
    else {
      const written = `&${inner.entity}${ends ? ';' : ''}`
      if (!told.unknown) throw fault(ends ? 'undefined entity' : 'disallowed character in entity name.')
      told.unknown(written, parser.line)
      inner.text += written
    }
    inner.state = inner.entityReturnState
    inner.entity = ''
  }

  const giveAway = () => {
    const state = isWithin(inner.state, within.entity) ? inner.entityReturnState : inner.state
    if (isWithin(state, within.subset)) told.doctype(inner.text)
    if (isWithin(state, within.text) || isWithin(state, within.cdata)) {
      text(inner.text)
      inner.text = ''
    }
    const isValue = isWithin(state, within.value)
    if (isValue && (begun !== undefined || inner.text.length > longestValue)) {
      begun ??= beginning(inner.text)
      inner.text = ''
    }
    // Nobody reads it, and shops comment thousands of products out.
    if (isWithin(state, within.comment)) inner.text = ''
    for (const held of [isValue ? '' : inner.text, inner.name, inner.piTarget, inner.entity])
      if (held.length > longestHeld) throw fault('too long')
  }
  return {
    write(piece) {
      const paired = piece.isWellFormed() ? piece : piece.replace(loneHalf, damagedBytes)
      for (let at = 0; at < paired.length; at += longestPiece) {
        plain.begin()
        parser.write(paired.slice(at, at + longestPiece))
        giveAway()
      }
    },
    close() {
      ended = true
      parser.close()
    },
  }
}

const strayText = /[ \t\r\n]*[^ \t\r\n<]/y
const entityCharacters = /[#\w]*/y

function isReference(entity: string): boolean {
  const [, decimal, hexadecimal] = /^#(?:(\d{1,9})|x([\da-f]{1,8}))$/i.exec(entity) ?? []
  if (decimal === undefined && hexadecimal === undefined) return /^(?:amp|lt|gt|quot|apos)$/.test(entity)
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  return code <= 0x10ffff && xmlCharacter.test(String.fromCodePoint(code))
}

/** XML 1.0, section 2.2. */
const xmlCharacter = /[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u

/**
 * V8 cuts texts of 13 characters or more out of the piece without copying, and a list of them would hold the whole file; from half a
 * piece on a text holds little but itself.
 */
const ownCopy = (text: string) => (text.length < 13 || text.length > longestPiece / 2 ? text : ` ${text}`.slice(1))
