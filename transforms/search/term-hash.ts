/** The number under which the index keeps a term: 53 bits, so that two terms of a catalog hardly ever share one. */

/** Two runs over the text with different multipliers, 21 bits of one above 32 of the other. */
export function termHash(term: string): number {
  let [low, high] = [0x811c9dc5, 0x9e3779b9]
  for (let i = 0; i < term.length; i++) {
    const code = term.charCodeAt(i)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b)
    high ^= high >>> 15
  }
  low ^= low >>> 16
  low = Math.imul(low, 0x7feb352d)
  low ^= low >>> 15
  high = Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  high ^= high >>> 16
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0)
}
