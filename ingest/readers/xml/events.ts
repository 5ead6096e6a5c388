/** Reads XML text as it comes: what stands in it is told to a listener; nothing is kept, expanded or fetched. */
import { TableError } from '../../table-error.ts'
import { faultOf, isPage, pageError, subsetError } from './faults.ts'
import { openParser } from './open-parser.ts'

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
  let length = 0
  let depth = 0
  return openParser({
    doctype(doctype) {
      if (isPage(/[^\s[>]*/.exec(doctype.trimStart())?.[0] ?? '')) throw pageError()
      if (doctype.includes('[')) throw subsetError()
    },
    attribute(name, value, line) {
      length += name.length + value.length
      if (length > mostAttributeCharacters)
        throw new TableError('too_large', `An element at line ${line} has more than a million characters of attributes`)
    },
    opens(name, attributes, line) {
      const list = length > 0 ? Object.entries(attributes) : none
      length = 0
      if (++depth > deepest)
        throw new TableError(
          'not_a_table',
          `At line ${line} the file is nested more than ${deepest} levels deep; send flatter XML`,
        )
      listener.opens(name, list, line)
    },
    text: (text) => listener.text(text),
    closes() {
      depth--
      listener.closes()
    },
    fault: faultOf,
  })
}
