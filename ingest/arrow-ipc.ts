/** Arrow IPC in both directions: writes an export as a stream of record batches, and reads a stream or a file of them. */
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import {
  Binary,
  BinaryView,
  Data,
  type DataType,
  Field,
  Float64,
  Int64,
  LargeBinary,
  List,
  makeData,
  RecordBatch,
  RecordBatchReader,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Type,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow'
import type { CellValue } from '../schemas/pipeline.ts'
import type { Table } from '../schemas/table.ts'
import { exportColumns } from '../transforms/versions/export-row.ts'
import type { RawRow } from './readers/aligned-rows.ts'
import { arrowCell } from './readers/arrow-cell.ts'
import { cellOf } from './readers/columnar-cell.ts'
import { TableError } from './table-error.ts'
import type { ExportPages } from './writers/pages.ts'

/** Marks the end of a stream: a continuation and a length of zero. */
const endBytes = 8

/**
 * Arrow's own writer queues without bound when its reader is slow, so that each batch is written apart, and the schema before
 * it and the end behind it are left out.
 */
export async function* writeArrow(
  pages: ExportPages,
  columns: readonly string[] = exportColumns,
): AsyncGenerator<Uint8Array> {
  const schema = new Schema(columns.map((name) => new Field(name, new Utf8(), true)))
  const empty = encode([], schema)
  const head = empty.subarray(0, empty.length - endBytes)
  yield head
  for await (const rows of pages) {
    if (rows.length === 0) continue
    const bytes = encode([batchOf(rows, schema)], schema)
    yield bytes.subarray(head.length, bytes.length - endBytes)
  }
  yield empty.subarray(head.length)
}

const arrowTypes = { text: new Utf8(), long: new Int64(), double: new Float64() } as const

/** A table of an answer: a stream of one batch. */
export function arrowTable({ columns, rows }: Table): Uint8Array {
  const fields = columns.map(({ name, kind }) => new Field(name, arrowTypes[kind], true))
  const children = columns.map(({ kind }, i) => {
    const cells = rows.map((row) => row[i] ?? null)
    const typed = kind === 'long' ? cells.map((cell) => (cell === null ? null : BigInt(cell))) : cells
    return dataOf(typed, arrowTypes[kind])
  })
  return encode([batchIn(new Schema(fields), rows.length, children)], new Schema(fields))
}

function encode(batches: RecordBatch[], of: Schema): Uint8Array {
  const writer = new RecordBatchStreamWriter()
  writer.reset(undefined, of)
  for (const batch of batches) writer.write(batch)
  writer.finish()
  return writer.toUint8Array(true)
}

function batchOf(rows: readonly (readonly string[])[], schema: Schema): RecordBatch {
  const children = schema.fields.map((_, i) =>
    dataOf(
      rows.map((row) => row[i] || null),
      new Utf8(),
    ),
  )
  return batchIn(schema, rows.length, children)
}

function dataOf(cells: readonly unknown[], type: DataType): Data {
  const [data] = vectorFromArray(cells, type).data
  if (!data) throw new Error('a column of a page has no data')
  return data
}

const batchIn = (of: Schema, length: number, children: Data[]) =>
  new RecordBatch(of, makeData({ type: new Struct(of.fields), length, nullCount: 0, children }))

export interface ArrowTable {
  readonly names: readonly string[]
  readonly notes: readonly string[]
  rows(): AsyncGenerator<RawRow[]>
}

/** @param isFile a file with its footer at the end, else a stream */
export async function readArrow(path: string, isFile: boolean): Promise<ArrowTable> {
  const names: string[] = []
  let lossy: string | undefined
  await withReader(path, isFile, (reader) => {
    names.push(...reader.schema.fields.map(({ name }) => name))
    lossy = namesIn(reader.schema.fields).find((name) => name.includes(lost))
  })
  if (lossy !== undefined && !(await beginning(path)).includes(lost))
    throw new TableError(
      'not_text',
      `The name of the column ${JSON.stringify(lossy)} has bytes that are not valid UTF-8 where ${lost} stands here; write names as text in UTF-8`,
    )
  const notes =
    isFile || (await endsWithMark(path)) ? [] : ['the stream has no mark of its end; it may have been cut off']
  return { names, notes, rows: () => rowsOf(path, isFile) }
}

/** Writers may leave the mark out, so that its absence is told and refuses nothing. */
async function endsWithMark(path: string): Promise<boolean> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const { buffer } = await handle.read(Buffer.alloc(endBytes), 0, endBytes, Math.max(0, size - endBytes))
    return buffer.toString('hex') === 'ffffffff00000000'
  } finally {
    await handle.close()
  }
}

