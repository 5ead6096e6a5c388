/** Answers with a table as a file, and says in headers how true it is. */
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { type Table, type TableFormat, tableFormatNames, tableFormats } from '../../schemas/table.ts'
import type { TruthLabel } from '../../schemas/tile.ts'
import type { Medium } from '../openapi/route-schema.ts'
import { attachment } from './attachment.ts'

export interface TablePorts {
  readonly writeTable: (format: TableFormat, table: Table) => Promise<Readable>
}

export const tableFormat = z.enum(tableFormatNames)

/** What a route that can answer so says of it. */
export const tableMedia: readonly Medium[] = tableFormatNames.map((name) => ({
  type: tableFormats[name].split(';')[0] ?? '',
  schema: name === 'csv' ? z.string() : z.string().meta({ format: 'binary' }),
  ...(name === 'csv' && { example: 'key,value\r\n2026-11-27,31\r\n' }),
}))

export const tableSays =
  'With `format=csv`, `parquet` or `arrow` (a stream of Arrow IPC), or an `Accept` that asks for one of them, the rows come as a file; in CSV an apostrophe stands before text that a spreadsheet would run as a formula, and headers `X-Generated-At`, `X-Watermark`, `X-Lag` and `X-Snapshot` say how true it is.'

export async function sendTable(
  reply: FastifyReply,
  { writeTable }: TablePorts,
  file: {
    readonly name: string
    readonly format: TableFormat
    readonly table: Table
    readonly label: Omit<TruthLabel, 'rows_read'>
  },
) {
  const { name, format, table, label } = file
  reply
    .header('content-disposition', attachment(name, `.${format}`))
    .header('x-generated-at', label.generated_at)
    .header('x-lag', String(label.lag))
    .header('x-snapshot', label.snapshot)
    .type(tableFormats[format])
  if (label.watermark !== null) reply.header('x-watermark', label.watermark)
  return reply.send(await writeTable(format, table))
}
