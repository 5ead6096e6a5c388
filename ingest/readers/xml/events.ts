/** Reads XML text as it comes: what stands in it is told to a listener; nothing is kept, expanded or fetched. */
import { TableError } from '../../table-error.ts'
import { beginning } from '../beginning.ts'
import { faultOf, isPage, pageError, subsetError } from './faults.ts'
import { openParser } from './open-parser.ts'

export type Attribute = readonly [name: string, value: string]

export interface XmlEvents {
  /**
   * @param line where the tag begins, from 1
   * @param cut how the first attribute began that was too long to be held; `lost` is its value, and that of each other one
   */
  opens(name: string, attributes: readonly Attribute[], line: number, cut?: string): void
  /** A long text comes in several parts. */
  text(text: string): void
  closes(): void
  /** Of a reference that XML does not know, or an & that begins none; it is part of the text as it is written. */
  unknown?(written: string, line: number): void
}

/** What is deeper is no data: an item is refused for it alone, and a file where it goes on without end, since each open element is held. */
export const deepest = 100
const deepestOfAll = 100_000
/** Of an element. */
export const mostAttributeCharacters = 2 ** 20

/** Stands where a text was that is too long to be held. */
export const lost = '\ufffd'

const none: readonly Attribute[] = []

/**
 * Gives way after each piece, so that the caller can take what the listener has gathered.
 * @throws TableError with line and column where the text is no well-formed XML, is a page, or has a document type of its own
 */
export async function* readXmlText(text: AsyncIterable<string>, listener: XmlEvents): AsyncGenerator<void> {
  const parser = parserFor(listener)
  for await (const piece of text) {
    parser.write(piece)
    yield
  }
  parser.close()
  yield
}

function parserFor(listener: XmlEvents) {
  let names = 0
  let values = 0
  let depth = 0
  let cut: string | undefined
  return openParser({
    doctype(doctype) {
      if (isPage(/[^\s[>]*/.exec(doctype.trimStart())?.[0] ?? '')) throw pageError()
      if (doctype.includes('[')) throw subsetError()
    },
    attribute(name, value, line, isWhole) {
      names += name.length
      if (names > mostAttributeCharacters)
        throw new TableError(
          'too_large',
          `An element at line ${line} has attributes whose names have more than a million characters`,
        )
      const fits = isWhole && values + value.length <= mostAttributeCharacters
      if (!fits) cut ??= beginning(value)
      const kept = fits ? value : lost
      values += kept.length
      return kept
    },
    opens(name, attributes, line) {
      const list = names > 0 ? Object.entries(attributes) : none
      const began = cut
      names = 0
      values = 0
      cut = undefined
      if (++depth > deepestOfAll)
        throw new TableError(
          'not_a_table',
          `At line ${line} the file is nested more than ${deepestOfAll} levels deep; send flatter XML`,
        )
      listener.opens(name, list, line, began)
    },
    text: (text) => listener.text(text),
    closes() {
      depth--
      listener.closes()
    },
    unknown: (written, line) => listener.unknown?.(written, line),
    fault: faultOf,
  })
}
