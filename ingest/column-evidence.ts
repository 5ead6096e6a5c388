/** What the cells of whole columns tell of how they are written: number formats and currencies, the order of dates, the language of texts. */
import type { CellValue, ColumnCurrency, ColumnDates, ColumnLanguage, NumberFormat } from '../schemas/pipeline.ts'
import type { Field } from '../schemas/product.ts'
import { setOwn } from '../transforms/bronze/cell-value.ts'
import { currencyEvidence } from '../transforms/silver/currency.ts'
import { currencyInName } from '../transforms/silver/currency-in-name.ts'
import { dateEvidence } from '../transforms/silver/date-order.ts'
import { languageEvidence } from '../transforms/silver/language.ts'
import { formatOfNumbers, numberEvidence } from '../transforms/silver/number-format.ts'
import { quote } from '../transforms/silver/quote.ts'
import { openUnits } from './unit-evidence.ts'

export interface FileEvidence {
  readonly numbers: Readonly<Record<string, NumberFormat>>
  readonly currencies: Readonly<Record<string, ColumnCurrency>>
  readonly dates: Readonly<Record<string, ColumnDates>>
  readonly languages: Readonly<Record<string, ColumnLanguage>>
  /** See `ImportContext`. */
  readonly unitless?: Readonly<Record<string, number>>
}

export interface ColumnEvidence {
  /** @param pointed see `TableRow` */
  see(cells: readonly CellValue[], pointed?: readonly number[]): void
  result(): FileEvidence
}

/** What a header tells before any cell is seen. */
export interface Beforehand {
  /** Whether a column is or could be one of these fields. */
  means(column: string, of: readonly Field[]): boolean
  /** Why a column's numbers have a point whatever its cells show. */
  specified(column: string): string | undefined
  /** What amounts are in where no cell says it. */
  readonly currency: ColumnCurrency | null
}

const amounts: readonly Field[] = ['price', 'sale_price', 'original_price']
const measures: readonly Field[] = [
  'weight',
  'length',
  'width',
  'height',
  'dimensions',
  'unit_pricing_measure',
  'unit_pricing_base_measure',
]
/** Read with the same care where the file has them as numbers; their texts tell nothing of how a column is written. */
const counts: readonly Field[] = ['quantity']
const dates: readonly Field[] = [
  'availability_date',
  'sale_price_effective_date',
  'sale_price_start_date',
  'sale_price_end_date',
  'expiration_date',
  'availability',
]
const texts: readonly Field[] = ['title', 'description', 'short_description']

export function openEvidence(header: readonly string[], beforehand: Beforehand): ColumnEvidence {
  const { means } = beforehand
  const columns = header.map((column, i) => ({ column, i }))
  const ofDates = columns
    .filter(({ column }) => means(column, dates))
    .map((at) => ({ ...at, evidence: dateEvidence() }))
  const ofTexts = columns
    .filter(({ column }) => means(column, texts))
    .map((at) => ({ ...at, evidence: languageEvidence() }))
  const ofNumbers = openNumbers(header, beforehand)
  const units = openUnits(header, means)
  return {
    see(cells, pointed) {
      ofNumbers.see(cells, pointed)
      units.see(cells)
      for (const { i, evidence } of [...ofDates, ...ofTexts]) {
        const value = cells[i]
        if (typeof value === 'string' && value !== '') evidence.see(value)
      }
    },
    result() {
      const unitless = units.result()
      return {
        ...ofNumbers.result(),
        dates: resultsOf(ofDates),
        languages: resultsOf(ofTexts),
        ...(Object.keys(unitless).length > 0 ? { unitless } : {}),
      }
    },
  }
}

function resultsOf<T>(watched: readonly { column: string; evidence: { result(): T | null } }[]): Record<string, T> {
  const results: Record<string, T> = {}
  for (const { column, evidence } of watched) {
    const told = evidence.result()
    if (told !== null) setOwn(results, column, told)
  }
  return results
}

/** A sign in the name that several currencies share; what a name says for certain needs no telling. */
function guessedByName(column: string): ColumnCurrency | null {
  const named = currencyInName(column)
  if (!named?.means.guess) return null
  const reason = `${quote(named.word)} in the name of the column, which other currencies share; set the workspace's currency to be sure`
  return { code: named.means.code, guess: true, reason }
}

function openNumbers(header: readonly string[], { means, specified, currency: beforehand }: Beforehand) {
  const watched = header.flatMap((column, i) => {
    const isAmount = means(column, amounts)
    const isMeasure = means(column, measures)
    if (!isAmount && !isMeasure && !means(column, counts)) return []
    return [{ column, i, isAmount, isMeasure, number: numberEvidence(), currency: currencyEvidence() }]
  })
  // Somebody may map them later, and the file is not read again for that.
  const noted = new Map<number, string | null>(watched.map(({ i }) => [i, null]))
  return {
    see(cells: readonly CellValue[], pointed?: readonly number[]) {
      for (const { i, isAmount, number, currency } of watched) {
        const value = cells[i]
        if (typeof value !== 'string' || value === '') continue
        number.see(value, pointed?.includes(i))
        if (isAmount) currency.see(value)
      }
      for (const i of pointed ?? []) {
        const value = cells[i]
        if (value !== undefined && !noted.has(i) && typeof value === 'string' && /^-?\d+[.eE]/.test(value))
          noted.set(i, value)
      }
    },
    result(): Pick<FileEvidence, 'numbers' | 'currencies'> {
      const numbers: Record<string, NumberFormat> = {}
      const currencies: Record<string, ColumnCurrency> = {}
      for (const { column, isAmount, isMeasure, number, currency } of watched) {
        const found = number.result(specified(column))
        if (isAmount || found.point || (isMeasure && (found.decimal !== null || found.mixed))) numbers[column] = found
        const told = isAmount ? (currency.result() ?? guessedByName(column) ?? beforehand) : null
        if (told) currencies[column] = told
      }
      for (const [i, example] of noted)
        if (example !== null) setOwn<NumberFormat>(numbers, header[i] ?? '', formatOfNumbers(example))
      return { numbers, currencies }
    },
  }
}
