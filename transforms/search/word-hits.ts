/** Which documents of a segment have a word of the query, in which fields, and how well: kept in arrays that are used again. */
import type { OpenSegment } from './open-segment.ts'
import { bitsOf, documentOf, placeOf } from './postings.ts'
import { fieldBits, noPlace } from './product-terms.ts'
import type { Way } from './read-query.ts'
import { mostDocuments } from './segment-columns.ts'

/** Beside the bits of fields: found as a whole identifier. */
export const exactBit = 64

/** What a word counts for where it stands, by the bits of its fields: the best of them, and a little for each further one. */
const fieldWeights = Float32Array.from({ length: 128 }, (_, bits) => {
  const of = { title: 1, identifier: 0.9, brand: 0.8, attributes: 0.65, category: 0.6, description: 0.3 } as const
  const found = Object.entries(of).filter(([field]) => (bits & fieldBits[field as keyof typeof of]) !== 0)
  const [best = 0, ...others] = found.map(([, weight]) => weight).sort((a, b) => b - a)
  return Math.min(1, best + 0.03 * others.length)
})

/** Of one word; what is of another segment or query has another stamp. */
export interface WordHits {
  stamp: number
  readonly stamps: Uint32Array
  readonly weights: Float32Array
  readonly bits: Uint8Array
  readonly places: Uint8Array
  readonly list: Uint16Array
  n: number
}

export const wordHits = (): WordHits => ({
  stamp: 0,
  stamps: new Uint32Array(mostDocuments),
  weights: new Float32Array(mostDocuments),
  bits: new Uint8Array(mostDocuments),
  places: new Uint8Array(mostDocuments),
  list: new Uint16Array(mostDocuments),
  n: 0,
})

function begin(hits: WordHits): void {
  hits.n = 0
  // After four thousand million uses the stamps come again.
  hits.stamp = (hits.stamp + 1) >>> 0
  if (hits.stamp === 0) {
    hits.stamps.fill(0)
    hits.stamp = 1
  }
}

/** @param one posting of the document */
function note(hits: WordHits, one: number, weight: number, exact: number): void {
  const document = documentOf(one)
  const bits = bitsOf(one) | exact
  const place = placeOf(one)
  const w = exact === 0 ? (fieldWeights[bits & 127] as number) * weight : weight
  if (hits.stamps[document] !== hits.stamp) {
    hits.stamps[document] = hits.stamp
    hits.weights[document] = w
    hits.bits[document] = bits
    hits.places[document] = place
    hits.list[hits.n++] = document
    return
  }
  if (w > (hits.weights[document] as number)) hits.weights[document] = w
  hits.bits[document] = (hits.bits[document] as number) | bits
  if (place < (hits.places[document] as number)) hits.places[document] = place
}

/** Of a way: the postings of each of its terms; null where the segment lacks one. */
function listsOf(segment: OpenSegment, { terms }: Way): Uint32Array[] | null {
  const lists: Uint32Array[] = []
  for (const term of terms) {
    const list = segment.postings(term)
    if (!list) return null
    lists.push(list)
  }
  return lists.sort((a, b) => a.length - b.length)
}

/** @returns how many documents a look through all its lists would see */
export const sizeOf = (segment: OpenSegment, ways: readonly Way[]): number =>
  ways.reduce((sum, way) => sum + (listsOf(segment, way)?.[0]?.length ?? 0), 0)

/** All documents that have the word. */
export function fillHits(hits: WordHits, segment: OpenSegment, ways: readonly Way[]): void {
  begin(hits)
  for (const way of ways) {
    const [first, ...others] = listsOf(segment, way) ?? []
    if (!first) continue
    const exact = way.terms[0]?.startsWith('#') ? exactBit : 0
    for (let i = 0; i < first.length; i++) {
      const one = first[i] as number
      if (others.length === 0) note(hits, one, way.weight, exact)
      else {
        const together = withOthers(one, others)
        if (together !== null) note(hits, together, way.weight, exact)
      }
    }
  }
}

