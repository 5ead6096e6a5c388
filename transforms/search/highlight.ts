/** Shows where the words of a query stand in a text: escaped for HTML, each between <mark> and </mark>. */
import { lexemesOf } from './lexemes.ts'
import type { Part } from './split-text.ts'
import { isStemLanguage, stem } from './stem.ts'

/** What is shown of a longer text, around the first word that is found. */
const shownLength = 240
const leadLength = 60

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign)

/** @param terms by which the query found it @returns null where it has none of them */
export function highlight(text: string, terms: ReadonlySet<string>, languages: readonly string[]): string | null {
  const spans = spansOf(text, terms, languages)
  const [first] = spans
  if (!first) return null
  const whole = text.length <= shownLength
  const from = whole ? 0 : wordStart(text, Math.max(0, first[0] - leadLength))
  const to = whole ? text.length : wordEnd(text, Math.min(text.length, from + shownLength))
  let shown = from > 0 ? '… ' : ''
  let at = from
  for (const [start, end] of spans) {
    if (end > to) break
    shown += `${escaped(text.slice(at, start))}<mark>${escaped(text.slice(start, end))}</mark>`
    at = end
  }
  return `${shown}${escaped(text.slice(at, to))}${to < text.length ? ' …' : ''}`
}

const wordStart = (text: string, at: number) => (at === 0 ? 0 : text.lastIndexOf(' ', at) + 1)
const wordEnd = (text: string, at: number) => {
  const end = text.lastIndexOf(' ', at)
  return at === text.length || end <= 0 || at - end > 40 ? at : end
}

/** Stemmers take off endings, and two of them the beginning of a superlative. */
const superlative = /^n[ae]j/

function spansOf(text: string, terms: ReadonlySet<string>, languages: readonly string[]): [number, number][] {
  const stems = languages.filter(isStemLanguage)
  // To make the stems of every word of a description in five languages took a sixth of a search.
  const letters = new Set(Array.from(terms, (term) => term[0]))
  const isLike = ({ text: word }: Part) => letters.has(word[0]) || superlative.test(word)
  const spans: [number, number][] = []
  for (const { kind, term, parts, start, end } of lexemesOf(text)) {
    if (kind === 'gram') {
      if (terms.has(term)) spans.push(gramSpan(text, term, start, end))
    } else if (terms.has(term)) spans.push([start, end])
    else
      for (const part of parts)
        if (isLike(part) && (terms.has(part.text) || stems.some((language) => terms.has(stem(part.raw, language)))))
          spans.push([part.start, part.end])
  }
  return merged(spans)
}

/** Pairs of letters know the run that they are of. */
function gramSpan(text: string, term: string, start: number, end: number): [number, number] {
  const at = text.slice(start, end).indexOf(term)
  return at < 0 ? [start, end] : [start + at, start + at + term.length]
}

function merged(spans: readonly [number, number][]): [number, number][] {
  const found: [number, number][] = []
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = found.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else found.push([start, end])
  }
  return found
}
