/** How a file is read: what the caller says of it, and what was found when it came, as an import keeps both. */
import type { ImportRow } from '../infra/catalog/imports.ts'
import type { FoundEncoding } from './encoding/detect.ts'
import { type EncodingName, isEncodingName } from './encoding/names.ts'
import type { FileKind, OpenOptions } from './readers/table.ts'

export interface Said {
  readonly kind?: FileKind | undefined
  readonly encoding?: EncodingName | undefined
  readonly sheet?: string | undefined
}

export const saidOf = ({ kind, encoding, sheet }: Said) => ({
  ...(kind ? { kind } : {}),
  ...(encoding ? { encoding } : {}),
  ...(sheet === undefined ? {} : { sheet }),
})

/** The same file read again is read the same. */
export function howToRead(options: ImportRow['options']): Pick<OpenOptions, keyof Said | 'found'> {
  const { kind, encoding, sheet, found } = options
  const known = encoding !== undefined && isEncodingName(encoding) ? encoding : undefined
  return { ...saidOf({ kind, sheet, encoding: known }), ...(isFound(found) ? { found } : {}) }
}

const isFound = (found: ImportRow['options']['found']): found is FoundEncoding =>
  found !== undefined && isEncodingName(found.encoding)
