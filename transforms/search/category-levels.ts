/** The levels of category paths: a product counts for each level of its own. */

/** By the list of a segment's paths, which lives as long as the segment is kept. */
const known = new WeakMap<readonly string[], (readonly string[] | undefined)[]>()

/** @param paths as JSON @returns the path's levels as JSON, the whole path last */
export function levelsOf(paths: readonly string[], code: number): readonly string[] {
  let of = known.get(paths)
  if (!of) {
    of = []
    known.set(paths, of)
  }
  const found = of[code]
  if (found) return found
  const names = JSON.parse(paths[code] as string) as string[]
  const levels = names.map((_, i) => JSON.stringify(names.slice(0, i + 1)))
  of[code] = levels
  return levels
}
