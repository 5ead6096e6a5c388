/** Makes the candidates of one family from its rows: the parent, its variants with what they take from the family, and images of all rows as one list. */
import { type CellValue, optionsColumn } from '../schemas/pipeline.ts'
import { type Candidate, groupColumn } from './candidate.ts'
import type { FamilyRole, FamilyRule } from './family-rules.ts'
import { type Identifiers, optionsText, unit } from './identifiers.ts'

export interface FamilyRow {
  readonly row: number
  readonly role: FamilyRole['role']
  /** null for a row that belongs to no family. */
  readonly key: string | null
  readonly options: Readonly<Record<string, string>>
  readonly cells: Readonly<Record<string, CellValue>>
}

type ReadIds = (cells: FamilyRow['cells'], family?: string | null, options?: string | null) => Identifiers
type Unnumbered = Omit<Candidate, 'seq'>

/** Keys of these rules are SKUs, which mean the same in every source; others carry their source. */
const keyIsSku = new Set(['woocommerce', 'magento', 'parent column'])

/** Rows come with the parent first. One variant without a parent row is a single; so are rows of one family with the same options. */
export function familyCandidates(
  found: readonly FamilyRow[],
  rule: FamilyRule,
  source: string,
  read: ReadIds,
): Unnumbered[] {
  const key = found[0]?.key ?? null
  if (key === null) return found.map((row) => single([row.row], row.cells, read(row.cells)))
  const rows = nameOptions(found, rule)
  const family = keyIsSku.has(rule.platform) ? key : `${source}${unit}${key}`
  const lists = joinLists(rows, rule.lists)
  const parent = rows.find((row) => row.role === 'parent')
  const members = rows.filter((row) => row.role === 'member')
  const more = rows.filter((row) => row.role === 'more').map((row) => row.row)
  const distinct = new Set(members.map((member) => optionsText(member.options)))
  if (!parent && distinct.size <= 1) return singles(rows, members, more, lists, family, read)
  return [
    parentOf(parent, rows, rule, more, lists, family, read),
    ...members.map((member) => variantOf(member, parent ?? rows[0] ?? member, rule, lists, family, key, read)),
  ]
}

function nameOptions(rows: readonly FamilyRow[], { optionName }: FamilyRule): readonly FamilyRow[] {
  const head = rows[0]
  if (!optionName || !head) return rows
  const cell = (column: string) => [head.cells[column] ?? ''].flat()[0] ?? ''
  return rows.map((row) => ({
    ...row,
    options: Object.fromEntries(Object.entries(row.options).map(([place, value]) => [optionName(place, cell), value])),
  }))
}

const single = (rows: readonly number[], cells: FamilyRow['cells'], ids: Identifiers): Unnumbered => ({
  rows,
  kind: 'single',
  cells,
  ids,
})

/** Rows that only add images go with the row that will win: the last. */
function singles(
  rows: readonly FamilyRow[],
  members: readonly FamilyRow[],
  more: readonly number[],
  lists: FamilyRow['cells'],
  family: string,
  read: ReadIds,
): Unnumbered[] {
  const whole = members.length > 0 ? members : rows.slice(0, 1)
  const rest = members.length > 0 ? more : more.slice(1)
  return whole.map((member, i) => {
    const last = i === whole.length - 1
    const options = optionsText(member.options)
    const cells = { ...member.cells, ...lists, ...optionCells(member) }
    return single(last ? [member.row, ...rest] : [member.row], cells, read(cells, family, options))
  })
}

const optionCells = (row: FamilyRow): Record<string, string> =>
  Object.keys(row.options).length > 0 ? { [optionsColumn]: JSON.stringify(row.options) } : {}

function parentOf(
  parent: FamilyRow | undefined,
  rows: readonly FamilyRow[],
  rule: FamilyRule,
  more: readonly number[],
  lists: FamilyRow['cells'],
  family: string,
  read: ReadIds,
): Unnumbered {
  const head = parent ?? rows[0]
  const own = head ? Object.entries(head.cells).filter(([column]) => parent || rule.shared(column)) : []
  const cells = { ...Object.fromEntries(own), ...lists }
  const ids = read(cells, family, 'parent')
  return {
    rows: parent ? [parent.row, ...more] : more,
    kind: 'parent',
    cells,
    // A family without a row of its own is known by its key alone.
    ids: parent ? ids : { ...ids, sku: null, sourceId: null, gtin: null, mpnBrand: null, url: null },
  }
}

function variantOf(
  member: FamilyRow,
  head: FamilyRow,
  rule: FamilyRule,
  lists: FamilyRow['cells'],
  family: string,
  key: string,
  read: ReadIds,
): Unnumbered {
  const taken: Record<string, CellValue> = {}
  if (head !== member) {
    for (const [column, value] of Object.entries(head.cells)) {
      if (rule.shared(column) && member.cells[column] === undefined) taken[column] = value
    }
  }
  const columns = Object.keys(taken)
  const cells = { ...taken, ...member.cells, ...lists, ...optionCells(member), [groupColumn]: key }
  return {
    rows: [member.row],
    kind: 'variant',
    cells,
    ids: read(cells, family, optionsText(member.options)),
    ...(columns.length > 0 ? { inherited: { row: head.row, columns } } : {}),
  }
}

function joinLists(rows: readonly FamilyRow[], columns: readonly string[]): Record<string, CellValue> {
  const joined: Record<string, CellValue> = {}
  for (const column of columns) {
    const values = rows.flatMap((row) => row.cells[column] ?? [])
    const distinct = [...new Set(values.map((value) => value.trim()).filter((value) => value !== ''))]
    if (distinct.length > 0) joined[column] = distinct
  }
  return joined
}
