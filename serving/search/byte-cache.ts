/** What was read of segments lately, up to a number of bytes; what was not asked for since it was last passed over goes first. */

export interface ByteCache<V> {
  get(segment: number, name: string | number): V | undefined
  set(segment: number, name: string | number, value: V, bytes: number): void
}

interface Entry<V> {
  readonly segment: number
  readonly name: string | number
  readonly value: V
  readonly bytes: number
  wasAsked: boolean
}

/** Of an entry, beside its value. */
const entryBytes = 150

/** A question asks a thousand times: to make a key of both and to move what is found cost a tenth of a search. */
export function byteCache<V>(mostBytes: number): ByteCache<V> {
  const bySegment = new Map<number, Map<string | number, Entry<V>>>()
  const inTurn = new Set<Entry<V>>()
  let held = 0

  function drop(entry: Entry<V>): void {
    const { segment, name, bytes } = entry
    const own = bySegment.get(segment)
    own?.delete(name)
    if (own?.size === 0) bySegment.delete(segment)
    inTurn.delete(entry)
    held -= bytes
  }

  return {
    get(segment, name) {
      const found = bySegment.get(segment)?.get(name)
      if (!found) return undefined
      found.wasAsked = true
      return found.value
    },
    set(segment, name, value, valueBytes) {
      const former = bySegment.get(segment)?.get(name)
      if (former) drop(former)
      const entry: Entry<V> = { segment, name, value, bytes: valueBytes + entryBytes, wasAsked: false }
      const own = bySegment.get(segment) ?? new Map<string | number, Entry<V>>()
      bySegment.set(segment, own.set(name, entry))
      inTurn.add(entry)
      held += entry.bytes
      // What is put at the end is come to once more.
      for (const oldest of inTurn) {
        if (held <= mostBytes) break
        if (oldest === entry) continue
        if (!oldest.wasAsked) drop(oldest)
        else {
          oldest.wasAsked = false
          inTurn.delete(oldest)
          inTurn.add(oldest)
        }
      }
    },
  }
}
