/** Gives text or bytes as a stream cut at the given places, as a network or a disk would cut it; bytes are spoilt when the next are asked for, as those of files are. */
export async function* inPieces<T extends string | Uint8Array>(whole: T, cuts: readonly number[]): AsyncGenerator<T> {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length])].sort((a, b) => a - b)
  for (const [i, place] of places.entries()) {
    const end = places[i + 1] ?? whole.length
    // A slice of a Buffer would be a view of it.
    const piece =
      typeof whole === 'string' ? whole.slice(place, end) : Uint8Array.prototype.slice.call(whole, place, end)
    yield piece as T
    if (typeof piece !== 'string') piece.fill(spoilt)
  }
}

/** Part of no text in UTF-8. */
const spoilt = 0xff
