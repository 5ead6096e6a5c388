/** Which row speaks for a family that has none of its own, and which of its cells are the family's: whatever the order of the rows. */
import type { CellValue } from '../schemas/pipeline.ts'
import { sameValue } from '../transforms/bronze/cell-value.ts'
import type { FamilyRow } from './family.ts'
import type { FamilyRule } from './family-rules.ts'
import { optionsText } from './identifiers.ts'
import { contentText } from './verdicts.ts'

type Cells = FamilyRow['cells']

/** The row that says most of what the family has in common; of several the one whose options come first, then whose cells do. */
export function headOf(rows: readonly FamilyRow[], rule: FamilyRule): FamilyRow | undefined {
  const saying = rows.filter((row) => row.role !== 'more')
  let head: FamilyRow | undefined
  let most = -1
  for (const row of saying.length > 0 ? saying : rows) {
    const said = sharedCount(row.cells, rule)
    if (head === undefined || said > most || (said === most && isBefore(row, head))) {
      head = row
      most = said
    }
  }
  return head
}

function sharedCount(cells: Cells, rule: FamilyRule): number {
  let count = 0
  for (const column in cells) if (rule.shared(column)) count++
  return count
}

function isBefore(a: FamilyRow, b: FamilyRow): boolean {
  const [ours, theirs] = [optionsText(a.options), optionsText(b.options)]
  return ours === theirs ? contentText(a.cells) < contentText(b.cells) : ours < theirs
}

/** All that belongs to the family by its platform's rule. */
export const sharedCells = (head: FamilyRow, rule: FamilyRule): Cells =>
  Object.fromEntries(Object.entries(head.cells).filter(([column]) => rule.shared(column)))

/** What of a head that is a variant itself is not of this variant alone, so that its siblings may have it. */
export function commonCells(head: FamilyRow, members: readonly FamilyRow[], rule: FamilyRule): Cells {
  const shared = sharedCells(head, rule)
  const { own } = rule
  if (own === undefined || members.length < 2) return shared
  const axes = varyingOptions(members)
  const common = Object.entries(shared).filter(([column, value]) => {
    const saying = members.filter(({ cells }) => cells[column] !== undefined)
    if (!saying.every(({ cells }) => sameValue(cells[column] ?? '', value))) return false
    return !own(column) || (saying.length > 1 && axes.every((axis) => varies(saying, axis)))
  })
  return Object.fromEntries(common)
}

/** A text that only the black ones say may be about black: those who say it alike must be unlike in all that tells variants apart. */
function varyingOptions(members: readonly FamilyRow[]): string[] {
  const names = new Set(members.flatMap(({ options }) => Object.keys(options)))
  return [...names].filter((name) => varies(members, name))
}

const varies = (rows: readonly FamilyRow[], name: string): boolean =>
  rows.some(({ options }) => options[name] !== rows[0]?.options[name])

/** What a row takes where its own cell is blank. */
export function blanksFilled(
  { cells }: FamilyRow,
  from: Cells,
  own: Readonly<Record<string, CellValue>>,
): Record<string, CellValue> {
  return Object.fromEntries(Object.entries(from).filter(([column]) => cells[column] === undefined && !(column in own)))
}
