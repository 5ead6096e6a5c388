/** What every writer of an export takes: rows of text cells, a page at a time, in the order of the export's columns. */
import type { ExportRow } from '../../transforms/versions/export-row.ts'

export type ExportPages = AsyncIterable<readonly ExportRow[]>
