/** The encoding that an XML file names in its first line, and whether its bytes can be that. */
import { type EncodingName, isEncodingName, shownName } from '../../encoding/names.ts'
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

/**
 * The encoding to read it in: UTF-16 and UTF-8 are told by the bytes themselves.
 * @throws TableError where it is none that is known here
 */
export function declaredName(declared: string | null): EncodingName | undefined {
  if (declared === null) return undefined
  const name = nameOf(declared)
  if (name === null)
    throw new TableError(
      'not_text',
      `The file declares the encoding ${declared}, which is not known here; save it as UTF-8, and let its first line say so`,
    )
  return name.startsWith('utf-') ? undefined : name
}

/** As browsers take it: what calls itself ISO-8859-1 or ASCII is read as Windows-1252, which holds both. */
function nameOf(declared: string): EncodingName | null {
  try {
    const { encoding } = new TextDecoder(declared.replace(/^(?:iso-10646-)?ucs-2$/i, 'utf-16'))
    return isEncodingName(encoding) ? encoding : null
  } catch {
    return null
  }
}

/**
 * What is found to be UTF-8 is no other encoding by chance, and who writes a file anew often leaves its first line as it was. What is no
 * UTF-8 and says that it is could be anything.
 * @throws TableError where the declaration and the bytes are no one encoding
 */
export function requireDeclared(declared: string | null, found: EncodingName): void {
  const name = declared === null ? null : nameOf(declared)
  if (name === null || name === found || (name.startsWith('utf-16') && found.startsWith('utf-16'))) return
  if (found === 'utf-8' && !name.startsWith('utf-')) return
  throw new TableError(
    'not_text',
    `The file declares the encoding ${declared} and its bytes are read as ${shownName(found)}; save it as UTF-8, and let its first line say so`,
  )
}
