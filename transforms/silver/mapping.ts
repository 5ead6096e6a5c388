/** Finds out what a file's columns are: from their names, by platform first, then by our own names, then by names met before; where names leave it open, from their values. */
import { type Field, fields } from '../../schemas/product.ts'
import { nearlyAll, type Sample } from './column-values.ts'
import { fillingColumns } from './filling-columns.ts'
import { isImageAddress, isLongGtin, isWorldGtin } from './fitting-values.ts'
import { fold, type Platform, type Proposal, platformOf, proposalsFor, ranks } from './known-names.ts'
import { isRegularPrice, type ThreePrices, threePrices, whyRegular } from './regular-price.ts'

interface HeaderMapping {
  readonly platform: string
  /** Of the platform's amounts, where it has one. */
  readonly currency?: string
  readonly mapping: Record<string, { field: Field; reason: string }>
  /** Columns whose numbers have a point by the platform's specification, where it says so. */
  readonly pointed?: ReadonlySet<string>
  /** Columns that another one was preferred to, and the field which they mean. */
  readonly passedOver: ReadonlyMap<string, Field>
  /** Those of them that fill the other's blanks; absent where there are none. */
  readonly fills?: ReadonlyMap<string, Field>
  /** Why one of them was, where it is not only that the other's name is the better. */
  readonly why?: ReadonlyMap<string, string>
  /** Columns that have a field by their name alone, which their values do not bear out; absent where none is so. */
  readonly doubtful?: readonly string[]
}

/** How well the values of a column fit the field that is proposed for it. */
const fit = { well: 0, badly: 1, blank: 2 } as const
type Fit = (typeof fit)[keyof typeof fit]

interface Judged extends Proposal {
  readonly fit: Fit
}

/**
 * @param header trimmed names, each once
 * @param sample rows of the file; without them names alone decide
 * @returns at most one column for a field that is no list; what is left out stays raw and can be mapped by a setting
 */
export function mapHeader(header: readonly string[], sample?: Sample): HeaderMapping {
  const names = new Set(header.map(fold))
  const platform = platformOf(names)
  const proposed = header
    .flatMap((column) => judgedFor(column, names, platform, sample))
    .sort((a, b) => a.fit - b.fit || a.rank - b.rank)
  const three = regularOf(proposed, sample)
  const proposals = three ? withRegular(proposed, three) : proposed
  const { chosen, passedOver } = choose(proposals)
  if (three) passedOver.set(three.now, 'price')
  if (sample && platform?.dialect.beyond !== 'nothing') takeImages(header, chosen, passedOver, proposals, sample)
  const inOrder = header.flatMap((column) => {
    const target = chosen.get(column)
    return target ? [[column, { field: target.field, reason: reasonOf(target, proposals, sample) }] as const] : []
  })
  const doubtful = [...chosen.values()].filter((target) => target.fit === fit.badly).map(({ column }) => column)
  const pointed = platform?.pointed
  const filling = fillingColumns(passedOver, (column, field) =>
    proposals.some(
      (one) => one.column === column && one.field === field && one.rank < ranks.values && one.fit === fit.well,
    ),
  )
  // A variable product has no regular price of its own, and only what is asked now tells its price.
  const fills = three ? new Map([...filling, [three.now, 'price' as const]]) : filling
  return {
    platform: platform?.dialect.platform ?? 'generic',
    ...(platform?.dialect.currency === undefined ? {} : { currency: platform.dialect.currency }),
    ...(pointed ? { pointed: new Set(header.filter((column) => pointed.has(fold(column)))) } : {}),
    mapping: Object.fromEntries(inOrder),
    passedOver,
    ...(fills.size > 0 ? { fills } : {}),
    ...(three ? { why: new Map([[three.now, whyRegular(three)]]) } : {}),
    ...(doubtful.length > 0 ? { doubtful } : {}),
  }
}

type Chosen = Judged & { readonly field: Field }

function choose(proposals: readonly Judged[]) {
  const chosen = new Map<string, Chosen>()
  const raw = new Set<string>()
  const taken = new Set<Field>()
  const passedOver = new Map<string, Field>()
  for (const proposal of proposals) {
    const { column, field } = proposal
    if (field === null) raw.add(column)
    if (field === null || raw.has(column) || chosen.has(column)) continue
    if (taken.has(field)) {
      if (!passedOver.has(column)) passedOver.set(column, field)
      continue
    }
    passedOver.delete(column)
    chosen.set(column, { ...proposal, field })
    if (fields[field] !== 'list') taken.add(field)
  }
  return { chosen, passedOver }
}

