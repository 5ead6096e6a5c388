/** The families of our own exports, whose rows say all of their values themselves: for a file from which the column of our ids was taken. */
import type { CellValue } from '../schemas/pipeline.ts'
import { exportFields, familyColumn, jsonFields, kindColumn } from '../transforms/versions/export-row.ts'
import { type FamilyRule, never } from './family-rules.ts'
import { isForPeople, unguardFormula } from './formula-guard.ts'
import { familyFields } from './group-rule.ts'
import { saidOptions } from './said-options.ts'

/** Where the family's id was taken too, variants still name the SKU of their parent. */
const ruleFor = (columns: readonly string[]): FamilyRule => ({
  platform: 'assay',
  columns,
  shared: (column) => (familyFields as readonly string[]).includes(column),
  lists: [],
  keyIsSku: never,
  whole: true,
  read(cell) {
    const sku = cell('sku').trim()
    const key = cell(familyColumn).trim() || cell('item_group_id').trim()
    if (cell(kindColumn).trim() === 'parent') return { role: 'parent', key: key || sku, options: {} }
    if (key === '') return { role: 'alone', key: sku, options: {} }
    return { role: 'member', key, options: saidOptions(cell('options')) }
  },
})

export const ownExportRules: readonly FamilyRule[] = [ruleFor([kindColumn, familyColumn]), ruleFor(exportFields)]

/**
 * A cell as the product had it: without the guard against formulas, a list as the JSON text that it was.
 * @param kind of the file
 */
export function ownCell(kind: string): (column: string, cell: CellValue) => CellValue {
  const guarded = isForPeople(kind)
  return (column, cell) => {
    if (typeof cell === 'string') return guarded ? unguardFormula(cell) : cell
    return jsonFields.has(column) ? JSON.stringify(cell) : cell
  }
}
