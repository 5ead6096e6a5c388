/** Knows an object whose members are objects alike, as `{"p1": {…}, "p2": {…}}`, and makes one place of them all. */
import type { Place } from './survey.ts'

/** So many of the members are objects, and so many of those alike: usual keys are most of what each has, and each has most of them. */
const nearly = 0.9
const most = 0.5

/** @returns null where the members are parts of one thing, each with keys of its own */
export function keyedPlace(above: Place): Place | null {
  const { inner, otherwise, depth, number, below } = above
  if (inner < 2 || inner < nearly * (inner + otherwise)) return null
  const members = [...below.values()].filter(({ objects, keys }) => objects > 0 && keys.size > 0)
  if (members.length < 2) return null
  const counts = new Map<string, number>()
  const keys = new Map<string, boolean>()
  for (const member of members)
    for (const [key, plain] of member.keys) {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      keys.set(key, (keys.get(key) ?? false) || plain)
    }
  const usual = [...counts].flatMap(([key, count]) => (count > most * members.length ? [key] : []))
  const alike = members.filter((member) => {
    const had = usual.filter((key) => member.keys.has(key)).length
    return had >= most * usual.length && had >= most * member.keys.size
  })
  if (usual.length < 2 || alike.length < nearly * members.length) return null
  const none = { arrays: 0, inner: 0, otherwise: 0 }
  return { key: null, keyed: true, above, depth: depth + 1, number, below: new Map(), keys, objects: inner, ...none }
}
