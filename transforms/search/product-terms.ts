/** The terms that a product is found by, each with the field that has it and its place in the title. */
import type { RefinedProduct } from '../../schemas/product.ts'
import { stopWords } from '../silver/stop-words.ts'
import { identifierTerm } from './identifier-term.ts'
import { joined, type Lexeme, lexemesOf } from './lexemes.ts'
import { purposeOf } from './purpose.ts'
import type { Part } from './split-text.ts'
import { isStemLanguage, type StemLanguage, stem } from './stem.ts'

/** Bits of a posting: where in the product the term stands. */
export const fieldBits = { title: 1, brand: 2, category: 4, attributes: 8, description: 16, identifier: 32 } as const
export type FieldBit = (typeof fieldBits)[keyof typeof fieldBits]

/** Of what does not stand in the title. */
export const noPlace = 255

export interface TermSink {
  /** @param place in the title, or `noPlace` */
  term(term: string, bit: FieldBit, place: number): void
  /** A word, which is found by its stems too. */
  word(word: Part, bit: FieldBit, place: number, languages: readonly StemLanguage[]): void
}

/** All terms of a word. */
export const wordTerms = ({ text, raw }: Part, languages: readonly StemLanguage[]): ReadonlySet<string> =>
  new Set([text, ...languages.map((language) => stem(raw, language))])

/** Fields whose words somebody may mistype, or begin to type. */
export const isTyped = (bit: FieldBit): boolean => bit !== fieldBits.description && bit !== fieldBits.identifier

/** Parts that are read of a description; what stands behind them hardly tells what a product is. */
const mostOfDescription = 300
const mostOfField = 100

const functionWords = new Map(
  Object.entries(stopWords).map(([code, { words }]) => [code, new Set(words.split(' '))] as const),
)
export const isFunctionWord = (raw: string, languages: readonly string[]): boolean =>
  languages.some((language) => functionWords.get(language)?.has(raw))

/** Values that are no words to search by are left out. */
const said = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** @param id the product's @param languages of its texts @returns words in the title */
export function productTerms(
  product: RefinedProduct,
  id: string,
  languages: readonly string[],
  sink: TermSink,
): number {
  const stems = languages.filter(isStemLanguage)
  const { title, bit } = { title: product.title ?? '', bit: fieldBits }
  const words = emit(title, bit.title, stems, sink)
  if (product.brand) emit(product.brand, bit.brand, stems, sink)
  for (const level of product.categoryPath) emit(level, bit.category, stems, sink)
  for (const text of attributeTexts(product)) emit(text, bit.attributes, stems, sink)
  if (product.description) emitDescription(product.description, languages, stems, sink)
  for (const text of [product.sku, product.gtin, product.mpn, id]) {
    const term = text ? identifierTerm(text) : null
    if (term) sink.term(term, bit.identifier, noPlace)
  }
  for (const text of [product.sku, product.mpn]) if (text) emit(text, bit.identifier, [], sink)
  return words
}

function* attributeTexts(p: RefinedProduct): Generator<string> {
  for (const text of [p.color, p.size, p.material, p.pattern, p.gender, p.ageGroup, p.seoTitle]) if (text) yield text
  yield* p.tags
  yield* Object.values(p.options)
  for (const value of Object.values(p.attributes)) {
    if (said(value)) yield String(value)
    else if (Array.isArray(value)) for (const one of value) if (said(one)) yield String(one)
  }
}

function emit(text: string, bit: FieldBit, languages: readonly StemLanguage[], sink: TermSink): number {
  const inTitle = bit === fieldBits.title
  const lexemes = lexemesOf(text, mostOfField)
  let place = 0
  let before: Part | null = null
  const purpose = inTitle ? purposeOf(text, lexemes) : []
  for (const [i, lexeme] of lexemes.entries()) {
    const isPurpose = purpose[i] === true
    const at = inTitle && !isPurpose ? Math.min(place, noPlace - 1) : noPlace
    emitLexeme(lexeme, isPurpose ? fieldBits.attributes : bit, at, languages, sink)
    if (lexeme.kind === 'gram') place++
    else place += lexeme.parts.length
    const [first] = lexeme.parts
    if (before && first && isJoinedBySome(before, first)) sink.term(joined([before, first]), bit, at)
    before = lexeme.kind === 'gram' ? null : (lexeme.parts.at(-1) ?? null)
  }
  return Math.min(place, noPlace)
}

/** `iPhone 15` is written as `iPhone15` too, and `T shirt` as `Tshirt`. */
const isJoinedBySome = (a: Part, b: Part) =>
  b.kind !== 'gram' && (a.kind !== b.kind || a.text.length === 1 || b.text.length === 1)

function emitLexeme(
  { kind, term, parts }: Lexeme,
  bit: FieldBit,
  at: number,
  languages: readonly StemLanguage[],
  sink: TermSink,
): void {
  if (kind === 'gram') {
    sink.term(term, bit, at)
    for (const letter of term.length > 1 ? [...term] : []) sink.term(letter, bit, at)
    return
  }
  const [first] = parts
  if (first && parts.length === 1 && kind !== 'measure') {
    emitPart(first, bit, at, languages, sink)
    return
  }
  sink.term(term, bit, at)
  parts.forEach((part, i) => {
    const place = at === noPlace ? noPlace : Math.min(at + i, noPlace - 1)
    emitPart(part, bit, place, languages, sink)
    const next = parts[i + 1]
    if (parts.length > 2 && next) sink.term(joined([part, next]), bit, place)
  })
  if (kind === 'measure' && parts.length > 1) sink.term(joined(parts), bit, at)
}

function emitPart(part: Part, bit: FieldBit, place: number, languages: readonly StemLanguage[], sink: TermSink): void {
  if (part.kind === 'word') {
    sink.word(part, bit, place, languages)
    return
  }
  sink.term(part.text, bit, place)
  if (part.text.includes('.')) for (const form of numberForms(part.text)) sink.term(form, bit, place)
}

/** Of `40.41.42` each number; of `1.299` also `1299`, since the point may stand between thousands. */
function numberForms(text: string): string[] {
  const each = text.split('.')
  return /^\d{1,3}(\.\d{3})+$/.test(text) ? [...each, each.join('')] : each
}

/** Words that every text of a language has find nothing there. */
function emitDescription(
  text: string,
  languages: readonly string[],
  stems: readonly StemLanguage[],
  sink: TermSink,
): void {
  for (const lexeme of lexemesOf(text, mostOfDescription)) {
    const raw = lexeme.parts[0]?.raw ?? ''
    if (lexeme.kind === 'word' && isFunctionWord(raw, languages)) continue
    emitLexeme(lexeme, fieldBits.description, noPlace, stems, sink)
  }
}
