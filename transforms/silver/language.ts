/** Tells which language a column's texts are in, by words that a language cannot do without, by letters that it alone has, and by script. */
import type { ColumnLanguage } from '../../schemas/pipeline.ts'
import { quote } from './quote.ts'
import { stopWords } from './stop-words.ts'

/** Scripts of one language each, by its code of ISO 639-1. */
const scripts: readonly (readonly [code: string, letters: RegExp])[] = [
  ['ko', /\p{Script=Hangul}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['th', /\p{Script=Thai}/gu],
]
const kana = /[\u3041-\u30ff]/g
const han = /\p{Script=Han}/gu

/** The languages that have a word or a letter. */
const having = new Map<string, string[]>()
for (const [code, { words, letters }] of Object.entries(stopWords))
  for (const sign of new Set([...words.split(' '), ...letters])) having.set(sign, [...(having.get(sign) ?? []), code])
const letters = Object.values(stopWords).map((signs) => signs.letters)
const ownLetter = new RegExp(`[${letters.join('')}]`, 'g')

/** So many cells are looked at before the distance between those looked at doubles. */
const perStride = 256
/** Of each cell; markup is left out. */
const longest = 400
/** One text in a script is as sure as so many words. */
const mostOfScript = 10
/** What is less sure is not called a language. */
const surest = 0.6

export interface LanguageEvidence {
  /** Shown every cell of a column, looks at some hundreds of them, spread over the whole file. */
  see(raw: string): void
  /** null where no cell had a word of any language. */
  result(): ColumnLanguage | null
}

export function languageEvidence(): LanguageEvidence {
  const scores = new Map<string, number>()
  const examples = new Map<string, Set<string>>()
  let signs = 0
  let cells = 0
  let looked = 0
  let stride = 1
  const count = (codes: readonly string[], n: number, sign?: string) => {
    if (n > 0) signs += n
    for (const code of codes) {
      if (n > 0) scores.set(code, (scores.get(code) ?? 0) + n)
      const shown = examples.get(code) ?? new Set()
      if (sign !== undefined && shown.size < 3) examples.set(code, shown.add(sign))
    }
  }
  const see = (raw: string) => {
    if (cells++ % stride !== 0) return
    if (++looked % perStride === 0) stride *= 2
    const text = raw
      .slice(0, longest)
      .replace(/<[^>]*>?|&\w+;/g, ' ')
      .toLowerCase()
    for (const [code, n] of scriptsIn(text)) count([code], n)
    for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu)) {
      const codes = having.get(word)
      if (codes) count(codes, 1, word)
    }
    for (const [letter] of text.matchAll(ownLetter)) count(having.get(letter) ?? [], 1, letter)
  }
  return { see, result: () => decide(scores, signs, examples) }
}

function scriptsIn(text: string): (readonly [code: string, letters: number])[] {
  if (/^[ -\u024f]*$/.test(text)) return []
  const lettersOf = (script: RegExp) => text.match(script)?.length ?? 0
  const [ofJapanese, ofBoth] = [lettersOf(kana), lettersOf(han)]
  const eastern = [ofJapanese > 0 ? 'ja' : 'zh', ofJapanese + ofBoth] as const
  const all = [eastern, ...scripts.map(([code, script]) => [code, lettersOf(script)] as const)]
  return all.map(([code, n]) => [code, Math.min(n, mostOfScript)] as const)
}

/** The share of signs that the best language has, and less where few of them speak against the next. */
function decide(
  scores: ReadonlyMap<string, number>,
  signs: number,
  examples: ReadonlyMap<string, ReadonlySet<string>>,
): ColumnLanguage | null {
  const [best, next] = [...scores].sort(([, a], [, b]) => b - a)
  if (best === undefined) return null
  const [code, has] = best
  const against = has - (next?.[1] ?? 0)
  const confidence = Math.floor((100 * (has / signs) * against) / (against + 2)) / 100
  const shown = [...(examples.get(code) ?? [])].map(quote).join(', ')
  const seen = `${signs} words and letters${shown === '' ? '' : ` such as ${shown}`}`
  return confidence < surest
    ? { language: null, confidence, reason: `${seen} do not tell the language` }
    : { language: code, confidence, reason: seen }
}
