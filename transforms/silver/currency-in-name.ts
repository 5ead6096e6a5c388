/** Which currency the name of a column says for all its amounts: `Price (EUR)`, `price_usd`, `Preis in €`, `Cena Kč s DPH`. */
import { type CurrencyWord, currencyOf } from './currency.ts'
import { foldName } from './fold-name.ts'

interface NamedCurrency {
  /** As the name has it. */
  readonly word: string
  readonly means: CurrencyWord
  /** The name without it and without the preposition before it, folded. */
  readonly rest: string
}

/** Words of a name, and signs, which need no space around them. */
const parts = /[^\s_()[\]{}:;,|（）［］【】/-]+/gu
const isSign = /\p{Sc}/u
/** In the middle of a name three small letters are a word of it: "price top seller". */
const isCode = /^(?:[A-Z]{3}|[a-z]{3})$/
/** Currencies whose codes are words of such names: of a name in capitals nobody knows which is meant. */
const words = new Set(['ALL', 'TOP', 'CUP'])
/** Short words that are nothing else where a space stands before them; `fr`, `br` and `r` are countries and more. */
const plainWords = new Set(['kr', 'zl', 'kc', 'rs', 'ft'])
/** `zł`, `Kč`, `руб`, `円`: written in no other way than as money. */
const otherLetters = /^(?:zł|kč|руб|грн|лв|тг|円|元|원|đ|vnđ)\.?$/iu
const prepositions = new Set('in en em w v i в'.split(' '))

/** `priceUSD`, `Preis€` and `Price US$` are two words each; `US$` is one. */
const wordsApart = (column: string) =>
  column
    .normalize('NFC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Ll})(\p{Sc})/gu, '$1 $2')

function isCurrency(word: string, before: string, isLast: boolean): boolean {
  if (!currencyOf(word)) return false
  if (isSign.test(word) || word.length >= 4) return true
  if (isCode.test(word) && words.has(word) && !isLast && !/\p{Ll}/u.test(before)) return false
  if (isCode.test(word)) return word === word.toUpperCase() || (isLast && before.endsWith('_'))
  if (/[([（［【]\s*$/u.test(before)) return true
  return otherLetters.test(word) || (plainWords.has(word.toLowerCase()) && before.endsWith(' '))
}

const most = 1_000
const known = new Map<string, NamedCurrency | null>()

/** null where the name says none, or more than one. */
export function currencyInName(column: string): NamedCurrency | null {
  const found = known.get(column)
  if (found !== undefined) return found
  if (known.size >= most) known.clear()
  const read = look(column)
  known.set(column, read)
  return read
}

function look(column: string): NamedCurrency | null {
  const name = wordsApart(column)
  const words = [...name.matchAll(parts)].map((match) => ({ word: match[0], at: match.index }))
  const named = words.filter(({ word, at }, i) => isCurrency(word, name.slice(0, at), i === words.length - 1))
  const [only] = named
  const means = only ? currencyOf(only.word) : null
  if (!only || !means || named.some(({ word }) => currencyOf(word)?.code !== means.code)) return null
  if (words.length === named.length) return null
  const left = words.filter((one, i) => !named.includes(one) && !isPreposition(one.word, words[i + 1], named))
  return { word: only.word, means, rest: foldName(left.map(({ word }) => word).join(' ')) }
}

const isPreposition = (word: string, next: object | undefined, named: readonly object[]) =>
  prepositions.has(word.toLowerCase()) && next !== undefined && named.includes(next)
