/** Arrow IPC in both directions: writes an export as a stream of record batches, and reads a stream or a file of them. */
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import {
  type DataType,
  Field,
  type Float,
  makeData,
  Precision,
  RecordBatch,
  RecordBatchReader,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Type,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import type { CellValue } from '../schemas/pipeline.ts'
import { exportColumns } from '../transforms/versions/export-row.ts'
import type { RawRow } from './readers/aligned-rows.ts'
import { cellOf } from './readers/columnar-cell.ts'
import type { ExportPages } from './writers/pages.ts'

const schema = new Schema(exportColumns.map((name) => new Field(name, new Utf8(), true)))
/** Marks the end of a stream: a continuation and a length of zero. */
const endBytes = 8

/**
 * Arrow's own writer queues without bound when its reader is slow, so that each batch is written apart, and the schema before
 * it and the end behind it are left out.
 */
export async function* writeArrow(pages: ExportPages): AsyncGenerator<Uint8Array> {
  const empty = encode([])
  const head = empty.subarray(0, empty.length - endBytes)
  yield head
  for await (const rows of pages) {
    if (rows.length === 0) continue
    const bytes = encode([batchOf(rows)])
    yield bytes.subarray(head.length, bytes.length - endBytes)
  }
  yield empty.subarray(head.length)
}

function encode(batches: RecordBatch[]): Uint8Array {
  const writer = new RecordBatchStreamWriter()
  writer.reset(undefined, schema)
  for (const batch of batches) writer.write(batch)
  writer.finish()
  return writer.toUint8Array(true)
}

function batchOf(rows: readonly (readonly string[])[]): RecordBatch {
  const type = new Struct(schema.fields)
  const children = exportColumns.map((_, i) => {
    const texts = rows.map((row) => row[i] || null)
    const [data] = vectorFromArray(texts, new Utf8()).data
    if (!data) throw new Error('a column of a page has no data')
    return data
  })
  return new RecordBatch(schema, makeData({ type, length: rows.length, nullCount: 0, children }))
}

export interface ArrowTable {
  readonly names: readonly string[]
  readonly notes: readonly string[]
  rows(): AsyncGenerator<RawRow[]>
}

/** @param isFile a file with its footer at the end, else a stream */
export async function readArrow(path: string, isFile: boolean): Promise<ArrowTable> {
  const names: string[] = []
  await withReader(path, isFile, (reader) => {
    names.push(...reader.schema.fields.map(({ name }) => name))
  })
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
      const columns = batch.schema.fields.map((field, i) => ({
        vector: batch.getChildAt(i),
        read: readerOf(field.type),
      }))
      const pointed = batch.schema.fields.flatMap(({ type }, i) =>
        type.typeId === Type.Decimal || type.typeId === Type.Float ? [i] : [],
      )
      for (let from = 0; from < batch.numRows; from += atOnce) {
        const rows: RawRow[] = []
        for (let r = from; r < Math.min(from + atOnce, batch.numRows); r++)
          rows.push({ line: ++line, pointed, cells: columns.map(({ vector, read }) => read(vector?.get(r))) })
        yield rows
      }
    }
  } finally {
    await close()
  }
}

/** Dates and decimals come as bare numbers, which only the type can tell. */
function readerOf(type: DataType): (value: unknown) => CellValue {
  if (type.typeId === Type.Date || type.typeId === Type.Timestamp)
    return (value) => (typeof value === 'number' ? dateText(value, type.typeId === Type.Date) : cellOf(value))
  if (type.typeId === Type.Decimal) {
    const { scale } = type as DataType & { scale: number }
    return (value) => (value === null || value === undefined ? '' : scaled(BigInt(String(value)), scale))
  }
  if (type.typeId === Type.Float && (type as Float).precision === Precision.SINGLE)
    return (value) => (typeof value === 'number' ? singleText(value) : cellOf(value))
  return cellOf
}

/** The shortest decimal that is this number in 32 bits: as a double 12.34 would be 12.34000015258789. */
function singleText(value: number): string {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return String(short)
  }
  return String(value)
}

function dateText(ms: number, dayOnly: boolean): string {
  const text = new Date(ms).toISOString()
  return dayOnly ? text.slice(0, 10) : text
}

function scaled(unscaled: bigint, scale: number): string {
  if (scale <= 0) return String(unscaled * 10n ** BigInt(-scale))
  const sign = unscaled < 0n ? '-' : ''
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
