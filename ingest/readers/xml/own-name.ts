/** One and the same text for a name wherever it stands: products have the same elements over and over. */
const known = new Map<string, string>()
const mostKnown = 10_000
/** Names of data are long and stand once. */
const longest = 64

/** @param name may be cut out of a longer text, which is not kept in memory for it */
export function ownName(name: string): string {
  const found = known.get(name)
  if (found !== undefined) return found
  // Of short texts V8 makes copies by itself.
  const own = name.length < 13 ? name : ` ${name}`.slice(1)
  if (name.length > longest) return own
  if (known.size >= mostKnown) known.clear()
  known.set(own, own)
  return own
}
