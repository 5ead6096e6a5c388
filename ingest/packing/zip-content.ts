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
/** What may hold products, be it in a form that is not read here: of two such files nobody knows which is meant. */
const tables =
  /\.(csv|tsv|tab|txt|psv|jsonl?|ndjson|xml|parquet|arrow|feather|ipc|xls[xmb]?|ods|numbers)(\.(gz|zst|zip))?$/i
/** Text that people put beside a table, in the languages that it has been seen in. */
const remarks =
  /(^|\/)[^/]*(read[-_ ]?me|lies[-_ ]?mich|lisez[-_ ]?moi|leggimi|l[eé]ame|licen[cs]e|lizenz|copying|notice|change[-_ ]?log|instructions?|hinweise?)[^/]*\.txt$/i
const shownNames = 10

export interface ZipContent {
  /** For people: which file it is, and what is left out beside it. */
  readonly note: string
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
  if (names.length === 0)
    throw new TableError('empty_file', 'The ZIP archive has no file in it; put one product file into it')
  const candidates = names.filter((name) => tables.test(name) && !remarks.test(name))
  const meant = candidates.length > 0 ? candidates : names
  const [name] = meant
  if (name === undefined || meant.length > 1)
    throw new TableError(
      'not_a_table',
      `The ZIP archive has ${meant.length} files (${listed(meant)}); send one product file in each`,
    )
  const besideIt = names.filter((one) => one !== name)
  return {
    note: `${JSON.stringify(name)} of a ZIP archive${besideIt.length > 0 ? `; ${listed(besideIt)} beside it can be no table by name and was left out` : ''}`,
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

function listed(names: readonly string[]): string {
  const shown = names.slice(0, shownNames).map((name) => JSON.stringify(name))
  return `${shown.join(', ')}${names.length > shownNames ? ` and ${names.length - shownNames} more` : ''}`
}
