/** What a caller says of how a file is read, as an import keeps it and as the readers take it; the rest is found out. */
import type { ImportRow } from '../infra/catalog/imports.ts'
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

export const howToRead = ({ kind, encoding, sheet }: ImportRow['options']): Pick<OpenOptions, keyof Said> =>
  saidOf({ kind, sheet, encoding: encoding !== undefined && isEncodingName(encoding) ? encoding : undefined })
