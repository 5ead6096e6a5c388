/** Says how likely a text is to be what its writer meant, from its letters and from what stands beside them. */
import { type Alphabet, alphabets, type CommonPlane, type Language, signs, wideSigns } from './alphabets.ts'
import { lenientDecoder } from './lenient-decoder.ts'

/** Shares of small letters, capitals and signs among what is no ASCII; what is left is for the unexpected. */
const smallShare = 0.68
const capitalShare = 0.12
const signShare = 0.15
/** Of a script that no list can hold: what is listed, what else is common, and what is rare. */
const listedShare = 0.6
const commonShare = 0.28
const rareCharacter = 0.02 / 20_000
const foreignLetter = 2e-5
const foreignSign = 1e-5
const noCharacter = 1e-8
/** A character where it is not written: a capital behind a small letter, a Cyrillic letter beside a Latin one. */
const outOfPlace = Math.log(0.01)

const ranked = (list: string, share: number, slow: boolean): Map<string, number> => {
  const characters = [...new Set(list)]
  const weights = characters.map((_, i) => 1 / (i + (slow ? 8 : 1)))
  const sum = weights.reduce((a, b) => a + b, 0)
  return new Map(characters.map((character, i) => [character, (share * (weights[i] ?? 0)) / sum]))
}

function chancesOf({ letters, whole = false, rest, signs: mostlySigns = false }: Alphabet): Map<string, number> {
  const [letterShare, share] = mostlySigns ? [signShare, smallShare] : [smallShare, signShare]
  const small = ranked(letters, rest ? listedShare : letterShare, whole)
  const chances = ranked(rest ? wideSigns : signs, share, false)
  if (rest) {
    const common = charactersOf(rest)
    for (const character of common) chances.set(character, commonShare / common.length)
  }
  for (const [letter, chance] of small) chances.set(letter, chance)
  if (rest) return chances
  for (const [letter, chance] of small) {
    const capital = letter === 'i' ? 'İ' : letter.toUpperCase()
    if (capital !== letter && capital.length === 1) chances.set(capital, (chance * capitalShare) / smallShare)
  }
  return chances
}

function charactersOf({ encoding, leads: [first, last], firstTrail }: CommonPlane): string[] {
  const decode = lenientDecoder(encoding)
  const found: string[] = []
  for (let lead = first; lead <= last; lead++)
    for (let trail = firstTrail; trail <= 0xfe; trail++) {
      const text = decode(Uint8Array.of(lead, trail))
      if (text.length === 1 && east.test(text)) found.push(text)
    }
  return found
}

/** Most files are UTF-8 and ask for none. */
const known = new Map<Language, Map<string, number>>()

function chancesIn(language: Language): Map<string, number> {
  const chances = known.get(language) ?? chancesOf(alphabets[language])
  known.set(language, chances)
  return chances
}

/** What stands in a text beyond ASCII, counted once for all languages. */
export interface Evidence {
  readonly counts: ReadonlyMap<string, number>
  readonly total: number
  /** Characters that are none, or stand where they are not written. */
  readonly wrong: number
  readonly penalty: number
}

const letter = /\p{L}/u
const latin = /\p{Script=Latin}/u
/** What is written over or under a letter, as in Thai and Hebrew. */
const mark = /\p{M}/u
const small = /\p{Ll}/u
const capital = /\p{Lu}/u
const east = /[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff00-\uffef]/
const halfKana = /[\uff61-\uff9f]/
const none = /[\u0080-\u009f\ufffd\ue000-\uf8ff]/
const betweenLetters = /[’‘´·\u00a0–—…°ªº®™]/

export function evidenceIn(text: string): Evidence {
  const counts = new Map<string, number>()
  let total = 0
  let wrong = 0
  let penalty = 0
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) < 0x80) continue
    const character = text[i] ?? ''
    counts.set(character, (counts.get(character) ?? 0) + 1)
    total++
    if (none.test(character)) wrong++
    else if (!fits(character, text[i - 1] ?? '', text[i + 1] ?? '')) {
      wrong++
      penalty += outOfPlace
    } else if (isTorn(text, i)) penalty += outOfPlace
  }
  return { counts, total, wrong, penalty }
}

/** Signs that no word has inside it and that part no cells, though the second bytes of Eastern encodings are read as such. */
const inNoWord = /[[\]{}`@]/

/** As in `É}ÉO`: a letter that such a sign parts from another. */
const isTorn = (text: string, i: number) =>
  letter.test(text[i] ?? '') &&
  !east.test(text[i] ?? '') &&
  ((inNoWord.test(text[i + 1] ?? '') && letter.test(text[i + 2] ?? '')) ||
    (inNoWord.test(text[i - 1] ?? '') && letter.test(text[i - 2] ?? '')))

function fits(character: string, before: string, after: string): boolean {
  if (halfKana.test(character)) return !latin.test(before) && !latin.test(after)
  if (east.test(character)) return true
  if (mark.test(character)) return mark.test(before) || (letter.test(before) && !latin.test(before))
  if (!letter.test(character)) return betweenLetters.test(character) || !(letter.test(before) && letter.test(after))
  if (capital.test(character) && (small.test(before) || (capital.test(before) && small.test(after)))) return false
  const isLatin = latin.test(character)
  return ![before, after].some((beside) => letter.test(beside) && latin.test(beside) !== isLatin)
}

/** Characters of the text that the language is known by: different letters, different signs, and how many there are in all. */
export function metIn(
  { counts }: Evidence,
  language: Language,
): { letters: number; signs: number; characters: number } {
  const chances = chancesIn(language)
  const met = { letters: 0, signs: 0, characters: 0 }
  for (const [character, n] of counts) {
    if (!chances.has(character)) continue
    met.characters += n
    if (letter.test(character)) met.letters++
    else met.signs++
  }
  return met
}

/** The logarithm of the text's chance to be of that language. */
export function likelihood({ counts, penalty }: Evidence, language: Language): number {
  const chances = chancesIn(language)
  const { rest }: Alphabet = alphabets[language]
  let sum = penalty
  for (const [character, n] of counts)
    sum += n * Math.log(chances.get(character) ?? unlisted(character, rest !== undefined))
  return sum
}

function unlisted(character: string, wide: boolean): number {
  if (none.test(character)) return noCharacter
  if (wide && east.test(character)) return rareCharacter
  return letter.test(character) ? foreignLetter : foreignSign
}
