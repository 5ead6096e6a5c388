/** Whether two folded words are one but for a slip of the hand: a letter more, less, other or in its neighbor's place. */

/** Shorter words are other words: oak and oat, lime and line. */
const leastForOne = 5
const leastForTwo = 9

export function spelledAlike(a: string, b: string): boolean {
  if (a === b) return true
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  // People begin a word rightly, and what a number is made of is no slip.
  if (short.charCodeAt(0) !== long.charCodeAt(0) || /\d/.test(long)) return false
  if (isPlural(short, long)) return true
  const most = short.length >= leastForTwo ? 2 : short.length >= leastForOne ? 1 : 0
  return long.length - short.length <= most && most > 0 && distance(short, long, most) <= most
}

const isPlural = (one: string, many: string) =>
  one.length >= 3 && many.startsWith(one) && (many.length - one.length === 1 ? many.endsWith('s') : many === `${one}es`)

/** Steps from one to the other, a swap of neighbors being one; more than `most` is not counted further. */
function distance(a: string, b: string, most: number): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let steps = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        steps = Math.min(steps, (before[j - 2] ?? 0) + 1)
      row.push(steps)
      least = Math.min(least, steps)
    }
    if (least > most) return least
    before = last
    last = row
  }
  return last[b.length] ?? 0
}
