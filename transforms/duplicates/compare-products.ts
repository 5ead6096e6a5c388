/** Whether two products are the same thing, why, and how sure that is; null where they are two. */
import type { DuplicateReason } from '../../schemas/duplicate.ts'
import { sameBrand } from './brand-words.ts'
import { compareTitles, titlesShare } from './compare-titles.ts'
import { conflict } from './conflict.ts'
import type { Traits } from './traits.ts'

export interface Likeness {
  /** Strongest first. */
  readonly reasons: readonly DuplicateReason[]
  /** In hundredths. */
  readonly confidence: number
}

/** One number is one trade item: where else the two contradict, a cell is wrong, and a person should look. */
const sameNumber = 99
const sameNumberOtherThing = 70
const samePart = 95
const samePage = 90

export function compareProducts(a: Traits, b: Traits): Likeness | null {
  if (a.parent !== b.parent || (a.family !== null && a.family === b.family)) return null
  const found: (readonly [DuplicateReason, number])[] = []
  const contradicts = conflict(a, b)
  const bothNumbers = a.gtin !== null && b.gtin !== null
  if (bothNumbers && a.gtin === b.gtin) found.push(['gtin', contradicts ? sameNumberOtherThing : sameNumber])
  if (!contradicts && !(bothNumbers && a.gtin !== b.gtin)) {
    const bothParts = a.mpn !== null && b.mpn !== null
    const samePartNumber = bothParts && a.mpn === b.mpn
    if (samePartNumber && sameBrand(a.brand, b.brand)) found.push(['mpn_brand', samePart])
    if (!bothParts || samePartNumber) {
      const title = compareTitles(a, b)
      if (a.url !== null && a.url === b.url && titlesShare(a, b)) found.push(['url', samePage])
      if (title !== null) found.push(['title', title])
    }
  }
  if (found.length === 0) return null
  return { reasons: found.map(([reason]) => reason), confidence: Math.max(...found.map(([, sure]) => sure)) }
}
