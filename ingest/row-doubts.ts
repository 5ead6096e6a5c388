/** What is told of the cells of a row that are taken with a doubt: what its reader says, and identifiers whose last digits are lost. */
import type { ImportContext } from '../schemas/pipeline.ts'
import type { Field } from '../schemas/product.ts'
import type { Candidate } from './candidate.ts'
import type { CellDoubt, TableRow } from './readers/table.ts'

/** Of a GTIN silver says it. */
const identifiers: ReadonlySet<Field> = new Set(['sku', 'source_id', 'mpn', 'item_group_id'])

/** Made once per file. */
export function rowDoubts(
  header: readonly string[],
  mapping: ImportContext['mapping'],
): (row: TableRow) => Pick<Candidate, 'doubts'> {
  const columns = header.flatMap((column, i) => {
    const field = mapping[column]?.field
    return field && identifiers.has(field) ? [{ column, i }] : []
  })
  return ({ row, cells, pointed, doubts }) => {
    const found: CellDoubt[] = doubts ? [...doubts] : []
    if (pointed && pointed.length > 0)
      for (const { column, i } of columns) {
        const cell = cells[i]
        if (typeof cell === 'string' && isCut(cell) && pointed.includes(i)) found.push(cutOff(column, cell))
      }
    return found.length === 0 ? {} : { doubts: found.map((doubt) => ({ ...doubt, row })) }
  }
}

/** A text may well look so: `4E2` is a size. */
const isCut = (number: string) => /^-?\d+(?:\.\d+)?[eE]\+?\d+$/.test(number)

const cutOff = (column: string, raw: string): CellDoubt => ({
  code: 'identifier_cut',
  column,
  raw,
  says: `"${raw}" is an identifier that was stored as a number too long for it, and its last digits are lost; store the column as text and export again`,
})
