/** Makes the candidates of one family from its rows: the parent, its variants with what they take from the family, and images of all rows as one list. */
import { type CellValue, optionsColumn } from '../schemas/pipeline.ts'
import { type Candidate, groupColumn } from './candidate.ts'
import { blanksFilled, commonCells, headOf, sharedCells } from './family-cells.ts'
import type { FamilyRole, FamilyRule } from './family-rules.ts'
import { type Identifiers, identifying, optionsText, tidy, unit } from './identifiers.ts'
import { isOptionFile, type OptionFileRule, ownerCandidate } from './option-files.ts'
import { contentText } from './verdicts.ts'

export interface FamilyRow {
  readonly row: number
  readonly role: FamilyRole['role']
  /** null for a row that belongs to no family. */
  readonly key: string | null
  readonly options: Readonly<Record<string, string>>
  readonly cells: Readonly<Record<string, CellValue>>
}

type ReadIds = (cells: FamilyRow['cells'], family?: string | null, options?: string | null) => Identifiers
type Unnumbered = Omit<Candidate, 'seq'>

/** Shopify keeps at most this many pictures of a product; without a limit, 5,000 variants would carry 25 million addresses. */
const mostInList = 250

/**
 * Rows come with the parent first. One variant without a parent row is a single; so are rows of one family that nothing tells apart.
 * @param skuColumn the file's column of SKUs, where a parent that has no row of its own is named by its SKU
 */
export function familyCandidates(
  found: readonly FamilyRow[],
  rule: FamilyRule,
  source: string,
  read: ReadIds,
  skuColumn?: string,
): Unnumbered[] {
  const key = found[0]?.key ?? null
  if (key === null)
    return found.map((row) => single([row.row], { ...row.cells, ...optionCells(row, rule) }, read(row.cells)))
  const rows = nameOptions(found, rule)
  const lists = joinLists(rows, rule.lists)
  const parents = rows.filter((row) => row.role === 'parent')
  const members = rows.filter((row) => row.role === 'member')
  const more = rows.filter((row) => row.role === 'more').map((row) => row.row)
  const family = rule.keyIsSku(key) ? key : `${source}${unit}${key}`
  const skus = new Set(members.flatMap((member) => read(member.cells).sku ?? []))
  const whole = {
    ...{ key, family, rule, lists, read, skuColumn, skus },
    repeated: rule.whole ? repeatedOptions(members) : none,
  }
  if (isOptionFile(rule)) return ownerWithOptions(members, more, whole, rule)
  // Of rows that say the same parent the last one counts, as of any product's.
  const head = parents.at(-1) ?? headOf(rows, rule)
  if (!head || (parents.length === 0 && !(rule.whole ? members.length > 1 : differ(members, skus))))
    return singles(rows, members, more, whole, head)
  const common = parents.length > 0 ? sharedCells(head, rule) : commonCells(head, members, rule)
  return [
    ...(parents.length === 0 ? [madeParent(head, common, more, whole)] : []),
    ...parents.map((parent) => parentOf(parent, parent === head ? more : [], whole)),
    ...members.map((member) => variantOf(member, { head, common }, whole)),
  ]
}

interface Whole {
  readonly key: string
  /** The key, with the source where it means something only there. */
  readonly family: string
  readonly rule: FamilyRule
  readonly lists: FamilyRow['cells']
  readonly read: ReadIds
  readonly skuColumn: string | undefined
  /** Of its members. */
  readonly skus: ReadonlySet<string>
  /** Options that several variants have, which then tell none of them apart. */
  readonly repeated: ReadonlySet<string>
}

/** The row that speaks for the family, and what its variants may take from it. */
interface Taken {
  readonly head: FamilyRow
  readonly common: FamilyRow['cells']
}

const none: ReadonlySet<string> = new Set()

function repeatedOptions(members: readonly FamilyRow[]): ReadonlySet<string> {
  const seen = new Set<string>()
  return new Set(members.map(({ options }) => optionsText(options)).filter((text) => seen.size === seen.add(text).size))
}

/** Whether there are several variants: by their options, or by SKUs where a file tells its options in columns that nobody knows. */
function differ(members: readonly FamilyRow[], skus: ReadonlySet<string>): boolean {
  const options = new Set(members.map((member) => optionsText(member.options)))
  return options.size > 1 || skus.size > 1
}

function nameOptions(rows: readonly FamilyRow[], rule: FamilyRule): readonly FamilyRow[] {
  const { optionName } = rule
  const head = optionName && headOf(rows, rule)
  if (!head) return rows
  const cell = (column: string) => [head.cells[column] ?? ''].flat()[0] ?? ''
  return rows.map((row) => ({
    ...row,
    options: Object.fromEntries(Object.entries(row.options).map(([place, value]) => [optionName(place, cell), value])),
  }))
}

const single = (rows: readonly number[], cells: FamilyRow['cells'], ids: Identifiers): Unnumbered => ({
  rows,
  kind: 'single',
  cells,
  ids,
})

