/** What the beginning of a file tells at once: its columns, what each is taken for and why, and its first rows. */
import type { ImportContext } from '../schemas/pipeline.ts'
import type { Field } from '../schemas/product.ts'
import type { PipelineSettings } from '../schemas/settings.ts'
import { type ColumnNote, columnNotes } from './column-notes.ts'
import { openReading, type Reading } from './context.ts'
import { isEditFile, openEditReading } from './edit-file.ts'
import type { Table, TableRow } from './readers/table.ts'
import { sampleRows } from './sample-rows.ts'
import { shownRow } from './shown-text.ts'
import { TableError } from './table-error.ts'

export interface FirstLook {
  readonly format: Table['kind']
  readonly encoding: string | null
  readonly delimiter: string | null
  /** The platform whose export it looks like; null where nothing could be read of it. */
  readonly platform: string | null
  /** From the first rows alone; the job says it of the whole file. */
  readonly columns: readonly ColumnNote[]
  readonly rows: readonly { readonly row: number; readonly cells: TableRow['cells']; readonly fault: string | null }[]
  readonly notes: readonly string[]
  /** Why it could not be imported as it is. */
  readonly problem: { readonly code: string; readonly message: string } | null
}

const mostRows = 50
/** A few wide rows say as much as many narrow ones. */
const mostCharacters = 200_000

/** A file that says nothing of products is looked at all the same: whoever sees its columns can map them. */
export async function firstLook(
  table: Table,
  source: string,
  settings: PipelineSettings,
  map: Readonly<Record<string, Field>>,
): Promise<FirstLook> {
  let problem: FirstLook['problem'] = null
  const orProblem = (error: unknown) => {
    if (!(error instanceof TableError)) throw error
    problem ??= { code: error.code, message: error.says }
    return null
  }
  let reading: Reading | null = null
  try {
    const edits = isEditFile(table.header)
    // What cannot be read of the rows is said where they are shown; the names alone tell something all the same.
    const sample = edits ? null : await sampleRows(table).catch(orProblem)
    reading = edits
      ? openEditReading(table.header, map)
      : openReading(table.header, source, settings, map, table.specified, sample ?? undefined)
  } catch (error) {
    orProblem(error)
  }
  const rows: FirstLook['rows'][number][] = []
  await readFirst(table, reading, rows).catch(orProblem)
  const told: Pick<ImportContext, 'mapping' | 'numbers' | 'currencies' | 'dates' | 'languages'> = {
    mapping: reading?.mapping ?? {},
    ...(reading?.evidence() ?? { numbers: {}, currencies: {} }),
  }
  return {
    format: table.kind,
    encoding: table.found?.encoding ?? null,
    delimiter: table.delimiter ?? null,
    platform: reading?.platform ?? null,
    columns: columnNotes({ header: table.header, ...told }),
    rows,
    notes: table.notes,
    problem,
  }
}

async function readFirst(table: Table, reading: Reading | null, rows: FirstLook['rows'][number][]): Promise<void> {
  let left = mostCharacters
  for await (const batch of table.rows())
    for (const { row, cells, pointed, fault, shown: forEyes = cells } of batch) {
      if (!fault) reading?.see(cells, pointed)
      const shown = shownRow(forEyes)
      left -= shown.flat().reduce((sum, cell) => sum + cell.length, 0)
      if (left < 0) return
      rows.push({ row, cells: shown, fault: fault?.says ?? null })
      if (rows.length === mostRows) return
    }
}