/** Those of `documents`, which are in order, that have the word. */
export function lookUpHits(
  hits: WordHits,
  segment: OpenSegment,
  ways: readonly Way[],
  documents: Uint16Array,
  n: number,
): void {
  begin(hits)
  for (const way of ways) {
    const [first, ...others] = listsOf(segment, way) ?? []
    if (!first) continue
    const exact = way.terms[0]?.startsWith('#') ? exactBit : 0
    let at = 0
    for (let i = 0; i < n && at < first.length; i++) {
      const document = documents[i] as number
      at = placeFrom(first, document, at)
      const one = first[at]
      if (one === undefined || documentOf(one) !== document) continue
      const together = others.length === 0 ? one : withOthers(one, others)
      if (together !== null) note(hits, together, way.weight, exact)
    }
  }
}

/** One bit for each document of a segment. */
export const documentBits = (): Uint32Array => new Uint32Array(mostDocuments / 32)

/** Sets of the word's documents, all of them and those that have it in the title: a tenth of what their hits cost. */
export function fillBits(segment: OpenSegment, ways: readonly Way[], all: Uint32Array, titled: Uint32Array): void {
  all.fill(0)
  titled.fill(0)
  for (const way of ways) {
    const [first, ...others] = listsOf(segment, way) ?? []
    if (!first) continue
    for (let i = 0; i < first.length; i++) {
      const together = others.length === 0 ? (first[i] as number) : withOthers(first[i] as number, others)
      if (together === null) continue
      const [at, bit] = [together >>> 21, (together >>> 16) & 31]
      all[at] = (all[at] as number) | (1 << bit)
      titled[at] = (titled[at] as number) | (((together >>> 8) & fieldBits.title) << bit)
    }
  }
}

export const hasBit = (bits: Uint32Array, document: number): boolean =>
  (((bits[document >>> 5] as number) >>> (document & 31)) & 1) === 1

/** @returns how many documents were written, in order */
export function documentsOf(bits: Uint32Array, gone: Uint8Array | null, into: Uint16Array): number {
  let n = 0
  for (let at = 0; at < bits.length; at++)
    for (let left = bits[at] as number; left !== 0; left &= left - 1) {
      const document = (at << 5) | (31 - Math.clz32(left & -left))
      if (gone?.[document] !== 1) into[n++] = document
    }
  return n
}

/** The first place from `from` on whose document is not before the asked one; most are a few places on. */
function placeFrom(list: Uint32Array, document: number, from: number): number {
  let [low, step] = [from, 1]
  while (low + step < list.length && documentOf(list[low + step] as number) < document) {
    low += step
    step *= 2
  }
  let high = Math.min(list.length, low + step)
  while (low < high) {
    const middle = (low + high) >> 1
    if (documentOf(list[middle] as number) < document) low = middle + 1
    else high = middle
  }
  return low
}

/** Fields that have all of the terms, or those that the rarest stands in where no field has all. */
function withOthers(one: number, others: readonly Uint32Array[]): number | null {
  let bits = bitsOf(one)
  let place = placeOf(one)
  const document = documentOf(one)
  for (const list of others) {
    const other = find(list, document)
    if (other === null) return null
    bits = bits & bitsOf(other) || Math.max(bits, bitsOf(other))
    place = Math.min(place, placeOf(other))
  }
  return ((document << 16) | (bits << 8) | (bits & fieldBits.title ? place : noPlace)) >>> 0
}

function find(list: Uint32Array, document: number): number | null {
  let [low, high] = [0, list.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const at = documentOf(list[middle] as number)
    if (at === document) return list[middle] as number
    if (at < document) low = middle + 1
    else high = middle - 1
  }
  return null
}

/** Documents of the version that have the word. */
export function countLive(segment: OpenSegment, way: Way, most = Number.POSITIVE_INFINITY): number {
  const [first, ...others] = listsOf(segment, way) ?? []
  if (!first) return 0
  const { gone } = segment
  if (gone === null && others.length === 0) return first.length
  let n = 0
  for (let i = 0; i < first.length && n < most; i++) {
    const one = first[i] as number
    if (gone?.[documentOf(one)] === 1) continue
    if (others.length === 0 || withOthers(one, others) !== null) n++
  }
  return n
}
