/** The words of a brand without the form of its company, and whether two brands are one. */
import { foldText } from '../silver/fold-text.ts'
import { spelledAlike } from './spelled-alike.ts'

/** Also in titles they say nothing of a product. */
export const companies: ReadonlySet<string> = new Set(
  'gmbh ag kg ohg mbh inc llc ltd limited corp corporation co company plc sa sas sarl srl spa bv nv ab oy as manufacturing mfg international intl group brand brands ooo'.split(
    ' ',
  ),
)

export function brandWords(brand: string | null): string[] {
  if (brand === null) return []
  const words = foldText(brand.replace(/[®™©]/g, ' '))
    .replace(/['’.]/g, '')
    .match(/[\p{L}\p{N}]+/gu)
  if (!words) return []
  const own = words.filter((word) => !companies.has(word))
  return own.length > 0 ? own : words
}

/** A line of a maker counts as the maker: `Bosch Professional` is `Bosch`. */
export function sameBrand(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short.length === 0) return false
  return short.every((word, i) => spelledAlike(word, long[i] ?? '')) || short.join('') === long.join('')
}
