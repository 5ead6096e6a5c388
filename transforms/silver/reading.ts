/** What a silver step says about one value: the value, or none, and what a person should know about it. */
import { blank } from '../../schemas/feeds/blank.ts'
import type { CellWarning, FieldCell } from '../../schemas/pipeline.ts'

/** One doubt about a value; where it stands is added by whoever holds the cell. */
export interface Finding {
  readonly code: string
  /** A sentence for the person who sent the file: what is wrong, and what would be right. */
  readonly says: string
  /** The part of the cell that is meant, where it is not the whole cell. */
  readonly raw?: string
  /** See `CellWarning`. */
  readonly ofColumn?: true
}

/** A value, or none; never a guess without a finding. */
export interface Reading<T> {
  readonly value: T | null
  readonly findings: readonly Finding[]
}

const silent: readonly Finding[] = []

export const reads = <T>(value: T | null): Reading<T> => ({ value, findings: silent })
export const doubts = (code: string, says: string): Reading<never> => ({ value: null, findings: [{ code, says }] })

/** A scalar's text; of several cells the first that says something. */
export function textOf(cell: FieldCell): string {
  if (typeof cell.value === 'string') return cell.value
  return cell.value.find((text) => !blank(text)) ?? ''
}

export function warningAt(cell: FieldCell, finding: Finding): CellWarning {
  const raw = finding.raw ?? textOf(cell)
  const { code, says, ofColumn } = finding
  return { code, field: cell.field, column: cell.column, raw, says, ...(ofColumn && { ofColumn }) }
}
