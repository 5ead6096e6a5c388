/** Finds a product's document in a segment by its id. */
import type { OpenSegment } from './open-segment.ts'

/** By the ids of a segment, which live as long as the segment is kept: twice as many places as documents, each with one and 1 added. */
const known = new WeakMap<Uint32Array, Uint16Array>()

export type IdWords = readonly [number, number, number, number]

const placeOf = (first: number, last: number, size: number) =>
  (Math.imul(first ^ Math.imul(last, 0x9e3779b1), 0x85ebca6b) >>> 8) & (size - 1)

function placesOf(ids: Uint32Array): Uint16Array {
  const found = known.get(ids)
  if (found) return found
  const n = ids.length / 4
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, n * 2)))
  const places = new Uint16Array(size)
  for (let document = 0; document < n; document++) {
    let at = placeOf(ids[document * 4] as number, ids[document * 4 + 3] as number, size)
    while (places[at] !== 0) at = (at + 1) & (size - 1)
    places[at] = document + 1
  }
  known.set(ids, places)
  return places
}

/** @returns -1 where the version has no such product */
export function findDocument({ columns, gone }: OpenSegment, id: IdWords): number {
  const { ids } = columns.base
  const places = placesOf(ids)
  for (let at = placeOf(id[0], id[3], places.length); ; at = (at + 1) & (places.length - 1)) {
    const document = (places[at] as number) - 1
    if (document < 0) return -1
    if (gone?.[document] !== 1 && id.every((word, i) => ids[document * 4 + i] === word)) return document
  }
}
