/** What is said of XML that cannot be read: where, why, and what to do. */
import { TableError } from '../../table-error.ts'

/** What the parser calls it, and what the sender is told. */
const causes: readonly (readonly [start: string, says: string])[] = [
  ['Unclosed root tag', 'it ends before its elements are closed, so it was cut off'],
  ['Unexpected end', 'it ends in the middle of something, so it was cut off'],
  ['Unexpected close tag', 'an end tag stands where another element is open'],
  ['Unmatched closing tag', 'an end tag stands where no such element is open'],
  ['Invalid character', 'it has a character or an entity that XML does not know; write & as &amp; and < as &lt;'],
  ['Unencoded <', 'a < stands in a text; write it as &lt;'],
  ['Text data outside', 'text stands outside of the root element'],
  ['Non-whitespace before', 'text stands before the first element'],
  ['Max buffer length', 'a name, an attribute or an instruction has more than 64,000 characters'],
]

export function faultOf(error: Error, line: number, column: number): TableError {
  const [cause = ''] = error.message.split('\n')
  if (cause.endsWith(': doctype') || cause.endsWith(': sgmlDecl')) return subsetError()
  const says = causes.find(([start]) => cause.startsWith(start))?.[1] ?? cause
  const fault = new TableError(
    'not_a_table',
    `The file is no well-formed XML at line ${line}, column ${column}: ${says}. Correct it and send it again`,
  )
  fault.cause = error
  return fault
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