const namesIn = (fields: readonly Field[]): string[] =>
  fields.flatMap(({ name, type }) => [name, ...namesIn(type.children ?? [])])

/** The schema stands there, and where U+FFFD does not, the reader put it into a name. */
const schemaBytes = 2 ** 20

async function beginning(path: string): Promise<Buffer> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(schemaBytes), 0, schemaBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

type Reader = Awaited<ReturnType<typeof openReader>>['reader']

async function openReader(path: string, isFile: boolean) {
  const handle: FileHandle | null = isFile ? await open(path) : null
  const opened = handle ? RecordBatchReader.from(handle) : RecordBatchReader.from(createReadStream(path))
  const reader = await (await opened).open()
  return {
    reader,
    async close() {
      await reader.cancel()
      await handle?.close().catch(() => {})
    },
  }
}

async function withReader(path: string, isFile: boolean, look: (reader: Reader) => void): Promise<void> {
  const { reader, close } = await openReader(path, isFile)
  try {
    look(reader)
  } finally {
    await close()
  }
}

/** Rows of a batch are made a few at a time: batches of other writers may hold a million. */
const atOnce = 2_000

async function* rowsOf(path: string, isFile: boolean): AsyncGenerator<RawRow[]> {
  const { reader, close } = await openReader(path, isFile)
  let line = 0
  try {
    for await (const batch of reader as AsyncIterable<RecordBatch>) {
      const columns = batch.data.children.map(columnOf)
      const pointed = batch.schema.fields.flatMap(({ type }, i) =>
        type.typeId === Type.Decimal || type.typeId === Type.Float ? [i] : [],
      )
      for (let from = 0; from < batch.numRows; from += atOnce) {
        const rows: RawRow[] = []
        for (let r = from; r < Math.min(from + atOnce, batch.numRows); r++)
          rows.push({ line: ++line, pointed, cells: columns.map((cellAt) => cellAt(r)) })
        yield rows
      }
    }
  } finally {
    await close()
  }
}

/**
 * Arrow's reader puts U+FFFD where bytes are no UTF-8, and a supplier may have written it himself: where it shows, and nowhere else, the
 * bytes are looked at.
 */
function columnOf(data: Data): (row: number) => CellValue {
  const vector = new Vector([data])
  const read = arrowCell(data.type)
  let bytes: Vector | undefined
  return (row) => {
    const cell = read(vector.get(row))
    // `includes` takes twice as long.
    if (typeof cell === 'string' ? cell.indexOf(lost) < 0 : !cell.some((text) => text.includes(lost))) return cell
    bytes ??= new Vector([asBytes(data)])
    const marked = cellOf(bytes.get(row))
    return [marked].flat().every((text) => text.isWellFormed()) ? cell : marked
  }
}

const lost = '\ufffd'

/** The same data with its texts as bytes, at any depth; a map is a list of keys and values, since no bytes name a member. */
function asBytes(data: Data): Data {
  const { type, children, dictionary } = data
  if (dictionary)
    return new Data(type, data.offset, data.length, data.nullCount, data, [], new Vector(dictionary.data.map(asBytes)))
  const inner = children.map(asBytes)
  const [entries] = type.children ?? []
  const as =
    bytesTypes[type.typeId as keyof typeof bytesTypes] ??
    (type.typeId === Type.Map && entries ? new List(entries) : type)
  return data.clone(as, undefined, undefined, undefined, undefined, inner)
}

const bytesTypes = {
  [Type.Utf8]: new Binary(),
  [Type.LargeUtf8]: new LargeBinary(),
  [Type.Utf8View]: new BinaryView(),
} as const
