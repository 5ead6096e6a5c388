/** Finds out what a file's columns are from its header: by platform first, then by our own names, then by names met before. */
import { optionsColumn } from '../../schemas/pipeline.ts'
import { type Field, fieldNames, fields } from '../../schemas/product.ts'
import { currencyOf } from './currency.ts'
import { type Dialect, dialects } from './dialects.ts'
import { foldName } from './fold-name.ts'
import { marketDialects } from './market-dialects.ts'
import { nestedDialects } from './nested-dialects.ts'
import { synonyms } from './synonyms.ts'
import { unitOf } from './units.ts'

interface HeaderMapping {
  readonly platform: string
  /** Of the platform's amounts, where it has one. */
  readonly currency?: string
  readonly mapping: Record<string, { field: Field; reason: string }>
  /** Columns whose numbers have a point by the platform's specification, where it says so. */
  readonly pointed?: ReadonlySet<string>
  /** Columns that another one was preferred to, and the field which they mean. */
  readonly passedOver: ReadonlyMap<string, Field>
}

interface Proposal {
  readonly column: string
  /** Null: the platform's table says that the column stays raw. */
  readonly field: Field | null
  /** The smallest decides between two columns for one field. */
  readonly rank: number
  readonly reason: string
}

const fold = (name: string) => foldName(name.replace(/^g:/i, ''))

const known = [...dialects, ...marketDialects, ...nestedDialects].map((dialect) => ({
  dialect,
  signs: new Set(dialect.signs.split('|').map(fold)),
  pointed: dialect.point === undefined ? null : new Set(dialect.point.split('|').map(fold)),
  requires: dialect.requires === undefined ? null : fold(dialect.requires),
  columns: new Map(dialect.columns.map(([name, field], rank) => [fold(name), { field, rank }] as const)),
}))

const ownNames = new Map(fieldNames.map((field) => [foldName(field), field]))

const general = new Map<string, { field: Field; rank: number }[]>()
for (const [field, lines] of Object.entries(synonyms)) {
  lines
    .flatMap((line) => line.split('|'))
    .forEach((name, rank) => {
      const list = general.get(foldName(name))
      if (list) list.push({ field: field as Field, rank })
      else general.set(foldName(name), [{ field: field as Field, rank }])
    })
}

const ownRank = 1_000
const generalRank = 2_000

function platformOf(header: ReadonlySet<string>) {
  let best: (typeof known)[number] | null = null
  let share = 0
  for (const candidate of known) {
    if (candidate.requires !== null && !header.has(candidate.requires)) continue
    const present = [...candidate.signs].filter((sign) => header.has(sign)).length
    const found = present / candidate.dialect.needs
    if (found >= 1 && found > share) {
      best = candidate
      share = found
    }
  }
  return best
}

/** In which order a cell has three sides, and maybe in what: `LxBxH`, `l x w x h cm`, as names are folded. */
const sides = / [lwbhtd] ?x? ?[lwbhtd] ?x? ?[lwbhtd](?: (?:in )?(\S+))?$/

/** A name without what says more about the values than about the field: a currency, a unit, a place in a row of images. */
function withoutQualifier(name: string): string | null {
  const order = sides.exec(name)
  if (order && (order[1] === undefined || unitOf(order[1], ['length']))) {
    const rest = name.slice(0, order.index)
    return general.get(rest)?.some(({ field }) => field === 'dimensions') ? rest : null
  }
  const match = /^(.+?)(?: in)? (\S+)$/.exec(name)
  if (!match) return null
  const [, rest = '', last = ''] = match
  const means = (of: readonly Field[]) => general.get(rest)?.some(({ field }) => of.includes(field)) ?? false
  if (/^\d+$/.test(last)) return means(['images']) ? rest : null
  if (unitOf(last, ['weight'])) return means(['weight']) ? rest : null
  if (unitOf(last, ['length'])) return means(['length', 'width', 'height', 'dimensions']) ? rest : null
  if (unitOf(last, ['volume'])) return means(['unit_pricing_measure']) ? rest : null
  return currencyOf(last) && means(['price', 'sale_price', 'original_price']) ? rest : null
}

function generalProposals(column: string, name: string): Proposal[] {
  const bare = withoutQualifier(name)
  const entries = general.get(name) ?? (bare ? general.get(bare) : undefined) ?? []
  return entries.map(({ field, rank }) => ({
    column,
    field,
    rank: generalRank + rank,
    reason: `"${column}" is a known name for ${field}`,
  }))
}

/** A lone `image` column may hold several addresses; beside `images` it is the primary one. */
function ownField(name: string, header: ReadonlySet<string>): Field | undefined {
  const field = ownNames.get(name)
  return field === 'image' && !header.has('images') ? 'images' : field
}

function proposalsFor(
  column: string,
  header: ReadonlySet<string>,
  platform: ReturnType<typeof platformOf>,
): Proposal[] {
  if (column === optionsColumn) return [{ column, field: 'options', rank: 0, reason: 'options gathered by the reader' }]
  const name = fold(column)
  const proposals: Proposal[] = []
  const beyond: Dialect['beyond'] = platform?.dialect.beyond ?? 'synonyms'
  const row = platform?.columns.get(name)
  if (platform && row) {
    proposals.push({ column, ...row, reason: `${platform.dialect.platform} names ${row.field ?? 'it'} so` })
    if (row.field === null) return proposals
  }
  if (beyond === 'nothing') return proposals
  const own = ownField(name, header)
  if (own) proposals.push({ column, field: own, rank: ownRank, reason: 'our own field name' })
  if (beyond === 'synonyms') proposals.push(...generalProposals(column, name))
  return proposals
}

/**
 * @param header trimmed names, each once
 * @returns at most one column for a field that is no list; what is left out stays raw and can be mapped by a setting
 */
export function mapHeader(header: readonly string[]): HeaderMapping {
  const names = new Set(header.map(fold))
  const platform = platformOf(names)
  const proposals = header.flatMap((column) => proposalsFor(column, names, platform)).sort((a, b) => a.rank - b.rank)
  const chosen = new Map<string, { field: Field; reason: string }>()
  const raw = new Set<string>()
  const taken = new Set<Field>()
  const passedOver = new Map<string, Field>()
  for (const { column, field, reason } of proposals) {
    if (field === null) raw.add(column)
    if (field === null || raw.has(column) || chosen.has(column)) continue
    if (taken.has(field)) {
      if (!passedOver.has(column)) passedOver.set(column, field)
      continue
    }
    passedOver.delete(column)
    chosen.set(column, { field, reason })
    if (fields[field] !== 'list') taken.add(field)
  }
  const inOrder = header.flatMap((column) => {
    const target = chosen.get(column)
    return target ? [[column, target] as const] : []
  })
  const pointed = platform?.pointed
  return {
    platform: platform?.dialect.platform ?? 'generic',
    ...(platform?.dialect.currency === undefined ? {} : { currency: platform.dialect.currency }),
    ...(pointed ? { pointed: new Set(header.filter((column) => pointed.has(fold(column)))) } : {}),
    mapping: Object.fromEntries(inOrder),
    passedOver,
  }
}
