/** Turns a file's rows into candidates: one row each where the file is flat, families brought together on disk where it has any. */
import type { CellValue, ImportContext } from '../schemas/pipeline.ts'
import { setOwn } from '../transforms/bronze/cell-value.ts'
import { type Candidate, type Item, identifierReader, type RowFault } from './candidate.ts'
import { type FamilyRow, familyCandidates } from './family.ts'
import type { FamilyRule } from './family-rules.ts'
import { ownCell } from './own-export.ts'
import type { Table, TableRow } from './readers/table.ts'
import { rowDoubts } from './row-doubts.ts'
import { rowFault } from './row-fault.ts'
import type { Scratch } from './scratch.ts'

export interface Gathering {
  /** The same items with the same numbers at every call. */
  items(onRows?: (rows: readonly TableRow[]) => void): AsyncIterable<readonly Item[]>
}

/**
 * Cells by column name; blank ones say nothing and are left out.
 * @param as what a cell is read as
 */
function cellsOf(
  header: readonly string[],
  cells: readonly CellValue[],
  as?: (column: string, cell: CellValue) => CellValue,
): Record<string, CellValue> {
  const found: Record<string, CellValue> = {}
  for (let i = 0; i < header.length; i++) {
    const value = cells[i]
    const name = header[i]
    if (value === undefined || name === undefined || isBlank(value)) continue
    setOwn(found, name, as ? as(name, value) : value)
  }
  return found
}

const isBlank = (value: CellValue) => (typeof value === 'string' ? value.trim() === '' : value.length === 0)

/** A file without families: a row is a candidate, and nothing is kept. */
export function gatherFlat(table: Table, context: ImportContext): Gathering {
  const read = identifierReader(context)
  const doubtsOf = rowDoubts(table.header, context.mapping)
  return {
    async *items(onRows) {
      let seq = 0
      for await (const rows of table.rows()) {
        onRows?.(rows)
        yield rows.map((row): Item => {
          if (row.fault) return { seq: seq++, ...rowFault(row, row.fault, table) }
          const cells = cellsOf(table.header, row.cells)
          return { seq: seq++, rows: [row.row], kind: 'single', cells, ids: read(cells), ...doubtsOf(row) }
        })
      }
    },
  }
}

const batchItems = 2_000

/** Orders families by their first row, the parent before its variants, on disk: parents may come later or name their children. */
export async function gatherFamilies(
  table: Table,
  context: ImportContext,
  rule: FamilyRule,
  source: string,
  scratch: Scratch,
  onRows: (rows: readonly TableRow[]) => void,
): Promise<Gathering> {
  const rows = await scratch.table('family_row', [
    { name: 'row', type: 'number' },
    { name: 'key', type: 'text' },
    { name: 'role', type: 'text' },
    { name: 'sku', type: 'text' },
    { name: 'options', type: 'text' },
    { name: 'cells', type: 'text' },
    { name: 'doubts', type: 'text' },
  ])
  const children = await scratch.table('family_child', [
    { name: 'row', type: 'number' },
    { name: 'key', type: 'text' },
    { name: 'sku', type: 'text' },
    { name: 'options', type: 'text' },
  ])
  const faults = await scratch.table('family_fault', [
    { name: 'row', type: 'number' },
    { name: 'code', type: 'text' },
    { name: 'says', type: 'text' },
    { name: 'column_name', type: 'text' },
    { name: 'raw', type: 'text' },
  ])
  const read = identifierReader(context)
  const doubtsOf = rowDoubts(table.header, context.mapping)
  const as = rule.whole ? ownCell(table.kind) : undefined
  let above = ''
  for await (const batch of table.rows()) {
    onRows(batch)
    for (const row of batch) {
      if (row.fault) {
        const { code, says, column, raw } = rowFault(row, row.fault, table)
        faults.add([row.row, code, says, column, raw])
        continue
      }
      const cells = cellsOf(table.header, row.cells, as)
      const role = rule.read((column) => flat(cells[column]), above)
      if (role.key !== '') above = role.key
      const sku = read(cells).sku
      const { doubts } = doubtsOf(row)
      rows.add([
        row.row,
        role.key,
        role.role,
        sku,
        JSON.stringify(role.options),
        JSON.stringify(cells),
        doubts ? JSON.stringify(doubts) : null,
      ])
      for (const child of role.children ?? [])
        children.add([row.row, role.key, child.sku, JSON.stringify(child.options)])
    }
  }
  rows.flush()
  children.flush()
  faults.flush()
  await scratch.run(orderFamilies)
  return { items: () => readFamilies(scratch, context, rule, source) }
}

const flat = (value: CellValue | undefined) =>
  value === undefined ? '' : typeof value === 'string' ? value : (value[0] ?? '')

/** A child that two parents name belongs to the one whose key comes first, in whatever order they stand; a row without a family is a family of its own. */
const orderFamilies = `
create or replace table family_order as
with child as (select sku, min(key) as key, arg_min(options, row(key, options)) as options from family_child group by sku),
placed as (
  select r.row, r.cells, r.doubts,
         case when c.key is not null then 'member'
              when r.role = 'alone' and r.key <> '' and exists (select 1 from family_row m where m.role = 'member' and m.key = r.key) then 'parent'
              else r.role end as role,
         case when c.key is not null then c.key
              when r.role = 'alone' and (r.key = '' or not exists (select 1 from family_row m where m.role = 'member' and m.key = r.key)) then null
              else r.key end as key,
         coalesce(c.options, r.options) as options
    from family_row r left join child c on c.sku = r.sku and r.role <> 'parent'
)
select row, role, key, options, cells, doubts,
       case when key is null then row else min(row) over (partition by key) end as first_row
  from placed`

async function* readFamilies(
  scratch: Scratch,
  context: ImportContext,
  rule: FamilyRule,
  source: string,
): AsyncGenerator<readonly Item[]> {
  const read = identifierReader(context)
  const skuColumn = context.header.find((column) => context.mapping[column]?.field === 'sku')
  let seq = 0
  const faulty = 'select row, code, says, column_name, raw from family_fault order by row'
  for await (const faults of scratch.stream(faulty)) {
    yield faults.map(([row, code, says, column, raw]) => ({ seq: seq++, row, code, says, column, raw }) as RowFault)
  }
  let family: FamilyRow[] = []
  let items: Candidate[] = []
  let doubts: NonNullable<Candidate['doubts']>[number][] = []
  const close = () => {
    for (const candidate of familyCandidates(family, rule, source, read, skuColumn)) {
      const own = doubts.filter(({ row }) => candidate.rows.includes(row))
      items.push({ ...candidate, seq: seq++, ...(own.length > 0 ? { doubts: own } : {}) })
    }
    family = []
    doubts = []
  }
  const ordered = scratch.stream(
    `select row, role, key, options, cells, doubts from family_order order by first_row, key, (role <> 'parent'), row`,
  )
  for await (const batch of ordered) {
    for (const [row, role, key, options, cells, told] of batch) {
      const last = family.at(-1)
      if (last && (key === null || last.key !== key)) close()
      family.push({
        row: row as number,
        role: role as FamilyRow['role'],
        key: key as string | null,
        options: JSON.parse(options as string),
        cells: JSON.parse(cells as string),
      })
      if (told !== null) doubts.push(...JSON.parse(told as string))
      if (items.length >= batchItems) {
        yield items
        items = []
      }
    }
  }
  if (family.length > 0) close()
  yield items
}
