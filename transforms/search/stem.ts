/** Takes endings off words, by language: the one file that names the stemmers. */
import StemmerCs from '@nlpjs/lang-cs/src/stemmer-cs.js'
import StemmerPl from '@nlpjs/lang-pl/src/stemmer-pl.js'
import { stemmer as nl } from '@orama/stemmers/dutch'
import { stemmer as en } from '@orama/stemmers/english'
import { stemmer as fr } from '@orama/stemmers/french'
import { stemmer as de } from '@orama/stemmers/german'
import { stemmer as it } from '@orama/stemmers/italian'
import { stemmer as pt } from '@orama/stemmers/portuguese'
import { stemmer as ru } from '@orama/stemmers/russian'
import { stemmer as es } from '@orama/stemmers/spanish'
import { foldLetters } from './fold-letters.ts'

const [pl, cs] = [new StemmerPl(), new StemmerCs()]

/** Japanese and Chinese are found by pairs of letters and have no endings to take off. */
const stemmers = {
  ...{ en, de, fr, es, pt, it, nl, ru },
  pl: (word: string) => pl.stemWord(word),
  cs: (word: string) => cs.stemWord(word),
} as const satisfies Record<string, (word: string) => string>

export type StemLanguage = keyof typeof stemmers
export const isStemLanguage = (code: string): code is StemLanguage => Object.hasOwn(stemmers, code)

const known = new Map<StemLanguage, Map<string, string>>()
/** Of one language: a stem takes 2 to 30 µs to make, and a catalog says the same words again and again. */
const mostKnown = 100_000
/** What is shorter has no ending that could go; what is longer is no word. */
const [shortest, longest] = [3, 40]

/** @param word in lower case with its accents, without which endings are others @returns folded; the word itself where nothing comes off */
export function stem(word: string, language: StemLanguage): string {
  if (word.length < shortest || word.length > longest) return foldLetters(word)
  const of = known.get(language) ?? new Map<string, string>()
  const found = of.get(word)
  if (found !== undefined) return found
  if (of.size >= mostKnown) of.clear()
  const made = foldLetters(stemmers[language](word))
  // One letter says nothing: then it was no ending.
  const kept = made.length < 2 ? foldLetters(word) : made
  of.set(word, kept)
  known.set(language, of)
  return kept
}
