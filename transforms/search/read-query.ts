/** Reads what somebody typed: words in order, each with the terms that find it, exact ones first. */
import { identifierTerm } from './identifier-term.ts'
import { type Lexeme, lexemesOf } from './lexemes.ts'
import { isFunctionWord } from './product-terms.ts'
import { isStemLanguage, type StemLanguage, stem } from './stem.ts'

/** All of `terms` together are one way to find a word. */
export interface Way {
  readonly terms: readonly string[]
  /** Up to 1. */
  readonly weight: number
  /** Only where no way before it finds anything. */
  readonly otherwise?: true
}

export interface QueryWord {
  readonly text: string
  readonly kind: Lexeme['kind']
  readonly start: number
  readonly end: number
  readonly ways: readonly Way[]
  /** Every text has it: it counts where it is found, and need not be. */
  readonly optional: boolean
}

export interface ReadQuery {
  readonly words: readonly QueryWord[]
  /** The whole of it as an identifier. */
  readonly identifier: string | null
}

/** As many as a shopper would not type; the rest is not looked for. */
const mostWords = 32
const stemWeight = 0.9

/** @param languages of the texts that are searched */
export function readQuery(q: string, languages: readonly string[]): ReadQuery {
  const stems = languages.filter(isStemLanguage)
  const lexemes = lexemesOf(q, mostWords)
  if (isOneCode(q, lexemes)) return { words: [codeOf(q, lexemes)], identifier: identifierTerm(q) }
  const words = lexemes.map((lexeme): QueryWord => {
    const { kind, term, parts, start, end } = lexeme
    const optional = kind === 'word' && isFunctionWord(parts[0]?.raw ?? '', languages)
    return { text: term, kind, start, end, ways: waysOf(lexeme, stems, q), optional }
  })
  const identifier = words.length > 0 ? identifierTerm(q) : null
  // Where nothing else was typed, they are what is meant.
  return {
    words: words.every((word) => word.optional) ? words.map((word) => ({ ...word, optional: false })) : words,
    identifier,
  }
}

/** A code of so many parts that it is read in pieces, as an id is: some of its pieces are no answer to it. */
const isOneCode = (q: string, lexemes: readonly Lexeme[]): boolean =>
  lexemes.length > 1 &&
  /^[\p{L}\p{N}._:-]*\d[\p{L}\p{N}._:-]*$/u.test(q.trim()) &&
  lexemes.every(({ kind }) => kind !== 'gram')

function codeOf(q: string, lexemes: readonly Lexeme[]): QueryWord {
  const identifier = identifierTerm(q)
  const [start, end] = [lexemes[0]?.start ?? 0, lexemes.at(-1)?.end ?? 0]
  const pieces = lexemes.map(({ term }) => term)
  return {
    ...{ text: pieces.join(' '), kind: 'code', start, end, optional: false },
    ways: [...(identifier ? [{ terms: [identifier], weight: 1 }] : []), { terms: pieces, weight: 1, otherwise: true }],
  }
}

function waysOf(lexeme: Lexeme, languages: readonly StemLanguage[], q: string): Way[] {
  const { kind, term, parts } = lexeme
  const ways: Way[] = [{ terms: [term], weight: 1 }]
  const identifier = isWhole(lexeme, q) && /\d/.test(term) ? identifierTerm(q.slice(lexeme.start, lexeme.end)) : null
  if (identifier) ways.push({ terms: [identifier], weight: 1 })
  if (kind === 'word')
    for (const made of stemsOf(parts[0]?.raw ?? '', term, languages)) ways.push({ terms: [made], weight: stemWeight })
  if (parts.length < 2) return ways
  const apart = parts.map(({ text }) => text)
  // A code that somebody has is meant as it stands; words with a mark between them are often written without.
  if (kind === 'joined') {
    ways.push({ terms: apart, weight: stemWeight })
    const made = parts.map(({ raw, text }) => stemsOf(raw, text, languages)[0] ?? text)
    if (made.some((each, i) => each !== apart[i])) ways.push({ terms: made, weight: stemWeight ** 2 })
  } else ways.push({ terms: apart, weight: stemWeight, otherwise: true })
  return ways
}

/** A run between blanks: codes are typed so. */
const isWhole = ({ start, end }: Lexeme, q: string) =>
  (start === 0 || /\s/.test(q[start - 1] ?? '')) && (end === q.length || /\s/.test(q[end] ?? ''))

const stemsOf = (raw: string, term: string, languages: readonly StemLanguage[]): string[] => [
  ...new Set(languages.map((language) => stem(raw, language)).filter((made) => made !== term)),
]
