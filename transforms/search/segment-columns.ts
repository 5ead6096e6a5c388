/** What a segment of the index keeps of each of its documents beside its terms, in groups that are read together. */
import { type Availability, type Condition, condition } from '../../schemas/product.ts'

/** Documents of a segment at most: their numbers have 16 bits in a posting. */
export const mostDocuments = 32_768

/** Needed for whatever is asked. */
export interface BaseColumns {
  /** Four words of 32 bits each, which sort as the text does; documents stand in their order. */
  readonly ids: Uint32Array
  /** 0-100; `noScore` where there is none. */
  readonly scores: Uint8Array
  /** See `stateOf`. */
  readonly states: Uint8Array
  readonly titleWords: Uint8Array
}
export const noScore = 255

/** Needed to filter and sort by what is asked for it, and when it came. */
export interface OfferColumns {
  /** Minor units; NaN where there is none. */
  readonly prices: Float64Array
  readonly currencies: Uint8Array
  /** Platforms that would take it, as bits. */
  readonly valid: Int32Array
  /** Seconds of the epoch. */
  readonly created: Uint32Array
  /** Of each sale four numbers: document, minor units, and from when to when in milliseconds. */
  readonly sales: Float64Array
  readonly currencyCodes: readonly string[]
}

/** One value of a document, as a place in `values`; 0 is none. */
export interface CodedColumn {
  readonly codes: Uint16Array
  readonly values: readonly string[]
}

/** Several values of a document: those from its offset to the next one's. */
export interface ListColumn {
  readonly offsets: Uint32Array
  readonly codes: Uint32Array
  /** `name=value`. */
  readonly values: readonly string[]
}

/** What agents make of the products, in steps; of another generation another column. Without one nothing is known: 0 of each. */
export interface PopularityColumns {
  readonly points: Uint16Array
  readonly trends: Uint16Array
}
export const nothingPopular: PopularityColumns = { points: new Uint16Array(0), trends: new Uint16Array(0) }

export interface SegmentColumns {
  readonly base: BaseColumns
  readonly offer: OfferColumns
  readonly brand: CodedColumn
  /** Paths as JSON. */
  readonly category: CodedColumn
  readonly attributes: ListColumn
  readonly popularity: PopularityColumns
}
export type ColumnGroup = keyof SegmentColumns
/** Made with the segment, and never another. */
export type OwnGroup = Exclude<ColumnGroup, 'popularity'>

/** Under which the column of a generation is kept. */
export const popularityName = (generation: number) => `popularity:${generation}`

/** The better the higher: it decides between documents that are alike. */
const availabilities: readonly (Availability | null)[] = [null, 'out_of_stock', 'backorder', 'preorder', 'in_stock']
const conditions: readonly (Condition | null)[] = [null, ...condition.options]

export const stateOf = (available: Availability | null, as: Condition | null): number =>
  Math.max(0, availabilities.indexOf(available)) | (Math.max(0, conditions.indexOf(as)) << 3)
export const availabilityOf = (state: number): Availability | null => availabilities[state & 7] ?? null
export const conditionOf = (state: number): Condition | null => conditions[state >> 3] ?? null

export function idWords(id: string): [number, number, number, number] {
  const hex = id.replaceAll('-', '')
  const word = (at: number) => Number.parseInt(hex.slice(at, at + 8), 16)
  return [word(0), word(8), word(16), word(24)]
}

export function idText(ids: Uint32Array, document: number): string {
  let hex = ''
  for (let i = 0; i < 4; i++) hex += (ids[document * 4 + i] ?? 0).toString(16).padStart(8, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
