/** The encoding that an XML file names in its first line, and whether its bytes can be that. */
import type { Encoding } from '../../encoding.ts'
import { TableError } from '../../table-error.ts'

/** A declaration is shorter; it stands at the very beginning. */
const declarationBytes = 1_024
const declaration = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z][\w.:-]*)["']/

/**
 * Every encoding but UTF-16 writes a declaration as ASCII does.
 * @returns the name as it stands there, null where the file names none
 */
export function declaredEncoding(sample: Uint8Array): string | null {
  const bytes = Buffer.from(sample.subarray(0, declarationBytes))
  const text = bytes
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
  return declaration.exec(text)?.[1] ?? null
}

/** Names by which an encoding that we decode may be declared. */
const names: Readonly<Record<Encoding['encoding'], RegExp>> = {
  'utf-8': /^(?:utf-?8|us-ascii|ascii)$/i,
  'utf-16le': /^(?:utf-?16(?:-?le)?|ucs-2|iso-10646-ucs-2)$/i,
  'utf-16be': /^(?:utf-?16(?:-?be)?|ucs-2|iso-10646-ucs-2)$/i,
}

/** @throws TableError where the declaration and the bytes are no one encoding */
export function requireDeclared(declared: string | null, { encoding }: Encoding): void {
  if (declared === null || names[encoding].test(declared)) return
  const says = `The file declares the encoding ${declared} and its bytes are read as ${encoding.toUpperCase()}; save it as UTF-8, and let its first line say so`
  throw new TableError('not_text', says)
}
