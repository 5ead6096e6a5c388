/** Finds the one product file of a ZIP archive; a workbook is an archive too, and is left as it is. */
import { TableError } from '../table-error.ts'
import type { Bounds } from './bounds.ts'
import { openZip } from './zip-entries.ts'

/** Office documents by the part that each has: what is none of products' rows is refused by name. */
const documents: readonly (readonly [part: string, what: string])[] = [
  ['xl/workbook.bin', 'a binary Excel workbook (XLSB)'],
  ['content.xml', 'an OpenDocument file'],
  ['word/document.xml', 'a Word document'],
  ['ppt/presentation.xml', 'a presentation'],
  ['index/document.iwa', 'a Numbers or Pages document'],
]

/** What systems put into archives beside the files. */
const besides = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._[^/]*$)|\/$/i
const shownNames = 10

export interface ZipContent {
  readonly name: string
  open(): AsyncGenerator<Uint8Array>
}

/** @returns null where the archive is a workbook */
export async function zipContent(path: string, bounds: Bounds): Promise<ZipContent | null> {
  const zip = await openZip(path)
  zip.close()
  if (zip.has('xl/workbook.xml')) return null
  const document = documents.find(([part]) => zip.has(part))
  if (document)
    throw new TableError('not_text', `The file is ${document[1]}; save the table as XLSX, or as CSV in UTF-8`)
  const names = zip.names.filter((name) => !besides.test(name))
  const [name] = names
  if (name === undefined)
    throw new TableError('empty_file', 'The ZIP archive has no file in it; put one product file into it')
  if (names.length > 1) {
    const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : ''
    const listed = names.slice(0, shownNames).map((one) => JSON.stringify(one))
    throw new TableError(
      'not_a_table',
      `The ZIP archive has ${names.length} files (${listed.join(', ')}${more}); send one product file in each`,
    )
  }
  return {
    name,
    async *open() {
      const again = await openZip(path)
      try {
        yield* again.read(name, bounds)
      } finally {
        again.close()
      }
    },
  }
}
