/** Pass one over a file: what its columns mean and how its numbers are written, from the evidence of every row. */
import {
  type CellValue,
  type ColumnCurrency,
  type ImportContext,
  type NumberFormat,
  optionsColumn,
  type SilverSettings,
} from '../schemas/pipeline.ts'
import { type Field, fields } from '../schemas/product.ts'
import { mappingOf } from '../transforms/bronze/mapping-of.ts'
import { currencyEvidence } from '../transforms/silver/currency.ts'
import { mapHeader } from '../transforms/silver/mapping.ts'
import { numberEvidence } from '../transforms/silver/number-format.ts'
import { groupColumn } from './candidate.ts'
import { type FamilyRule, familyRules, groupRule, parentColumns } from './family-rules.ts'
import { nestedRule } from './nested-family.ts'
import { TableError } from './table-error.ts'

export interface Reading {
  readonly platform: string
  readonly mapping: ImportContext['mapping']
  readonly rule: FamilyRule | null
  /** Shown every row once; bounded memory. */
  see(cells: readonly CellValue[]): void
  evidence(): Pick<ImportContext, 'numbers' | 'currencies'>
}

const amounts: readonly Field[] = ['price', 'sale_price', 'original_price']
/** Without one of these mapped, a file is no product file. */
const telling: readonly Field[] = ['sku', 'source_id', 'gtin', 'title', 'link', 'mpn']

/**
 * @param given columns mapped by the caller; each wins over what the header suggests
 * @throws TableError `no_columns` where nothing in the header says that rows are products, `mapping_conflict` where two
 * columns are given for one scalar field
 */
export function openReading(
  header: readonly string[],
  source: string,
  settings: Pick<SilverSettings, 'mappings' | 'everySource'>,
  given: Readonly<Record<string, Field>>,
): Reading {
  const proposed = mapHeader(header)
  const mapping: Record<string, { field: Field; reason: string }> = { ...proposed.mapping }
  // A source's files need not all have every column that was ever set for it.
  const set = Object.entries(mappingOf(settings, source)).filter(([column]) => header.includes(column))
  choose(mapping, Object.fromEntries(set), "set in the workspace's settings", header)
  choose(mapping, given, 'given by the caller', header)
  const rule = ruleOf(header, mapping, proposed.platform)
  if (rule) {
    // The gathering says both itself: a parent's SKU or the family's key, and what tells its variants apart.
    for (const [column, { field }] of Object.entries(mapping))
      if (field === 'item_group_id' || field === 'options') delete mapping[column]
    mapping[groupColumn] = { field: 'item_group_id', reason: 'the family that the rows form' }
    mapping[optionsColumn] = { field: 'options', reason: 'options gathered by the reader' }
  }
  if (!Object.values(mapping).some(({ field }) => telling.includes(field)))
    throw new TableError(
      'no_columns',
      `No column of this file says which product a row is (columns: ${header.slice(0, 12).join(', ')}). If it is a product file, map its columns with map COLUMN=field.`,
    )
  const watched = header.flatMap((column, i) => {
    const field = mapping[column]?.field
    return field && amounts.includes(field)
      ? [{ column, i, number: numberEvidence(), currency: currencyEvidence() }]
      : []
  })
  return {
    platform: rule?.platform ?? proposed.platform,
    mapping,
    rule,
    see(cells) {
      for (const { i, number, currency } of watched) {
        const value = cells[i]
        if (typeof value !== 'string' || value === '') continue
        number.see(value)
        currency.see(value)
      }
    },
    evidence() {
      const numbers: Record<string, NumberFormat> = {}
      const currencies: Record<string, ColumnCurrency> = {}
      for (const { column, number, currency } of watched) {
        numbers[column] = number.result()
        const found = currency.result() ?? platformCurrency(proposed)
        if (found) currencies[column] = found
      }
      return { numbers, currencies }
    },
  }
}

function platformCurrency({ platform, currency }: ReturnType<typeof mapHeader>): ColumnCurrency | null {
  if (currency === undefined) return null
  const reason = `files of ${platform} are mostly in it; the workspace's currency wins where it is set`
  return { code: currency, guess: true, reason, byPlatform: true }
}

/** Maps columns as somebody chose, whatever else they were taken for. */
export function choose(
  mapping: Record<string, { field: Field; reason: string }>,
  chosen: Readonly<Record<string, Field>>,
  reason: string,
  header: readonly string[],
) {
  const taken = new Map<Field, string>()
  for (const [column, field] of Object.entries(chosen)) {
    if (!header.includes(column))
      throw new TableError(
        'unknown_column',
        `The file has no column "${column}"; its columns are ${header.join(', ')}.`,
      )
    const other = taken.get(field)
    if (other !== undefined && fields[field] === 'scalar')
      throw new TableError(
        'mapping_conflict',
        `"${other}" and "${column}" are both mapped to ${field}, which takes one column.`,
      )
    taken.set(field, column)
  }
  for (const [column, { field }] of Object.entries(mapping))
    if (taken.has(field) && fields[field] === 'scalar') delete mapping[column]
  for (const [column, field] of Object.entries(chosen)) mapping[column] = { field, reason }
}

function ruleOf(header: readonly string[], mapping: Reading['mapping'], named: string): FamilyRule | null {
  const names = new Set(header)
  const platform = familyRules.find((rule) => rule.columns.every((column) => names.has(column)))
  if (platform) return platform
  const nested = nestedRule(header, named)
  if (nested) return nested
  const columnOf = (field: Field) => Object.entries(mapping).find(([, to]) => to.field === field)?.[0]
  const parent = header.find((column) => parentColumns.has(column.toLowerCase()))
  if (parent && columnOf('sku')) return groupRule(parent, columnOf, true)
  const group = columnOf('item_group_id')
  return group ? groupRule(group, columnOf, false) : null
}
