/** A file with our column `assay_id`: a set of edits, each row of one product, in our own field names (DESIGN 5.2). */
import type { CellValue, ImportContext } from '../schemas/pipeline.ts'
import { type Field, fields } from '../schemas/product.ts'
import { setOwn } from '../transforms/bronze/cell-value.ts'
import { exportColumns, idColumn, isEditable, jsonFields } from '../transforms/versions/export-row.ts'
import { type Candidate, type Item, identifierReader } from './candidate.ts'
import { choose, type Reading } from './context.ts'
import { isForPeople, unguardFormula } from './formula-guard.ts'
import type { Gathering } from './gather.ts'
import { type Identifiers, tidy } from './identifiers.ts'
import { isBlank } from './readers/blank.ts'
import type { Table, TableRow } from './readers/table.ts'
import { rowDoubts } from './row-doubts.ts'
import { rowFault } from './row-fault.ts'
import { shownText } from './shown-text.ts'
import { TableError } from './table-error.ts'

export const isEditFile = (header: readonly string[]): boolean => header.includes(idColumn)

export const editSource = {
  source: 'api',
  reason: `source api: the file has our column ${idColumn}, so it is a set of edits`,
} as const

/**
 * @param given columns mapped by the caller
 * @throws TableError `no_columns` where no column could be edited
 */
export function openEditReading(header: readonly string[], given: Readonly<Record<string, Field>>): Reading {
  const mapping: Record<string, { field: Field; reason: string }> = {}
  for (const column of header) if (isEditable(column)) mapping[column] = { field: column, reason: 'our own field name' }
  choose(mapping, given, 'given by the caller', header)
  if (Object.keys(mapping).length === 0)
    throw new TableError('no_columns', `The file has ${idColumn} and no column of a field, such as title or price.`)
  return {
    platform: 'assay',
    mapping,
    notes: [],
    rule: null,
    see() {},
    evidence: () => ({ numbers: {}, currencies: {}, dates: {}, languages: {} }),
  }
}

/** What is in the file and will not be looked at, for people. */
export function leftOutNotes(header: readonly string[], mapping: ImportContext['mapping']): string[] {
  const out = header.filter((column) => mapping[column] === undefined && !exportColumns.includes(column))
  return out.length === 0 ? [] : [`columns that are no fields of ours are left out: ${out.join(', ')}`]
}

const ownFields = identifierReader({
  mapping: Object.fromEntries(
    (['sku', 'gtin', 'mpn', 'brand', 'link'] as const).map((field) => [field, { field, reason: 'our own field name' }]),
  ),
})
const none: Identifiers = {
  sku: null,
  sourceId: null,
  family: null,
  options: null,
  gtin: null,
  mpnBrand: null,
  url: null,
}
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Rows are families no more: each has its own values, whole. */
export function gatherEdits(table: Table, mapping: ImportContext['mapping']): Gathering {
  const at = table.header.indexOf(idColumn)
  const targets = table.header.map((column) => mapping[column]?.field ?? null)
  const forPeople = isForPeople(table.kind)
  const doubtsOf = rowDoubts(table.header, mapping)
  const undo = (cell: CellValue): CellValue => (forPeople && typeof cell === 'string' ? unguardFormula(cell) : cell)

  function toItem(row: TableRow, seq: number): Item {
    if (row.fault) return { seq, ...rowFault(row, row.fault, table) }
    const product = tidy(row.cells[at])?.toLowerCase() ?? null
    if (product !== null && !uuid.test(product)) {
      const says = `"${product.slice(0, 100)}" is no ${idColumn}; leave the cell blank for a product that is new`
      return { seq, row: row.row, code: 'unknown_id', says, column: idColumn, raw: shownText(product) }
    }
    const cells: Record<string, CellValue> = {}
    for (const [i, field] of targets.entries()) {
      const value = row.cells[i]
      if (field !== null && value !== undefined && !isBlank(value)) addCell(cells, field, undo(value))
    }
    for (const [field, value] of Object.entries(cells))
      if (typeof value !== 'string' && jsonFields.has(field)) cells[field] = JSON.stringify(value)
    const candidate = { seq, rows: [row.row], kind: 'single', cells, ...doubtsOf(row) } as const
    // Within the file a row is known by the id alone: products may well have a SKU in common.
    const ids = product === null ? ownFields(cells) : { ...none, sku: product }
    return { ...candidate, ids, edits: product } satisfies Candidate
  }

  return {
    async *items(onRows) {
      let seq = 0
      for await (const rows of table.rows()) {
        onRows?.(rows)
        yield rows.map((row) => toItem(row, seq++))
      }
    },
  }
}

function addCell(cells: Record<string, CellValue>, field: Field, value: CellValue): void {
  const former = fields[field] !== 'scalar' ? cells[field] : undefined
  setOwn(cells, field, former === undefined ? value : [former, value].flat())
}
