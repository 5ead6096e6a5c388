/** Which columns of measures have a number without a unit in every cell: that is told once of the column, and not on each of its rows. */
import type { CellValue } from '../schemas/pipeline.ts'
import type { Field } from '../schemas/product.ts'
import { setOwn } from '../transforms/bronze/cell-value.ts'
import { isBlank } from '../transforms/silver/placeholders.ts'
import { unitOfColumn } from '../transforms/silver/units.ts'

export interface UnitEvidence {
  see(cells: readonly CellValue[]): void
  /** By column, how many of its cells. */
  result(): Record<string, number>
}

/** Measures by the column that would say their unit beside them. */
const measures: readonly { readonly of: readonly Field[]; readonly beside: readonly Field[] }[] = [
  { of: ['weight'], beside: ['weight_unit'] },
  { of: ['length', 'width', 'height', 'dimensions'], beside: ['dimensions_unit'] },
  { of: ['unit_pricing_measure'], beside: [] },
]
/** One number, or several with a sign between them; zero is nobody's measure. */
const numbers = /^[\d.,'\s]*[1-9][\d.,'\s]*(?:[eE][+-]?\d+)?(?:\s*[x×✕*х/]\s*[\d.,'\s]+)*$/iu
const zero = /^[0.,\s]+$/

/** @param means whether a column is or could be one of these fields */
export function openUnits(
  header: readonly string[],
  means: (column: string, of: readonly Field[]) => boolean,
): UnitEvidence {
  const said = measures.map(() => false)
  const columns = header.map((column, i) => ({ column, i }))
  const watched = measures.flatMap(({ of }, kind) =>
    columns
      .filter(({ column }) => means(column, of) && !saysUnit(column))
      .map((at) => ({ ...at, kind, bare: 0, other: false })),
  )
  const beside = measures.flatMap(({ beside }, kind) =>
    columns.filter(({ column }) => means(column, beside)).map(({ i }) => ({ i, kind })),
  )
  return {
    see(cells) {
      for (const one of watched) {
        const cell = one.other ? '' : cells[one.i]
        if (typeof cell !== 'string' || cell === '') continue
        if (numbers.test(cell)) one.bare++
        else one.other = !zero.test(cell) && !isBlank(cell)
      }
      for (const { i, kind } of beside) {
        const cell = said[kind] ? '' : cells[i]
        if (typeof cell === 'string' && cell !== '' && !isBlank(cell)) said[kind] = true
      }
    },
    result() {
      const found: Record<string, number> = {}
      for (const { column, kind, bare, other } of watched)
        if (bare > 0 && !other && !said[kind]) setOwn(found, column, bare)
      return found
    },
  }
}

const saysUnit = (column: string) =>
  (['weight', 'length', 'volume'] as const).some((quantity) => unitOfColumn(column, quantity) !== null)
