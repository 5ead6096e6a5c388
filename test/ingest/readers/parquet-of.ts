/** What DuckDB makes of a query, as another program's Parquet. */
import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openScratch } from '../../../ingest/scratch.ts'

export async function parquetOf(select: string, options = ''): Promise<Buffer> {
  const path = join(tmpdir(), `assay-${randomUUID()}`)
  const scratch = openScratch(`${path}.duckdb`)
  try {
    await scratch.run(`copy (${select}) to '${path}' (format parquet${options})`)
    return await readFile(path)
  } finally {
    await scratch.close()
    await rm(path, { force: true })
  }
}
