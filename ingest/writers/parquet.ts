/** Writes an export as a Parquet file, through a table on disk, so that memory stays flat. */
import { exportColumns } from '../../transforms/versions/export-row.ts'
import { openScratch } from '../scratch.ts'
import type { ExportPages } from './pages.ts'

/** Rows of a group are held together while they are written; long descriptions make 100 MB of DuckDB's usual 122,880. */
const groupRows = 10_240

/**
 * @param path where the file goes; what is needed beside it is gone when this returns
 * @param columns names of the rows' cells
 */
export async function writeParquet(
  pages: ExportPages,
  path: string,
  columns: readonly string[] = exportColumns,
): Promise<void> {
  const scratch = openScratch(`${path}.duckdb`)
  try {
    const table = await scratch.table(
      'export',
      columns.map((name) => ({ name: `"${name.replaceAll('"', '""')}"`, type: 'text' })),
    )
    for await (const rows of pages) {
      for (const row of rows) table.add(row.map((cell) => (cell === '' ? null : cell)))
      table.flush()
    }
    const target = path.replaceAll("'", "''")
    await scratch.run(`copy export to '${target}' (format parquet, compression zstd, row_group_size ${groupRows})`)
  } finally {
    await scratch.close()
  }
}
