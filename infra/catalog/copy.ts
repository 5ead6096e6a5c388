/** Streams rows into a table by binary COPY: the fastest way in, measured at twice the rate of text (DESIGN section 8). */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { type CopyType, type Out, reserve, writeLength, writerOf } from './copy-format.ts'
import { copyIn } from './postgres.ts'

export interface CopyColumn {
  readonly name: string
  readonly type: CopyType
}

/** A chunk is sent when less than `spare` of it is left: most rows then fit without growing it. */
const chunkBytes = 256 * 1024
const spareBytes = 64 * 1024

const head = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])

/**
 * Rows are taken from the iterable only as the server takes chunks; one that throws fails the COPY.
 * @param rows values in order of the columns: uuid and text as strings, timestamptz as Date or epoch milliseconds, jsonb as
 *   JSON text or as any other value to be made JSON, arrays without nulls; null and undefined are null
 * @returns rows copied
 */
export async function copyRows(
  client: ClientBase,
  table: string,
  columns: readonly CopyColumn[],
  rows: Iterable<readonly unknown[]>,
): Promise<number> {
  const names = columns.map((column) => `"${column.name}"`).join(', ')
  const count = { rows: 0 }
  await pipeline(
    Readable.from(encode(columns, rows, count), { highWaterMark: 1 }),
    copyIn(client, `copy ${table} (${names}) from stdin (format binary)`),
  )
  return count.rows
}

/** Each chunk is memory of its own, since the socket holds on to it: 60 µs a chunk against about 3 ms to fill it. */
function* encode(
  columns: readonly CopyColumn[],
  rows: Iterable<readonly unknown[]>,
  count: { rows: number },
): Generator<Buffer> {
  const writers = columns.map((column) => writerOf(column.type))
  const width = writers.length
  const out: Out = { bytes: Buffer.allocUnsafeSlow(chunkBytes), at: head.length }
  out.bytes.set(head)
  for (const row of rows) {
    reserve(out, 2 + 4 * width)
    out.bytes[out.at++] = width >>> 8
    out.bytes[out.at++] = width
    for (let i = 0; i < width; i++) {
      const value = row[i]
      if (value === null || value === undefined) {
        reserve(out, 4)
        writeLength(out.bytes, out.at, -1)
        out.at += 4
      } else writers[i]?.(out, value)
    }
    count.rows++
    if (out.bytes.length - out.at > spareBytes) continue
    yield out.bytes.subarray(0, out.at)
    out.bytes = Buffer.allocUnsafeSlow(chunkBytes)
    out.at = 0
  }
  reserve(out, 2)
  out.bytes[out.at++] = 0xff
  out.bytes[out.at++] = 0xff
  yield out.bytes.subarray(0, out.at)
}
