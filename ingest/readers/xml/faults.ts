/** What is said of XML that cannot be read: where, why, and what to do. */
import { TableError } from '../../table-error.ts'

const unknownCharacter = 'it has a character or an entity that XML does not know; write & as &amp; and < as &lt;'

/** What the parser calls it, and what the sender is told. */
const causes: readonly (readonly [start: string, says: string])[] = [
  ['unclosed tag', 'it ends before its elements are closed, so it was cut off'],
  ['unexpected end', 'it ends in the middle of something, so it was cut off'],
  ['unexpected close tag', 'an end tag stands where another element is open'],
  ['unmatched closing tag', 'an end tag stands where no such element is open'],
  ['disallowed character in tag name.', unknownCharacter],
  ['disallowed character in tag name', 'a < stands in a text; write it as &lt;'],
  ['disallowed character', unknownCharacter],
  ['undefined entity', unknownCharacter],
  ['malformed character entity', unknownCharacter],
  ['text data outside', 'text stands outside of the root element'],
  ['documents may contain only one root', 'a second root element begins'],
  ['too long', 'a name or an instruction has more than 64,000 characters'],
]

export function faultOf(cause: string, line: number, column: number): TableError {
  const twice = /^duplicate attribute: (.*)\.$/.exec(cause)?.[1]
  const says =
    twice === undefined
      ? (causes.find(([start]) => cause.startsWith(start))?.[1] ?? cause.replace(/\.$/, ''))
      : `The attribute ${twice} stands twice`
  return new TableError(
    'not_a_table',
    `The file is no well-formed XML at line ${line}, column ${column}: ${says}. Correct it and send it again`,
  )
}

const pageRoots = new Set(['html', 'head', 'body', 'div', 'table'])

/** @param name of a root element or a document type */
export const isPage = (name: string) => pageRoots.has(name.toLowerCase())

export const pageError = () =>
  new TableError(
    'not_a_table',
    'The file is an HTML page and no feed; import a page by its address, or send the products as XML, CSV or one JSON object a line',
  )

/** Entities of a document's own are how a small file becomes gigabytes, or asks this machine for its files. */
export const subsetError = () =>
  new TableError(
    'not_a_table',
    'The file has a DOCTYPE with declarations of its own ([…]), which are not read; remove them, and write what its entities stand for',
  )
