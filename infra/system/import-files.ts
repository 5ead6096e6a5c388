/** Files of imports as people download them: what was sent, its rejected rows, and all that its rows have to say. */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { compareFiles } from '../../ingest/compare-files.ts'
import { howToRead } from '../../ingest/how-to-read.ts'
import { openProductTable, writeRejects } from '../../ingest/rejects-file.ts'
import { csvLine } from '../../ingest/writers/csv.ts'
import type { RowNote } from '../catalog/import-ledger.ts'
import type { LedgerRow } from '../catalog/import-queries.ts'
import type { ImportRow } from '../catalog/imports.ts'

export interface ImportFiles {
  /** @returns null where it is kept no longer */
  sent(spool: string): Promise<Readable | null>
  /** @param notes of rejected rows, in order of the file @returns null where the file is kept no longer */
  rejects(of: Pick<ImportRow, 'spool' | 'options'>, notes: AsyncIterable<readonly RowNote[]>): Promise<Readable | null>
  notes(format: 'csv' | 'ndjson', notes: AsyncIterable<readonly RowNote[]>): Readable
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** @param folder where the comparison's own file is kept while it is made */
export const importComparer =
  (folder: string) =>
  async (
    now: LedgerRow,
    before: LedgerRow,
    limit: number,
  ): Promise<Awaited<ReturnType<typeof compareFiles>> | null> => {
    const [one, other] = [now, before].map(({ spool, options, context }) => ({
      ...{ path: spool, read: howToRead(options), mapping: context?.mapping ?? {} },
    }))
    if (!one || !other || !(await isThere(one.path)) || !(await isThere(other.path))) return null
    return compareFiles(one, other, limit, join(folder, `${randomUUID()}.duckdb`))
  }

const columns = ['row', 'result', 'code', 'reason', 'field', 'column', 'raw'] as const

export const importFiles: ImportFiles = {
  sent: async (spool) => ((await isThere(spool)) ? createReadStream(spool) : null),
  async rejects({ spool, options }, notes) {
    if (!(await isThere(spool))) return null
    const table = await openProductTable(spool, howToRead(options))
    // One piece at a time: a reader that is slow is waited for.
    return Readable.from(writeRejects(table, notes), { highWaterMark: 1 })
  },
  notes: (format, notes) => Readable.from(format === 'csv' ? asCsv(notes) : asNdjson(notes), { highWaterMark: 1 }),
}

const told = ({ row, result, code, says, field, column, raw }: RowNote) => ({
  ...{ row, result, code, reason: says, field, column: column || null, raw },
})

async function* asCsv(pages: AsyncIterable<readonly RowNote[]>): AsyncGenerator<string> {
  yield csvLine(columns)
  for await (const page of pages) {
    const lines = page.map(told).map((note) => csvLine(columns.map((name) => String(note[name] ?? ''))))
    yield lines.join('')
  }
}

async function* asNdjson(pages: AsyncIterable<readonly RowNote[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((note) => `${JSON.stringify(told(note))}\n`).join('')
}
