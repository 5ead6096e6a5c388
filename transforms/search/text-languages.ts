/** In which language each product is: by its small words, else as most of its catalog are. */
import type { RefinedProduct } from '../../schemas/product.ts'
import { stopWords } from '../silver/stop-words.ts'
import { splitText } from './split-text.ts'

const having = new Map<string, string[]>()
for (const [code, { words }] of Object.entries(stopWords))
  for (const word of words.split(' ')) having.set(word, [...(having.get(word) ?? []), code])

const letters = Object.entries(stopWords).flatMap(([code, { letters }]) =>
  [...letters].map((letter) => [letter, code] as const),
)

const ascii = /^[\0-\x7f]*$/

/** Words that are looked at. */
const mostWords = 60
/** What fewer than this share of those with a language have is taken for a mistake where nothing tells. */
const leastShare = 0.2

/** Products in each language. */
export type LanguageCounts = Readonly<Record<string, number>>

/**
 * @param others products of the catalog that were looked at before: by these alone a single one that was changed is told
 * @returns of each product its languages, the surest first; at most two
 */
export function textLanguages(products: readonly RefinedProduct[], others: LanguageCounts = {}): (readonly string[])[] {
  const own = products.map(languageOf)
  const counts = new Map(Object.entries(others))
  for (const language of own) if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1)
  const known = [...counts.values()].reduce((sum, n) => sum + n, 0)
  const common = [...counts]
    .filter(([, n]) => n >= known * leastShare)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 2)
    .map(([code]) => code)
  const usual = common.length === 0 ? ['en'] : common
  return own.map((language) => (language === null ? usual : [language]))
}

/** @returns null where nothing tells one before the others */
function languageOf({ title, description }: RefinedProduct): string | null {
  const text = `${title ?? ''} ${(description ?? '').slice(0, 600)}`
  const scores = new Map<string, number>()
  const count = (codes: readonly string[]) => {
    for (const code of codes) scores.set(code, (scores.get(code) ?? 0) + 1)
  }
  for (const { raw } of splitText(text, mostWords)) count(having.get(raw) ?? [])
  const small = ascii.test(text) ? '' : text.toLowerCase()
  for (const [letter, code] of letters) if (small.includes(letter)) count([code])
  const [best, next] = [...scores].sort(([, a], [, b]) => b - a)
  return best && best[1] > (next?.[1] ?? 0) ? best[0] : null
}
