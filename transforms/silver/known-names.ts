/** Which fields the names of a header's columns stand for: as a platform names them, as we do, and as suppliers were seen to. */
import { optionsColumn } from '../../schemas/pipeline.ts'
import { type Field, fieldNames } from '../../schemas/product.ts'
import { currencyOf } from './currency.ts'
import { currencyInName } from './currency-in-name.ts'
import { type Dialect, dialects } from './dialects.ts'
import { foldName } from './fold-name.ts'
import { marketDialects } from './market-dialects.ts'
import { nestedDialects } from './nested-dialects.ts'
import { ownDialects } from './own-dialects.ts'
import { sideLetters } from './side-letters.ts'
import { askedPrices } from './synonyms/asked-prices.ts'
import { synonyms } from './synonyms.ts'
import { unitOf } from './units.ts'

export interface Proposal {
  readonly column: string
  /** Null: the platform's table says that the column stays raw. */
  readonly field: Field | null
  /** The smallest decides between two columns for one field. */
  readonly rank: number
  readonly reason: string
}

export interface Platform {
  readonly dialect: Dialect
  readonly pointed: ReadonlySet<string> | null
  readonly columns: ReadonlyMap<string, { readonly field: Field | null; readonly rank: number }>
}

/** The name of a column as names are compared. */
export const fold = (name: string) => foldName(name.replace(/^g:/i, ''))

const platforms = [...dialects, ...marketDialects, ...nestedDialects, ...ownDialects].map((dialect) => ({
  dialect,
  signs: new Set(dialect.signs.split('|').map(fold)),
  pointed: dialect.point === undefined ? null : new Set(dialect.point.split('|').map(fold)),
  requires: dialect.requires === undefined ? null : fold(dialect.requires),
  columns: new Map(dialect.columns.map(([name, field], rank) => [fold(name), { field, rank }] as const)),
}))

const ownNames = new Map(fieldNames.map((field) => [foldName(field), field]))

/**
 * A platform's own names come first, then those that say exactly which price it is, then ours, then those met before, then what
 * values say, then names that say little.
 */
export const ranks = { asked: 900, own: 1_000, general: 2_000, values: 10_000, weak: 20_000 } as const

const namesIn = (names: string) => names.split('|').map(foldName)
const finalPrices = new Set(namesIn(askedPrices.final))
const barePrices = new Set(namesIn(askedPrices.bare))

const general = new Map<string, { field: Field; rank: number }[]>(
  [...namesIn(askedPrices.final), ...namesIn(askedPrices.withTax)].map((name, at) => [
    name,
    [{ field: 'price', rank: ranks.asked + at }],
  ]),
)
for (const [at, { name, field, weak }] of synonyms.entries()) {
  const entry = { field, rank: (weak ? ranks.weak : ranks.general) + at }
  const list = general.get(foldName(name))
  if (!list) general.set(foldName(name), [entry])
  else if (!list.some((other) => other.field === field)) list.push(entry)
}

