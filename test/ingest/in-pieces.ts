/** Gives text or bytes as a stream cut at the given places, as a network or a disk would cut it. */
export async function* inPieces<T extends string | Uint8Array>(whole: T, cuts: readonly number[]): AsyncGenerator<T> {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length])].sort((a, b) => a - b)
  for (const [i, place] of places.entries()) yield whole.slice(place, places[i + 1] ?? whole.length) as T
}
