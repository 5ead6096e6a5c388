/** Counts the objects at each place of a JSON document, with the keys that they have. */
import type { Guide } from './walk.ts'
import { startWalk } from './walk.ts'

/** All items of one array are one place. */
export interface Place {
  /** Null for the items of an array, and for the root values of the file. */
  readonly key: string | null
  readonly above: Place | null
  readonly depth: number
  /** Stands for all members of the object above, whatever their keys are. */
  readonly keyed?: true
  /** In order of first appearance. */
  readonly number: number
  readonly below: Map<string | null, Place>
  /** Keys of its objects, and whether a text, number or the like stands there. */
  readonly keys: Map<string, boolean>
  objects: number
  arrays: number
  /** Members of its objects that are objects, and that are anything else. */
  inner: number
  otherwise: number
}

const mostPlaces = 2_000
const mostKeys = 500
const longestKey = 200
/** Members of objects at one place that are looked into: more of them are no names but keys of products. */
const lookedMembers = 200
/** Objects of an array that are looked into; the others are counted. */
const looked = 200
/** An array at the top has its products there: this much of it shows of what kind they are. Characters. */
const enoughOfArray = 2 ** 22

/** @returns all places in order of first appearance; the first is the file itself */
export async function surveyJson(text: AsyncIterable<string>): Promise<readonly Place[]> {
  const file = placeAt(null, null, 0)
  const places = [file]

  function below(place: Place, key: string | null): Place | null {
    const known = place.below.get(key)
    if (known || places.length >= mostPlaces || place.below.size >= lookedMembers) return known ?? null
    const found = placeAt(key, place, places.length)
    place.below.set(key, found)
    places.push(found)
    return found
  }

  const guide: Guide<Place> = {
    file,
    lenient: true,
    look(place, key, first) {
      const holds = first === '{' || first === '['
      if (key !== null && key.length <= longestKey && (place.keys.has(key) || place.keys.size < mostKeys))
        place.keys.set(key, (place.keys.get(key) ?? false) || !holds)
      if (key !== null && first === '{') place.inner++
      else if (key !== null) place.otherwise++
      if (!holds) return null
      const found = key !== null && key.length > longestKey ? null : below(place, key)
      if (!found) return null
      if (first === '[') found.arrays++
      else found.objects++
      return found.objects > looked && key === null ? null : found
    },
  }

  const walk = startWalk(guide)
  let seen = 0
  for await (const piece of text) {
    walk.take(piece)
    seen += piece.length
    const root = file.below.get(null)
    if (seen > enoughOfArray && root && root.arrays > 0) return places
  }
  walk.end()
  return places
}

const placeAt = (key: string | null, above: Place | null, number: number): Place => ({
  key,
  above,
  depth: above ? above.depth + 1 : 0,
  number,
  below: new Map(),
  keys: new Map(),
  objects: 0,
  arrays: 0,
  inner: 0,
  otherwise: 0,
})