export function platformOf(header: ReadonlySet<string>): Platform | null {
  let best: (typeof platforms)[number] | null = null
  let share = 0
  for (const candidate of platforms) {
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

const amounts: readonly Field[] = ['price', 'sale_price', 'original_price']

/** In which order a cell has three sides, and maybe in what: `LxBxH`, `l x w x h cm`, as names are folded. */
const side = `[${sideLetters}]`
const sides = new RegExp(` ${side} ?[xх]? ?${side} ?[xх]? ?${side}(?: (?:in )?(\\S+))?$`)

interface Bare {
  readonly name: string
  /** The fields that what was left out can be said of. */
  readonly of: readonly Field[]
}

/** A name without what says more about the values than about the field: a currency, a unit, a place in a row of images. */
function withoutQualifier(name: string): Bare | null {
  const order = sides.exec(name)
  if (order && (order[1] === undefined || unitOf(order[1], ['length'])))
    return known(name.slice(0, order.index), ['dimensions'])
  const match = /^(.+?)(?: in)? (\S+)$/.exec(name)
  if (!match) return null
  const [, rest = '', last = ''] = match
  if (/^\d+$/.test(last)) return known(rest, ['images'])
  if (unitOf(last, ['weight'])) return known(rest, ['weight'])
  if (unitOf(last, ['length'])) return known(rest, ['length', 'width', 'height', 'dimensions'])
  if (unitOf(last, ['volume'])) return known(rest, ['unit_pricing_measure'])
  return currencyOf(last) ? known(rest, amounts) : null
}

/** An amount's name without the sign or word of a currency, which folding drops or leaves in the middle. */
function withoutCurrency(column: string): Bare | null {
  const rest = currencyInName(column)?.rest
  return rest === undefined ? null : known(rest, amounts)
}

const known = (name: string, of: readonly Field[]): Bare | null =>
  general.get(name)?.some(({ field }) => of.includes(field)) ? { name, of } : null

/** An object's amount and currency, as `price.value` and `sale_price.currency`, and its texts by language, as `title.de`. */
const amountPart = /^(.+)\.(?:value|amount)$/i
const currencyPart = /^(.+)\.currency(?:_?code)?$/i
const languagePart =
  /^(.+)\.(?:en|de|fr|es|it|nl|pt|pl|cs|sk|hu|ro|sv|da|fi|nb|el|tr|ru|uk|zh|ja|ko)(?:[-_][a-z]{2})?$/i
const texts: readonly Field[] = ['title', 'description', 'short_description']

/** A member of a nested object means what the object's own name does. */
function fromMember(column: string): { field: Field; rank: number }[] {
  const meant = (part: RegExp, of: readonly Field[]) => {
    const name = part.exec(column)?.[1]
    return name === undefined ? [] : (general.get(fold(name)) ?? []).filter(({ field }) => of.includes(field))
  }
  if (!column.includes('.')) return []
  if (meant(currencyPart, amounts).length > 0) return [{ field: 'currency', rank: ranks.weak }]
  return [...meant(amountPart, amounts), ...meant(languagePart, texts)]
}

/** What each variant says for itself, where a file's products hold their variants. */
const ofVariant = /^variants\.(.+)$/
const ownOfVariants: readonly Field[] = [
  'sku',
  'source_id',
  'gtin',
  'mpn',
  'price',
  'sale_price',
  'original_price',
  'currency',
  'availability',
  'quantity',
  'condition',
  'weight',
]

/** A variant's column means what the same name means of a product, and goes before the product's own. */
function variantProposals(column: string, platform: Platform | null): Proposal[] {
  const name = ofVariant.exec(column)?.[1]
  if (name === undefined) return []
  const row = platform?.columns.get(fold(name))
  const field = row ? row.field : undefined
  const entries = row && field ? [{ field, rank: row.rank - 0.5 }] : []
  const others = generalProposals(name, fold(name)).flatMap((one) =>
    one.field === null ? [] : [{ field: one.field, rank: ranks.own - 1 + one.rank / 1e6 }],
  )
  return [...entries, ...others]
    .filter((one) => ownOfVariants.includes(one.field))
    .map((one) => ({ ...one, column, reason: `"${name}" of a variant is its ${one.field}` }))
}

function generalProposals(column: string, name: string): Proposal[] {
  const bare = general.has(name) ? null : (withoutQualifier(name) ?? withoutCurrency(column))
  const ofBare = bare && general.get(bare.name)?.filter(({ field }) => bare.of.includes(field))
  const entries = general.get(name) ?? ofBare ?? fromMember(column)
  return entries.map(({ field, rank }) => ({ column, field, rank, reason: `"${column}" is a known name for ${field}` }))
}

/** What is asked without a sale, and a former price where something else says what is asked now: `regular_price`. */
const isRegular = (name: string) => {
  const means = general.get(name)?.map(({ field }) => field)
  return means?.includes('price') === true && means.includes('original_price')
}

const last = /[^.]+$/

/** @param header every column's folded name */
function formerPrice(column: string, row: { readonly field: Field | null } | undefined, header: ReadonlySet<string>) {
  const name = fold(column)
  const isBare = barePrices.has(name) && [...finalPrices].some((other) => header.has(other))
  const isRow = row?.field === 'price' && isRegular(fold(last.exec(column)?.[0] ?? ''))
  if (!isBare && !isRow) return []
  const reason = `"${column}" is the price that was, where another column says what is asked now`
  return [{ column, field: 'original_price', rank: ranks.weak, reason } as const]
}

/** A lone `image` column may hold several addresses; beside `images` it is the primary one. */
function ownField(name: string, header: ReadonlySet<string>): Field | undefined {
  const field = ownNames.get(name)
  return field === 'image' && !header.has('images') ? 'images' : field
}

const longestName = 1_000

/** @param header every column's folded name */
export function proposalsFor(column: string, header: ReadonlySet<string>, platform: Platform | null): Proposal[] {
  if (column === optionsColumn) return [{ column, field: 'options', rank: 0, reason: 'options gathered by the reader' }]
  // No name is as long as a text; patterns over megabytes run out of stack.
  if (column.length > longestName) return []
  const name = fold(column)
  const proposals: Proposal[] = []
  const beyond: Dialect['beyond'] = platform?.dialect.beyond ?? 'synonyms'
  const row = platform?.columns.get(name)
  if (platform && row) {
    proposals.push({ column, ...row, reason: `${platform.dialect.platform} names ${row.field ?? 'it'} so` })
    if (row.field === null) return proposals
  }
  if (beyond === 'nothing') return proposals
  if (!row) proposals.push(...variantProposals(column, platform))
  const own = ownField(name, header)
  if (own) proposals.push({ column, field: own, rank: ranks.own, reason: 'our own field name' })
  if (beyond === 'synonyms') proposals.push(...generalProposals(column, name), ...formerPrice(column, row, header))
  return proposals
}
