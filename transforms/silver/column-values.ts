/** What a sample of a file's rows shows of its columns: how many of a column's cells say something, and how many fit a field. */
import type { Field } from '../../schemas/product.ts'
import { fitting } from './fitting-values.ts'
import { isBlank } from './placeholders.ts'

export interface ColumnValues {
  /** Cells that say something. */
  readonly filled: number
  /** Of them, as texts. */
  readonly distinct: number
  count(is: (text: string) => boolean): number
  /** How many fit a field; all of them where a value alone cannot tell. */
  fits(field: Field): number
}

export interface Sample {
  readonly rows: number
  of(column: string): ColumnValues
  /** The cells of these columns row by row; null where they do not stand beside each other, since one has lists. */
  beside(columns: readonly string[]): readonly (readonly string[])[] | null
}

/** @param texts of each column, by name; a cell of several values gives each of them */
export function sampleOf(rows: number, texts: ReadonlyMap<string, readonly string[]>): Sample {
  const known = new Map<string, ColumnValues>()
  return {
    rows,
    of(column) {
      const found = known.get(column) ?? valuesOf((texts.get(column) ?? []).filter((text) => !isBlank(text)))
      known.set(column, found)
      return found
    },
    beside(columns) {
      const lists = columns.map((column) => texts.get(column) ?? [])
      if (lists.some(({ length }) => length !== rows)) return null
      return Array.from({ length: rows }, (_, row) => lists.map((list) => list[row] ?? ''))
    },
  }
}

function valuesOf(filled: readonly string[]): ColumnValues {
  const count = (is: (text: string) => boolean) => filled.reduce((sum, text) => (is(text) ? sum + 1 : sum), 0)
  const known = new Map<Field, number>()
  return {
    filled: filled.length,
    distinct: new Set(filled).size,
    count,
    fits(field) {
      const is = fitting[field]
      if (is === undefined) return filled.length
      const found = known.get(field) ?? count(is)
      known.set(field, found)
      return found
    },
  }
}

/** Most values of a column have a few exceptions; of a few values none may be one. */
const nearly = 0.9
const few = 10
const least = 3

/** @returns how many, where nearly all are; else null. A value that is repeated over and over says nothing of its column. */
export function nearlyAll(values: ColumnValues, is: (text: string) => boolean): number | null {
  const { filled, distinct } = values
  if (filled < least || distinct * 2 < filled) return null
  const found = values.count(is)
  return found >= (filled < few ? filled : filled * nearly) ? found : null
}
