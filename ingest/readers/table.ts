/** Opens a file as a table, whatever it is written in: the one shape that every reader gives. */
import type { CellValue } from '../../schemas/pipeline.ts'
import type { FoundEncoding } from '../encoding/detect.ts'
import type { EncodingName } from '../encoding/names.ts'
import { type Bounds, defaultBounds } from '../packing/bounds.ts'
import { type Content, openContent, refusePacked } from '../packing/open-content.ts'
import { TableError } from '../table-error.ts'
import { openColumnar } from './columnar-table.ts'
import { refusingFaults } from './faulty-table.ts'
import { isListName } from './header.ts'
import { openAcpTable } from './json/acp-table.ts'
import { otherKind } from './not-a-table.ts'
import { openText } from './open-text.ts'
import { readParquet } from './parquet.ts'

export const tableKinds = ['delimited', 'ndjson', 'json', 'xml', 'xlsx', 'parquet', 'arrow'] as const

export interface Table {
  readonly kind: (typeof tableKinds)[number]
  /** Of text; how a workbook or a Parquet file is written, it says itself. */
  readonly found?: FoundEncoding
  readonly delimiter?: string
  /** How the file was read, for people. */
  readonly notes: readonly string[]
  readonly header: readonly string[]
  /** Columns whose numbers have a decimal point by the specification of the file's format. */
  readonly specified?: { readonly by: string; readonly pointed: readonly string[] }
  /** Reads the file anew at each call, in the same order. */
  rows(): AsyncIterable<TableRow[]>
}

type BinaryKind = 'xlsx' | 'parquet' | 'arrow'
export const fileKinds = ['csv', 'ndjson', 'json', 'xml', 'xlsx', 'parquet', 'arrow'] as const
export type FileKind = (typeof fileKinds)[number]

/** A cell that is read otherwise than it stands, and is told. */
export interface CellDoubt {
  readonly code:
    | 'spreadsheet_error'
    | 'missing_text'
    | 'no_result'
    | 'cells_missing'
    | 'quote_inside'
    | 'identifier_cut'
  readonly column: string
  readonly raw: string
  readonly says: string
}

export interface TableRow {
  /** Data record, from 1; records of blank cells only are neither given nor counted. */
  readonly row: number
  /** Physical line where it starts, from 1. */
  readonly line: number
  /** Aligned to the header, exactly as given; '' where absent. */
  readonly cells: readonly CellValue[]
  /**
   * Columns of cells that the file has as numbers and not as texts, where these have a point or an exponent: that point is a decimal
   * one in every country. Others may stand here too whose cells are blank or counts.
   */
  readonly pointed?: readonly number[]
  readonly doubts?: readonly CellDoubt[]
  /** Set where the cells are not to be trusted: the row is rejected, its neighbours are not. */
  readonly fault?: CellFault
  /** The cells of a rejected row for eyes, with U+FFFD where bytes are no text; `cells` are blank there. */
  readonly shown?: readonly CellValue[]
  /** What stands behind the header's last column, of a row that is rejected for it. */
  readonly beyond?: readonly CellValue[]
}

export interface CellFault {
  readonly code: 'ragged' | 'unreadable' | 'header_again' | 'not_text'
  readonly says: string
  /** Where one cell is at fault. */
  readonly column?: string
  /** How the row begins in its file, where it could not be cut into cells. */
  readonly raw?: string
}

export interface OpenOptions {
  /** Detected where absent; the bytes decide whether a file is text. */
  readonly kind?: FileKind
  /** What text is written in; found out where absent. */
  readonly encoding?: EncodingName
  /** What was found of the same bytes before: then they are not read to their end for it again. */
  readonly found?: FoundEncoding
  /** Of a workbook, by name or by number from 1; the one that looks most like products where absent. */
  readonly sheet?: string
  readonly bounds?: Bounds
  /** Whether the target of a repeated column name takes a list. */
  readonly listColumn?: (name: string) => boolean
}

const sampleBytes = 2 ** 18

