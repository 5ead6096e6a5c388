/** Pass one over a file: what its columns mean and how its numbers are written, from the evidence of every row. */
import { isDeepStrictEqual } from 'node:util'
import {
  type CellValue,
  type ColumnCurrency,
  type ImportContext,
  optionsColumn,
  type SilverSettings,
} from '../schemas/pipeline.ts'
import { type Field, fields } from '../schemas/product.ts'
import { mappingOf, setInSettings } from '../transforms/bronze/mapping-of.ts'
import type { Sample } from '../transforms/silver/column-values.ts'
import { mapHeader } from '../transforms/silver/mapping.ts'
import { quote } from '../transforms/silver/quote.ts'
import { groupColumn } from './candidate.ts'
import { type FileEvidence, openEvidence } from './column-evidence.ts'
import { type FamilyRule, familyRules } from './family-rules.ts'
import { groupRule, parentColumns } from './group-rule.ts'
import { nestedRule } from './nested-family.ts'
import { optionFileRules } from './option-files.ts'
import { ownExportRules } from './own-export.ts'
import { isBlank } from './readers/blank.ts'
import type { Table } from './readers/table.ts'
import { TableError } from './table-error.ts'

export interface Reading {
  readonly platform: string
  readonly mapping: ImportContext['mapping']
  /** Without what the workspace set; absent where that made no difference. */
  readonly proposed?: NonNullable<ImportContext['proposed']>
  /** See `ImportContext`. */
  readonly fills?: NonNullable<ImportContext['fills']>
  /** What of the header was not taken, for people. */
  readonly notes: readonly string[]
  readonly rule: FamilyRule | null
  /**
   * Shown every row once; bounded memory.
   * @param pointed see `TableRow`
   */
  see(cells: readonly CellValue[], pointed?: readonly number[]): void
  evidence(): FileEvidence
}

type Mapping = Record<string, { field: Field; reason: string }>

/** Without one of these mapped, a file is no product file. */
const telling: readonly Field[] = ['sku', 'source_id', 'gtin', 'title', 'link', 'mpn']

/**
 * @param given columns mapped by the caller; each wins over what the header suggests
 * @param format what the file's own format says of its numbers
 * @param sample rows of the file, for what names leave open
 * @throws TableError `no_columns` where nothing in the header says that rows are products, `mapping_conflict` where two
 * columns are given for one scalar field
 */
export function openReading(
  header: readonly string[],
  source: string,
  settings: Pick<SilverSettings, 'mappings' | 'everySource'>,
  given: Readonly<Record<string, Field>>,
  format?: Table['specified'],
  sample?: Sample,
): Reading {
  const suggested = mapHeader(header, sample)
  const mapping: Mapping = { ...suggested.mapping }
  const proposed: Mapping = { ...suggested.mapping }
  // A source's files need not all have every column that was ever set for it.
  const set = Object.entries(mappingOf(settings, source)).filter(([column]) => header.includes(column))
  choose(mapping, Object.fromEntries(set), setInSettings, header)
  for (const one of [mapping, proposed]) choose(one, given, 'given by the caller', header)
  const fills = fillsOf(suggested, proposed)
  for (const one of [mapping, proposed]) sayFills(one, suggested, fills)
  const notes = [...notTakenNotes(header, suggested, mapping, fills), ...doubtfulNotes(suggested, mapping)]
  const rule = ruleOf(header, mapping, suggested.platform)
  if (rule && !rule.whole) for (const one of [mapping, proposed]) leaveToGathering(one)
  if (!Object.values(mapping).some(({ field }) => telling.includes(field)))
    throw new TableError(
      'no_columns',
      `No column of this file says which product a row is (columns: ${header
        .filter((name) => !isBlank(name))
        .slice(0, 12)
        .join(', ')}). If it is a product file, map its columns with map COLUMN=field.`,
    )
  const evidence = openEvidence(header, {
    means: (column, of) =>
      [mapping[column]?.field, proposed[column]?.field, fills[column]].some((field) => field && of.includes(field)),
    specified: (column) => specifiedFor(column, suggested, format),
    currency: platformCurrency(suggested),
  })
  return {
    platform: rule?.platform ?? suggested.platform,
    mapping,
    ...(isDeepStrictEqual(proposed, mapping) ? {} : { proposed }),
    ...(Object.keys(fills).length > 0 ? { fills } : {}),
    notes,
    rule,
    see: evidence.see,
    evidence: evidence.result,
  }
}

type Fills = NonNullable<ImportContext['fills']>

const giverOf = (mapping: Mapping, of: Field) => Object.entries(mapping).find(([, { field }]) => field === of)

