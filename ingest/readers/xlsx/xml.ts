/** Reads XML as it comes, piece by piece: what stands in it is told to a listener, and nothing is kept. */
import { openParser } from '../xml/open-parser.ts'

export interface XmlListener {
  /** @param name without its namespace's prefix */
  opens(name: string, attributes: Readonly<Record<string, string>>): void
  /** A long text comes in several parts. */
  text(text: string): void
  closes(name: string): void
}

/** Elements in each other, and attributes of one: what is more is there to fill a memory. */
const deepest = 100
const mostAttributes = 1_000

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Gives way after each piece, so that the caller can take what the listener has gathered.
 * @param prepare gives what is read in place of a piece
 * @throws Error where the bytes are no well-formed XML in UTF-8
 */
export async function* readXml(
  bytes: AsyncIterable<Uint8Array>,
  listener: XmlListener,
  prepare = (piece: string) => piece,
): AsyncGenerator<void> {
  const parser = parserFor(listener)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of bytes) {
    parser.write(prepare(decoder.decode(chunk, { stream: true })))
    yield
  }
  parser.write(decoder.decode())
  parser.close()
  yield
}

function parserFor(listener: XmlListener) {
  let depth = 0
  let count = 0
  return openParser({
    doctype() {},
    attribute(_name, value, _line, isWhole) {
      if (++count > mostAttributes) throw new Error(`an element has more than ${mostAttributes} attributes`)
      if (!isWhole) throw new Error('an attribute has more than a million characters')
      return value
    },
    opens(name, attributes) {
      count = 0
      if (++depth > deepest) throw new Error(`elements are nested more than ${deepest} deep`)
      listener.opens(local(name), attributes)
    },
    text: (text) => listener.text(text),
    closes(name) {
      depth--
      listener.closes(local(name))
    },
    fault: (cause, line, column) => new Error(`line ${line}, column ${column}: ${cause}`),
  })
}
