/** Typing errors: words that are one or two letters off, found by what both become without a letter. */
import { termHash } from './term-hash.ts'

/** Shorter words have too many neighbours that are other words. */
const shortestCorrected = 5
/** From here on two letters may be wrong. */
const twoErrorsFrom = 9
/** Errors further back leave the beginning as it is. */
const prefixLength = 6

const letters = /^\p{L}+$/u
/** Words with digits are codes, of which each is another (KF-30). */
export const isCorrectable = (word: string): boolean =>
  word.length >= shortestCorrected && word.length <= 40 && letters.test(word)

/** Hashes of the beginning of a word and of it without each of its letters; none where it is not corrected. */
export function spellingKeys(catalog: string, word: string): number[] {
  if (!isCorrectable(word)) return []
  const prefix = [...word].slice(0, prefixLength)
  const forms = new Set([prefix.join('')])
  for (let i = 0; i < prefix.length; i++) forms.add(prefix.filter((_, at) => at !== i).join(''))
  return [...forms].map((form) => termHash(`${catalog}:${form}`) | 0)
}

/** The errors that one word is away from another, counting two letters that changed places as one; null beyond what is forgiven. */
export function errorsBetween(typed: string, meant: string): number | null {
  const most = typed.length >= twoErrorsFrom ? 2 : 1
  const [a, b] = [[...typed], [...meant]]
  if (Math.abs(a.length - b.length) > most) return null
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1)
      next.push(least)
    }
    before = row
    row = next
  }
  const errors = row[b.length] as number
  return errors <= most ? errors : null
}
