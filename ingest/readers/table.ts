/** Opens a file as a table, whatever it is written in: the one shape that every reader gives. */
import { createReadStream } from 'node:fs'
import type { CellValue } from '../../schemas/pipeline.ts'
import { decodeText, detectEncoding, glance } from '../encoding.ts'
import { TableError } from '../table-error.ts'
import { openColumnar } from './columnar-table.ts'
import { openDelimited } from './delimited-table.ts'
import { detectDialect } from './dialect.ts'
import { isListName } from './header.ts'
import { openNdjson } from './ndjson.ts'
import { refuseBinary, refuseMarkup } from './not-a-table.ts'
import { readParquet } from './parquet.ts'

export interface Table {
  readonly kind: 'delimited' | 'ndjson' | BinaryKind
  /** How the file was read, for people. */
  readonly notes: readonly string[]
  readonly header: readonly string[]
  /** Reads the file anew at each call, in the same order. */
  rows(): AsyncIterable<TableRow[]>
}

type BinaryKind = 'xlsx' | 'parquet' | 'arrow'
export const fileKinds = ['csv', 'ndjson', 'xlsx', 'parquet', 'arrow'] as const
export type FileKind = (typeof fileKinds)[number]

export interface TableRow {
  /** Data record, from 1; records of blank cells only are neither given nor counted. */
  readonly row: number
  /** Physical line where it starts, from 1. */
  readonly line: number
  /** Aligned to the header, exactly as given; '' where absent. */
  readonly cells: readonly CellValue[]
  /** Set where the cells are not to be trusted: the row is rejected, its neighbours are not. */
  readonly fault?: { readonly code: 'ragged' | 'unreadable' | 'header_again'; readonly says: string }
}

export interface OpenOptions {
  /** Detected where absent; the bytes decide whether a file is text. */
  readonly kind?: FileKind
  /** Whether the target of a repeated column name takes a list. */
  readonly listColumn?: (name: string) => boolean
}

const sampleBytes = 2 ** 18

/** @throws TableError where the file as a whole cannot be read */
export async function openTable(path: string, options: OpenOptions = {}): Promise<Table> {
  const sample = await firstBytes(path)
  const isList = options.listColumn ?? isListName
  const binary = binaryKind(sample)
  if (binary) {
    if (options.kind && options.kind !== binary.kind) throw otherKind(binary.name, options.kind)
    return { ...(await readable(binary.name, () => binary.open(path, isList))), kind: binary.kind }
  }
  const { encoding, mark } = detectEncoding(sample)
  const start = glance(sample)
  refuseBinary(sample, start)
  if (options.kind && options.kind !== 'csv' && options.kind !== 'ndjson') throw otherKind('text', options.kind)
  if (!options.kind) refuseMarkup(start)

  const open = () => decodeText(createReadStream(path))
  const note = `encoding ${encoding.toUpperCase()}${mark ? ', with mark' : ''}`
  if (options.kind === 'ndjson' || (!options.kind && start.trimStart().startsWith('{'))) {
    const table = await openNdjson(open, isList)
    return { ...table, kind: 'ndjson', notes: [note, ...table.notes] }
  }
  const table = await openDelimited(open, detectDialect(start), isList)
  return { ...table, kind: 'delimited', notes: [note, ...table.notes] }
}

interface Binary {
  readonly kind: BinaryKind
  readonly name: string
  readonly signature: string
  readonly open: (path: string, isList: (name: string) => boolean) => Promise<Pick<Table, 'notes' | 'header' | 'rows'>>
}

const openWorkbook: Binary['open'] = async (path, isList) =>
  (await import('./xlsx/open-xlsx.ts')).openXlsx(path, isList)
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
    open: async (path, isList) => openColumnar(await readParquet(path), isList),
  },
  {
    kind: 'arrow',
    name: 'an Arrow file',
    signature: 'ARROW1',
    open: async (path, isList) => openColumnar(await openArrow(path, true), isList),
  },
  {
    kind: 'arrow',
    name: 'an Arrow stream',
    signature: '\xff\xff\xff\xff',
    open: async (path, isList) => openColumnar(await openArrow(path, false), isList),
  },
]

function binaryKind(sample: Buffer): Binary | undefined {
  const bytes = sample.subarray(0, 8).toString('latin1')
  return binaries.find(({ signature }) => bytes.startsWith(signature))
}

const otherKind = (is: string, wanted: FileKind) =>
  new TableError('not_a_table', `The file is ${is} and was sent as ${wanted}; leave kind out, or send what it says`)

/** Whatever a driver says of broken bytes, it is the file that is at fault. */
async function readable(name: string, open: () => Promise<Pick<Table, 'notes' | 'header' | 'rows'>>) {
  const refused = (cause: unknown) => {
    // The disk's, not the file's.
    if (cause instanceof TableError || (cause instanceof Error && 'errno' in cause)) return cause
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

async function firstBytes(path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(path, { end: sampleBytes - 1 })) chunks.push(chunk)
  return Buffer.concat(chunks)
}