/** Rows that only add images go with the row that will win: the last. */
function singles(
  rows: readonly FamilyRow[],
  members: readonly FamilyRow[],
  more: readonly number[],
  { rule, lists, family, read }: Whole,
  head: FamilyRow | undefined,
): Unnumbered[] {
  const from = head && { head, common: sharedCells(head, rule) }
  const whole = members.length > 0 ? members : rows.slice(0, 1)
  const rest = members.length > 0 ? more : more.slice(1)
  return whole.map((member, i) => {
    const last = i === whole.length - 1
    const { taken, inherited } = inheritedBy(member, from, rule)
    const cells = { ...taken, ...member.cells, ...betterCells(member, rule), ...lists, ...optionCells(member, rule) }
    const ids = read(cells, family, optionsText(member.options))
    return { ...single(last ? [member.row, ...rest] : [member.row], cells, ids), ...inherited }
  })
}

/** What a row says as its options and cannot be read as any stays what it is, so that silver tells it. */
function optionCells({ options, cells }: FamilyRow, rule: FamilyRule): Record<string, CellValue> {
  if (rule.whole) return {}
  if (Object.keys(options).length > 0) return { [optionsColumn]: JSON.stringify(options) }
  const said = rule.optionsColumn === undefined ? undefined : cells[rule.optionsColumn]
  return said === undefined ? {} : { [optionsColumn]: said }
}

function parentOf(parent: FamilyRow, more: readonly number[], whole: Whole): Unnumbered {
  const { lists, family, read } = whole
  const cells = { ...parent.cells, ...lists }
  return { rows: [parent.row, ...more], kind: 'parent', cells, ids: read(cells, family, 'parent'), ...groupOf(whole) }
}

function groupOf({ key, rule, skus }: Whole): Pick<Candidate, 'group'> {
  const name = rule.keyIsSku(key) ? null : identifying(key)
  return name === null ? {} : { group: { name, isVariant: skus.has(name) } }
}

/**
 * A family without a row of its own is known by its key alone; where that is a SKU, another file may tell the product that has it,
 * which no variant's own text may then overrule.
 */
function madeParent(head: FamilyRow, common: Taken['common'], more: readonly number[], whole: Whole): Unnumbered {
  const { key, rule, lists, family, read, skuColumn } = whole
  const sku = skuColumn !== undefined && rule.keyIsSku(key) ? tidy(key) : null
  const named = sku === null || skuColumn === undefined ? {} : { [skuColumn]: sku }
  const cells = { ...(sku === null ? sharedCells(head, rule) : common), ...lists, ...named }
  return { rows: more, kind: 'parent', cells, ids: read(named, family, 'parent'), ...groupOf(whole) }
}

/** Nothing of a row is the owner's but the key, and the key is not the row's own. */
function ownerWithOptions(
  members: readonly FamilyRow[],
  more: readonly number[],
  whole: Whole,
  rule: OptionFileRule,
): Unnumbered[] {
  const { key, family, read } = whole
  const owner = ownerCandidate(rule, key, more, members.length > 0, (cells) => ({
    ...read(cells, family, 'parent'),
    sourceId: null,
  }))
  return [
    owner,
    ...members.map((member) => {
      const { [rule.ownerColumn]: _owner, ...cells } = member.cells
      return variantOf({ ...member, cells }, { head: member, common: {} }, whole)
    }),
  ]
}

function variantOf(member: FamilyRow, from: Taken, { key, rule, lists, family, read, repeated }: Whole): Unnumbered {
  const { taken, inherited } = inheritedBy(member, from, rule)
  const cells = {
    ...taken,
    ...member.cells,
    ...betterCells(member, rule),
    ...lists,
    ...optionCells(member, rule),
    ...(rule.whole ? {} : { [groupColumn]: key }),
  }
  const options = optionsText(member.options)
  const more = repeated.has(options) ? `${unit}${contentText(cells)}` : ''
  return {
    rows: [member.row],
    kind: 'variant',
    cells,
    ids: read(cells, family, `${options}${more}`),
    ...inherited,
  }
}

/** What a variant says itself of what its family says too. */
function betterCells({ cells }: FamilyRow, { better = {} }: FamilyRule): Record<string, CellValue> {
  const found: Record<string, CellValue> = {}
  for (const [column, place] of Object.entries(better)) {
    const cell = cells[column]
    if (cell !== undefined) found[place] = cell
  }
  return found
}

/** What a row takes from the family's where its own cell is blank. */
function inheritedBy(member: FamilyRow, from: Taken | undefined, rule: FamilyRule) {
  const gives = from !== undefined && from.head !== member && !rule.whole
  const taken = gives ? blanksFilled(member, from.common, betterCells(member, rule)) : {}
  const columns = Object.keys(taken)
  return { taken, inherited: from && columns.length > 0 ? { inherited: { row: from.head.row, columns } } : {} }
}

function joinLists(rows: readonly FamilyRow[], columns: readonly string[]): Record<string, CellValue> {
  const joined: Record<string, CellValue> = {}
  for (const column of columns) {
    const values = rows.flatMap((row) => row.cells[column] ?? [])
    const distinct = [...new Set(values.map((value) => value.trim()).filter((value) => value !== ''))]
    if (distinct.length > 0) joined[column] = distinct.slice(0, mostInList)
  }
  return joined
}
