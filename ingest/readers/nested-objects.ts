/** Decides which objects in records of JSON lines are taken apart: those of which the name of some member is known, as `priceInfo.price`. */
import { mapHeader } from '../../transforms/silver/mapping.ts'
import { jsonFields } from '../../transforms/versions/export-row.ts'
import { takeApart } from './take-apart.ts'

interface Decided {
  /** Columns, in order of first appearance. */
  readonly keys: readonly string[]
  /** Keys whose objects are taken apart; any other object stays the JSON text that it is. */
  readonly apart: ReadonlySet<string>
  /** What was taken apart, for people. */
  readonly notes: readonly string[]
}

/** @param mostColumns with more of them no object is taken apart */
export function nestedObjects(mostColumns: number) {
  const inner = new Map<string, Set<string>>()
  let names = 0
  return {
    /** @param json of an object */
    see(key: string, json: string): void {
      // Such an object is a value of ours.
      if (names > mostColumns || jsonFields.has(key.toLowerCase())) return
      const known = inner.get(key) ?? new Set()
      inner.set(key, known)
      names -= known.size
      for (const [name] of takeApart(key, json)) known.add(name)
      names += known.size
    },
    /** @param filled by place of the key: whether it has values that are no objects */
    decide(keys: readonly string[], filled: readonly boolean[]): Decided {
      const within = (key: string) => [...(inner.get(key) ?? [])]
      const stays = (key: string, i: number) => !inner.has(key) || filled[i] === true
      const withinAll = keys.flatMap((key, i) => (stays(key, i) ? [key, ...within(key)] : within(key)))
      const { mapping } = mapHeader([...new Set(withinAll)])
      const known = (key: string) => within(key).find((name) => name !== key && Object.hasOwn(mapping, name))
      const apart = new Set(keys.length + names > mostColumns ? [] : keys.filter((key) => known(key) !== undefined))
      const columns = keys.flatMap((key, i) =>
        !apart.has(key) ? [key] : filled[i] ? [key, ...within(key)] : within(key),
      )
      const notes = [...apart].map(
        (key) => `${JSON.stringify(key)} is read by its members, as ${JSON.stringify(known(key))}`,
      )
      return { keys: [...new Set(columns)], apart, notes }
    },
  }
}