/** Who gave a field its column gave it that one alone. */
function fillsOf({ fills, mapping: suggested }: ReturnType<typeof mapHeader>, proposed: Mapping): Fills {
  const kept = [...(fills ?? [])].filter(([column, field]) => {
    const giver = giverOf(proposed, field)
    return proposed[column] === undefined && giver !== undefined && giver[1] === suggested[giver[0]]
  })
  return Object.fromEntries(kept)
}

function sayFills(mapping: Mapping, { mapping: suggested }: ReturnType<typeof mapHeader>, fills: Fills) {
  for (const field of new Set(Object.values(fills))) {
    const [column, target] = giverOf(mapping, field) ?? []
    if (column === undefined || target === undefined || target.reason !== suggested[column]?.reason) continue
    const by = Object.keys(fills).filter((one) => fills[one] === field && mapping[one] === undefined)
    if (by.length === 0) continue
    const verb = by.length > 1 ? 'fill' : 'fills'
    mapping[column] = { field, reason: `${target.reason}; where it is blank, ${by.map(quote).join(', ')} ${verb} it` }
  }
}

/** Why a column's numbers have a point whatever its cells show. */
function specifiedFor(
  column: string,
  { platform, pointed }: ReturnType<typeof mapHeader>,
  format: Table['specified'],
): string | undefined {
  const by = format?.pointed.includes(column) ? format.by : pointed?.has(column) ? platform : null
  return by === null ? undefined : `the specification of ${by} asks for a decimal point`
}

function platformCurrency({ platform, currency }: ReturnType<typeof mapHeader>): ColumnCurrency | null {
  if (currency === undefined) return null
  const reason = `files of ${platform} are mostly in it; the workspace's currency wins where it is set`
  return { code: currency, guess: true, reason, byPlatform: true }
}

/** It says both itself: a parent's SKU or the family's key, and what tells its variants apart. */
function leaveToGathering(mapping: Mapping) {
  for (const [column, { field }] of Object.entries(mapping))
    if (field === 'item_group_id' || field === 'options') delete mapping[column]
  mapping[groupColumn] = { field: 'item_group_id', reason: 'the family that the rows form' }
  mapping[optionsColumn] = { field: 'options', reason: 'options gathered by the reader' }
}

const mostNotes = 10

/** Columns that mean a field which another column gives: their cells stay raw, and nobody would know why. */
function notTakenNotes(
  header: readonly string[],
  { mapping: suggested, passedOver, why }: ReturnType<typeof mapHeader>,
  mapping: Mapping,
  fills: Fills,
): string[] {
  const givers = new Map(Object.entries(mapping).map(([column, { field }]) => [field, column]))
  const notes = header.flatMap((column) => {
    const field = suggested[column]?.field ?? passedOver.get(column)
    const giver = field && givers.get(field)
    if (giver === undefined || mapping[column]) return []
    const reason = mapping[giver]?.field === suggested[giver]?.field ? why?.get(column) : undefined
    if (fills[column] === field)
      return `${quote(column)} gives ${field} only where ${quote(giver)} is blank${reason ? `; ${reason}` : ''}`
    return `${quote(column)} was not taken for ${field}: ${quote(giver)} gives it${reason ? `; ${reason}` : ''}`
  })
  const more = notes.length - mostNotes
  return more > 0 ? [...notes.slice(0, mostNotes), `${more} more columns were not taken for the same reason`] : notes
}

/** Said once a file, before each of its rows says it. */
const doubtfulNotes = (
  { mapping: suggested, doubtful = [] }: ReturnType<typeof mapHeader>,
  mapping: Mapping,
): string[] =>
  doubtful.flatMap((column) => {
    const target = mapping[column]
    if (!target || target !== suggested[column]) return []
    return `${quote(column)} is taken for ${target.field} by its name, though few of its values can be one`
  })

/** Maps columns as somebody chose, whatever else they were taken for. */
export function choose(
  mapping: Mapping,
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
    if (taken.has(field) && fields[field] !== 'list') delete mapping[column]
  for (const [column, field] of Object.entries(chosen)) mapping[column] = { field, reason }
}

function ruleOf(header: readonly string[], mapping: Reading['mapping'], named: string): FamilyRule | null {
  const names = new Set(header)
  const platform = [...ownExportRules, ...familyRules, ...optionFileRules].find((rule) =>
    rule.columns.every((column) => names.has(column)),
  )
  if (platform) return platform
  const nested = nestedRule(header, named)
  if (nested) return nested
  const columnsOf = (field: Field) => header.filter((column) => mapping[column]?.field === field)
  const parent = header.find((column) => parentColumns.has(column.toLowerCase()))
  if (parent && columnsOf('sku').length > 0) return groupRule(parent, columnsOf, true)
  const [group] = columnsOf('item_group_id')
  return group ? groupRule(group, columnsOf, false) : null
}
