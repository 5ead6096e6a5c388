/** Numbers for texts: spread evenly, the same on every machine, and no secret. */

/** FNV-1a with another beginning for each seed, then mixed, so that near texts are far apart. */
export function hash32(text: string, seed = 0): number {
  let h = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1)
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39)
  return (h ^ (h >>> 15)) >>> 0
}

/** 52 bits, which a number holds exactly. */
export const hash52 = (text: string): number => (hash32(text, 1) & 0xfffff) * 0x100000000 + hash32(text, 2)
