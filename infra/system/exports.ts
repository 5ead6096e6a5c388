/** Writes exports and the tables of answers: as a stream where the format allows it, else through a file that is gone once it has been read. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { TableError } from '../../ingest/table-error.ts'
import { writeCsv } from '../../ingest/writers/csv.ts'
import { writeNdjson } from '../../ingest/writers/ndjson.ts'
import type { ExportPages } from '../../ingest/writers/pages.ts'
import { writeParquet } from '../../ingest/writers/parquet.ts'
import { tableCsv, writeTableParquet } from '../../ingest/writers/table.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { ExportFormat } from '../../schemas/export.ts'
import type { WriteColumns } from '../../serving/feeds/columnar-body.ts'
import type { TablePorts } from '../../serving/workspace/send-table.ts'

export type WriteExport = (format: ExportFormat, pages: ExportPages) => Promise<Readable>

type Writer = (pages: ExportPages, folder: string) => Promise<Readable>

/** One piece at a time: a reader that is slow is waited for. */
const streamed =
  (write: (pages: ExportPages) => AsyncIterable<string | Uint8Array>): Writer =>
  async (pages) =>
    Readable.from(write(pages), { highWaterMark: 1 })

/** Parquet has its directory at its end, and of a workbook only the end tells whether Excel can take it. */
const spooled =
  (write: (pages: ExportPages, path: string) => Promise<void>): Writer =>
  (pages, folder) =>
    throughFile(folder, (path) => write(pages, path))

async function throughFile(folder: string, write: (path: string) => Promise<void>): Promise<Readable> {
  await mkdir(folder, { recursive: true })
  // What a process that was killed leaves is cleared at start, like unfinished uploads.
  const path = join(folder, `${randomUUID()}.part`)
  try {
    await write(path)
    return (await open(path)).createReadStream()
  } finally {
    // An open file is read to its end without its name.
    await rm(path, { force: true })
  }
}

/** What writes Arrow and workbooks is loaded with the first such export (see `ingest/readers/table.ts`). */
const writers: Readonly<Record<ExportFormat, Writer>> = {
  csv: streamed(writeCsv),
  ndjson: streamed(writeNdjson),
  arrow: async (pages, folder) => streamed((await import('../../ingest/arrow-ipc.ts')).writeArrow)(pages, folder),
  xlsx: async (pages, folder) => spooled((await import('../../ingest/writers/xlsx.ts')).writeXlsx)(pages, folder),
  parquet: spooled(writeParquet),
}

/** @param folder where files are kept while they are written */
export const exportWriter =
  (folder: string): WriteExport =>
  async (format, pages) => {
    try {
      return await writers[format](pages, folder)
    } catch (error) {
      if (!(error instanceof TableError)) throw error
      throw new ServiceError('INVALID_REQUEST', { message: error.says, field: 'format', cause: error })
    }
  }

/** @param folder where Parquet is kept while it is written */
export const columnsWriter =
  (folder: string): WriteColumns =>
  async (format, columns, rows) => {
    if (format === 'parquet') return throughFile(folder, (path) => writeParquet(rows, path, columns))
    const { writeArrow } = await import('../../ingest/arrow-ipc.ts')
    return Readable.from(writeArrow(rows, columns), { highWaterMark: 1 })
  }

/** @param folder where Parquet is kept while it is written */
export const tableWriter =
  (folder: string): TablePorts['writeTable'] =>
  async (format, table) => {
    if (format === 'csv') return Readable.from([tableCsv(table)])
    if (format === 'arrow') return Readable.from([(await import('../../ingest/arrow-ipc.ts')).arrowTable(table)])
    return throughFile(folder, (path) => writeTableParquet(table, path))
  }