/** @throws TableError where the file as a whole cannot be read */
export async function openTable(path: string, options: OpenOptions = {}): Promise<Table> {
  const content = await openContent(path, options.bounds ?? defaultBounds)
  const sample = await firstBytes(content)
  if (content.note !== null) refusePacked(sample)
  const binary = binaryKind(sample)
  if (binary && options.kind && options.kind !== binary.kind) throw otherKind(binary.name, options.kind)
  if (options.sheet !== undefined && binary?.kind !== 'xlsx')
    throw new TableError('no_sheet', 'The file is no workbook and has no sheets; leave sheet out')
  const table = await openAcpTable(
    binary
      ? await openBinary(content, binary, options)
      : await openText(content, sample, sample.length < sampleBytes, options),
  )
  const unused = binary && options.encoding ? [`encoding= says nothing of ${binary.name}; it was left out`] : []
  return {
    ...refusingFaults(table),
    notes: [...(content.note === null ? [] : [content.note]), ...unused, ...table.notes],
  }
}

export type Opened = Pick<Table, 'notes' | 'header' | 'specified' | 'rows'>

/** What is packed is laid on the disk anew for each reading, and is gone after it. */
async function openBinary(content: Content, binary: Binary, options: OpenOptions): Promise<Table> {
  const open = (path: string) =>
    readable(binary.name, () =>
      binary.open(path, {
        isList: options.listColumn ?? isListName,
        sheet: options.sheet,
        bounds: options.bounds ?? defaultBounds,
      }),
    )
  const once = content.onDisk(async function* (path) {
    yield await open(path)
  })
  for await (const table of once)
    return {
      ...table,
      kind: binary.kind,
      ...(content.note === null
        ? {}
        : {
            rows: () =>
              content.onDisk(async function* (path) {
                yield* (await open(path)).rows()
              }),
          }),
    }
  throw new Error('nothing was opened')
}

interface Binary {
  readonly kind: BinaryKind
  readonly name: string
  readonly signature: string
  readonly open: (path: string, how: BinaryOptions) => Promise<Opened>
}

export interface BinaryOptions {
  /** See `foldHeader`. */
  readonly isList: (name: string) => boolean
  readonly sheet: string | undefined
  readonly bounds: Bounds
}

const openWorkbook: Binary['open'] = async (path, how) => (await import('./xlsx/open-xlsx.ts')).openXlsx(path, how)
const openArrow = async (path: string, isFile: boolean) => (await import('../arrow-ipc.ts')).readArrow(path, isFile)

/**
 * Known by their first bytes; an Arrow stream begins with a continuation mark. What reads Arrow and workbooks is loaded with the
 * first such file: a server that sees none is 40 MB smaller.
 */
const binaries: readonly Binary[] = [
  { kind: 'xlsx', name: 'an Excel workbook', signature: 'PK\x03\x04', open: openWorkbook },
  {
    kind: 'parquet',
    name: 'a Parquet file',
    signature: 'PAR1',
    open: async (path, { isList }) => openColumnar(await readParquet(path), isList),
  },
  {
    kind: 'arrow',
    name: 'an Arrow file',
    signature: 'ARROW1',
    open: async (path, { isList }) => openColumnar(await openArrow(path, true), isList),
  },
  {
    kind: 'arrow',
    name: 'an Arrow stream',
    signature: '\xff\xff\xff\xff',
    open: async (path, { isList }) => openColumnar(await openArrow(path, false), isList),
  },
]

function binaryKind(sample: Buffer): Binary | undefined {
  const bytes = sample.subarray(0, 8).toString('latin1')
  return binaries.find(({ signature }) => bytes.startsWith(signature))
}

/** Whatever a driver says of broken bytes, it is the file that is at fault. */
async function readable(name: string, open: () => Promise<Opened>) {
  const refused = (cause: unknown) => {
    // The disk's, not the file's; what inflates gives numbers to its errors too.
    if (cause instanceof TableError || (cause instanceof Error && 'syscall' in cause)) return cause
    const fault = new TableError('not_text', `The file begins as ${name} and cannot be read as one; write it again`)
    fault.cause = cause
    return fault
  }
  try {
    const table = await open()
    return {
      ...table,
      async *rows() {
        try {
          yield* table.rows()
        } catch (error) {
          throw refused(error)
        }
      },
    }
  } catch (error) {
    throw refused(error)
  }
}

async function firstBytes(content: Content): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of content.open()) {
    chunks.push(Buffer.from(chunk))
    length += chunk.length
    if (length >= sampleBytes) break
  }
  return Buffer.concat(chunks).subarray(0, sampleBytes)
}
