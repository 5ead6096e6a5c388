/** What was read lately, up to a number of bytes; what was not asked for longest goes first. */

export interface ByteCache<V> {
  get(key: string): V | undefined
  set(key: string, value: V, bytes: number): void
}

/** Of an entry, beside its value. */
const entryBytes = 150

export function byteCache<V>(mostBytes: number): ByteCache<V> {
  const entries = new Map<string, { value: V; bytes: number }>()
  let held = 0
  return {
    get(key) {
      const found = entries.get(key)
      if (!found) return undefined
      entries.delete(key)
      entries.set(key, found)
      return found.value
    },
    set(key, value, valueBytes) {
      const bytes = valueBytes + entryBytes
      held += bytes - (entries.get(key)?.bytes ?? 0)
      entries.delete(key)
      entries.set(key, { value, bytes })
      for (const [oldest, { bytes: freed }] of entries) {
        if (held <= mostBytes || oldest === key) break
        entries.delete(oldest)
        held -= freed
      }
    },
  }
}