function regularOf(proposals: readonly Judged[], sample: Sample | undefined): ThreePrices | null {
  const raw = new Set(proposals.flatMap(({ column, field }) => (field === null ? [column] : [])))
  const of = (field: Field) => {
    const meant = proposals.filter((one) => one.field === field && !raw.has(one.column) && one.fit !== fit.badly)
    return meant.filter((one) => one.fit === fit.well || field === 'sale_price').map(({ column }) => column)
  }
  return threePrices(of).find((three) => isRegularPrice(three, three.named, sample)) ?? null
}

/** The regular price first of all, and nothing that is asked now. */
function withRegular(proposals: readonly Judged[], three: ThreePrices): readonly Judged[] {
  const reason = whyRegular(three)
  return [
    { column: three.regular, field: 'price', rank: 0, reason, fit: fit.well },
    ...proposals.filter(({ column }) => column !== three.now),
  ]
}

/** What the names propose, and what the values do; a proposal that the values rule out is none. */
function judgedFor(
  column: string,
  header: ReadonlySet<string>,
  platform: Platform | null,
  sample: Sample | undefined,
): Judged[] {
  const named = proposalsFor(column, header, platform)
  if (!sample) return named.map((proposal) => ({ ...proposal, fit: fit.well }))
  const judged = named.flatMap((proposal): Judged[] => {
    const how = fitOf(proposal, sample)
    return how === fit.badly && isRuledOut(proposal, sample) ? [] : [{ ...proposal, fit: how }]
  })
  if (platform?.dialect.beyond === 'nothing' || named.some(({ field }) => field === null)) return judged
  const values = sample.of(column)
  const gtins = nearlyAll(values, isWorldGtin)
  if (gtins === null || values.count(isLongGtin) * 2 < gtins) return judged
  const reason = `${gtins} of ${values.filled} values of "${column}" are valid GTINs`
  return [...judged, { column, field: 'gtin', rank: ranks.values, reason, fit: fit.well }]
}

function fitOf({ column, field }: Proposal, sample: Sample): Fit {
  if (field === null || sample.rows === 0) return fit.well
  const values = sample.of(column)
  if (values.filled === 0) return fit.blank
  return 2 * values.fits(field) >= values.filled ? fit.well : fit.badly
}

/** Further attributes are ours to write, as JSON, and other texts are none; a state may be of anything; and a picture is no page. */
const isRuledOut = ({ column, field, rank }: Proposal, sample: Sample) =>
  (field === 'attributes' && rank >= ranks.general) ||
  (field === 'condition' && rank >= ranks.weak) ||
  (field === 'link' && nearlyAll(sample.of(column), isImageAddress) !== null)

/** Where no column's name says images: the first whose values are addresses of some. */
function takeImages(
  header: readonly string[],
  chosen: Map<string, Chosen>,
  passedOver: Map<string, Field>,
  proposals: readonly Judged[],
  sample: Sample,
) {
  if ([...chosen.values()].some(({ field }) => field === 'images' || field === 'image')) return
  const isRaw = new Set(proposals.flatMap(({ column, field }) => (field === null ? [column] : [])))
  for (const column of header) {
    if (chosen.has(column) || isRaw.has(column)) continue
    const values = sample.of(column)
    const images = nearlyAll(values, isImageAddress)
    if (images === null) continue
    const reason = `${images} of ${values.filled} values of "${column}" are addresses of images`
    chosen.set(column, { column, field: 'images', rank: ranks.values, reason, fit: fit.well })
    passedOver.delete(column)
    return
  }
}

/** Why by its name, and what its values say to that. */
function reasonOf({ column, field, reason, ...own }: Chosen, proposals: readonly Judged[], sample?: Sample): string {
  if (!sample || own.rank === ranks.values) return reason
  if (own.fit === fit.badly) return `${reason}, though ${fitting(column, field, sample)}`
  const better = proposals.find(
    (other) => other.field === field && other.column !== column && other.rank < own.rank && other.fit > own.fit,
  )
  if (!better || fields[field] === 'list') return reason
  const why =
    better.fit === fit.blank
      ? `is blank in the first ${sample.rows} rows`
      : `has none, or few: ${fitting(better.column, field, sample)}`
  return `${reason}, and "${better.column}" ${why}`
}

function fitting(column: string, field: Field, sample: Sample): string {
  const values = sample.of(column)
  return `${values.fits(field)} of its ${values.filled} values can be one`
}
