/** Compares two files of a source row by row, by what identifies a product in them: counts, and the first differences. On disk, whatever their size. */
import { hash } from 'node:crypto'
import type { CellValue, ImportContext } from '../schemas/pipeline.ts'
import { setOwn } from '../transforms/bronze/cell-value.ts'
import { identifierReader } from './candidate.ts'
import type { OpenOptions } from './readers/table.ts'
import { openProductTable } from './rejects-file.ts'
import { openScratch, type Scratch, type ScratchTable } from './scratch.ts'
import { contentText } from './verdicts.ts'

export interface ComparedFile {
  readonly path: string
  readonly read: OpenOptions
  readonly mapping: ImportContext['mapping']
}

const kinds = ['added', 'removed', 'changed'] as const

export interface Difference {
  readonly kind: (typeof kinds)[number]
  /** SKU, source id, GTIN, MPN with brand or link; null for a row that has none of these. */
  readonly key: string | null
  /** Data record of each file, from 1. */
  readonly row: number | null
  readonly rowBefore: number | null
}

export interface Comparison {
  readonly rows: number
  readonly rowsBefore: number
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly unchanged: number
  /** In order of the later file, then what it lacks. */
  readonly differences: Difference[]
}

/** Rows that nothing identifies are known by their content, so one that changed is one removed and one added. */
const nameless = '\u001e'

/** @param scratchPath of a file that is gone afterwards @throws TableError where a file cannot be read */
export async function compareFiles(
  now: ComparedFile,
  before: ComparedFile,
  limit: number,
  scratchPath: string,
): Promise<Comparison> {
  const scratch = openScratch(scratchPath)
  try {
    const table = await scratch.table('file_row', [
      { name: 'side', type: 'number' },
      { name: 'key', type: 'text' },
      { name: 'content', type: 'text' },
      { name: 'row', type: 'number' },
    ])
    const rows = await readInto(table, 0, now)
    const rowsBefore = await readInto(table, 1, before)
    table.flush()
    for (const statement of matching) await scratch.run(statement)
    return { rows, rowsBefore, ...(await countsOf(scratch)), differences: await firstOf(scratch, limit) }
  } finally {
    await scratch.close()
  }
}

/** Several rows of one key are matched in their order. */
const matching = [
  `create table placed as select side, key, content, row, row_number() over (partition by side, key order by row) as nth from file_row`,
  `create table matched as
     select coalesce(a.key, b.key) as key, a.row as row, b.row as row_before,
            case when b.row is null then 'added' when a.row is null then 'removed'
                 when a.content <> b.content then 'changed' else 'unchanged' end as kind
       from (select * from placed where side = 0) a
       full join (select * from placed where side = 1) b on a.key = b.key and a.nth = b.nth`,
]

async function readInto(table: ScratchTable, side: 0 | 1, { path, read: how, mapping }: ComparedFile): Promise<number> {
  const { header, rows } = await openProductTable(path, how)
  const identify = identifierReader({ mapping })
  let read = 0
  for await (const batch of rows()) {
    for (const { row, cells } of batch) {
      const named: Record<string, CellValue> = {}
      for (const [i, column] of header.entries()) setOwn(named, column, cells[i] ?? '')
      const { sku, sourceId, gtin, mpnBrand, url } = identify(named)
      const content = hash('sha256', contentText(named), 'base64url').slice(0, 22)
      table.add([side, sku ?? sourceId ?? gtin ?? mpnBrand ?? url ?? `${nameless}${content}`, content, row])
      read++
    }
  }
  return read
}

async function countsOf(scratch: Scratch) {
  const counts = { added: 0, removed: 0, changed: 0, unchanged: 0 }
  for await (const batch of scratch.stream('select kind, count(*) from matched group by kind'))
    for (const [kind, n] of batch) counts[kind as keyof typeof counts] = Number(n)
  return counts
}

async function firstOf(scratch: Scratch, limit: number): Promise<Difference[]> {
  const found: Difference[] = []
  const rows = scratch.stream(
    `select kind, key, row, row_before from matched where kind <> 'unchanged' order by row nulls last, row_before limit ${limit}`,
  )
  for await (const batch of rows)
    for (const [kind, key, row, rowBefore] of batch)
      found.push({
        kind: kind as Difference['kind'],
        key: (key as string).startsWith(nameless) ? null : (key as string),
        row: row as number | null,
        rowBefore: rowBefore as number | null,
      })
  return found
}
