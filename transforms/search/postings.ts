/** Where each term of a segment stands: one number a document, long lists in rows of their own, short ones together in buckets. */
import { termHash } from './term-hash.ts'

/** Document above, then the bits of the fields that have the term, then its place in the title. */
export const posting = (document: number, bits: number, place: number): number =>
  ((document << 16) | (bits << 8) | place) >>> 0
export const documentOf = (one: number): number => one >>> 16
export const bitsOf = (one: number): number => (one >>> 8) & 0xff
export const placeOf = (one: number): number => one & 0xff

/** Shorter lists share a row: three of four terms of a catalog stand in one or two products. */
const ownRowFrom = 32
const termsPerBucket = 48
const mostBuckets = 4_096

export interface PostingRow {
  /** A term's number; of a bucket a negative one. */
  readonly key: number
  readonly data: Uint8Array
}

/** Grows by doubling. */
export interface GrowingList {
  n: number
  list: Uint32Array
}

export const bucketCount = (terms: number): number => {
  let buckets = 1
  while (buckets < mostBuckets && buckets * termsPerBucket < terms) buckets *= 2
  return buckets
}

const bucketKey = (hash: number, buckets: number): number => -1 - ((hash >>> 0) & (buckets - 1))

/** The rows that a reader of the term asks for are its own and its bucket's. @param hash of the term */
export const bucketOf = (hash: number, buckets: number): number => bucketKey(hash % 0x1_0000_0000, buckets)

export function* postingRows(terms: ReadonlyMap<string, GrowingList>, buckets: number): Generator<PostingRow> {
  const shared = new Map<number, number[]>()
  for (const [term, { n, list }] of terms) {
    const hash = termHash(term)
    if (n >= ownRowFrom) {
      yield { key: hash, data: new Uint8Array(list.buffer, list.byteOffset, n * 4) }
      continue
    }
    const low = hash % 0x1_0000_0000
    const key = bucketKey(low, buckets)
    const into = shared.get(key) ?? []
    if (into.length === 0) shared.set(key, into)
    into.push(low, ((Math.floor(hash / 0x1_0000_0000) << 5) | n) >>> 0)
    for (let i = 0; i < n; i++) into.push(list[i] as number)
  }
  for (const [key, words] of shared) yield { key, data: new Uint8Array(Uint32Array.from(words).buffer) }
}

/** @param hash of the term @param own its row @param bucket that it may stand in */
export function findPostings(hash: number, own: Uint32Array | null, bucket: Uint32Array | null): Uint32Array | null {
  if (own) return own
  if (!bucket) return null
  const [low, high] = [hash % 0x1_0000_0000, Math.floor(hash / 0x1_0000_0000)]
  for (let at = 0; at < bucket.length; ) {
    const second = bucket[at + 1] as number
    const n = second & 31
    if (bucket[at] === low && second >>> 5 === high) return bucket.subarray(at + 2, at + 2 + n)
    at += 2 + n
  }
  return null
}
