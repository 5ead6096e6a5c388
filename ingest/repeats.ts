/** Which identifiers of a file stand on more than one of its rows: 62 bits of each in one table, since only such rows need a closer look. */

/** Odd, so that no step loses a bit. */
const [stepA, stepB, mixA, mixB] = [0x9e37_79b1, 0x85eb_ca77, 0x2c1b_3c6d, 0x297a_2d39]
/** Two words a slot. 128 MB at most, twelve million identifiers. */
const mostSlots = 2 ** 24
const fullest = 0.75
/** In a slot's second word. */
const [repeated, taken] = [1, 2]

export interface Repeats {
  /** @param kind what the text identifies by: equal texts of two kinds are no repetition */
  see(kind: number, text: string): void
  /** Whether it was seen twice; a chance collision, and what came when the table was full, may have been seen once. */
  has(kind: number, text: string): boolean
  /** Whether anything was. */
  readonly some: boolean
}

/** @param slots at first, and at most */
export function openRepeats(slots: readonly [number, number] = [2 ** 12, mostSlots]): Repeats {
  const [, most] = slots
  let size = slots[0]
  let words = new Uint32Array(2 * size)
  let held = 0
  let full = false
  let some = false
  let [low, high] = [0, 0]

  /** Quick, and no proof against forgery: who forges only has their own rows looked at closer. */
  const digest = (kind: number, text: string) => {
    let a = kind
    let b = ~kind
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      a = Math.imul(a ^ code, stepA)
      b = Math.imul(((b << 5) | (b >>> 27)) ^ code, stepB)
    }
    a = Math.imul(a ^ (a >>> 15), mixA)
    b = Math.imul(b ^ (b >>> 16), mixB)
    low = (a ^ (a >>> 13)) >>> 0
    high = (((b ^ (b >>> 15)) & ~3) | taken) >>> 0
  }
  /** @returns the place of its slot, or of the free one where it would stand */
  const place = () => {
    for (let at = low & (size - 1); ; at = (at + 1) & (size - 1)) {
      const second = words[2 * at + 1] ?? 0
      if (second === 0 || (words[2 * at] === low && second >>> 1 === high >>> 1)) return 2 * at
    }
  }
  const grow = () => {
    const former = words
    size *= 2
    words = new Uint32Array(2 * size)
    for (let at = 0; at < former.length; at += 2) {
      const second = former[at + 1] ?? 0
      if (second === 0) continue
      low = former[at] ?? 0
      high = second
      const to = place()
      words[to] = low
      words[to + 1] = second
    }
  }
  return {
    see(kind, text) {
      digest(kind, text)
      const at = place()
      if (words[at + 1] !== 0) {
        words[at + 1] = (words[at + 1] ?? 0) | repeated
        some = true
        return
      }
      if (held >= size * fullest && size >= most) {
        full = true
        some = true
        return
      }
      words[at] = low
      words[at + 1] = high
      held++
      if (held >= size * fullest && size < most) grow()
    },
    has(kind, text) {
      digest(kind, text)
      const second = words[place() + 1] ?? 0
      return second === 0 ? full : (second & repeated) !== 0
    },
    get some() {
      return some
    },
  }
}
