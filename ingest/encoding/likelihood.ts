/** Says how likely a text is to be what its writer meant, from its letters and from what stands beside them. */
import { type Alphabet, alphabets, type Language, signs, wideSigns } from './alphabets.ts'

/** Shares of small letters, capitals and signs among what is no ASCII; what is left is for the unexpected. */
const smallShare = 0.68
const capitalShare = 0.12
const signShare = 0.15
/** Of a script's characters that no list can hold. */
const restShare = { han: 0.3 / 3_500, hangul: 0.3 / 2_350 } as const
const listedShare = 0.6
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
  for (const [letter, chance] of small) chances.set(letter, chance)
  if (rest) return chances
  for (const [letter, chance] of small) {
    const capital = letter === 'i' ? 'İ' : letter.toUpperCase()
    if (capital !== letter && capital.length === 1) chances.set(capital, (chance * capitalShare) / smallShare)
  }
  return chances
}

const chances = Object.fromEntries(
  Object.entries(alphabets).map(([language, alphabet]) => [language, chancesOf(alphabet)]),
) as Record<Language, Map<string, number>>

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
    }
  }
  return { counts, total, wrong, penalty }
}

function fits(character: string, before: string, after: string): boolean {
  if (east.test(character)) return true
  if (mark.test(character)) return mark.test(before) || (letter.test(before) && !latin.test(before))
  if (!letter.test(character)) return betweenLetters.test(character) || !(letter.test(before) && letter.test(after))
  if (capital.test(character) && small.test(before)) return false
  const isLatin = latin.test(character)
  return ![before, after].some((beside) => letter.test(beside) && latin.test(beside) !== isLatin)
}

/** The logarithm of the text's chance to be of that language. */
export function likelihood({ counts, penalty }: Evidence, language: Language): number {
  const known = chances[language]
  const { rest }: Alphabet = alphabets[language]
  let sum = penalty
  for (const [character, n] of counts) sum += n * Math.log(known.get(character) ?? unlisted(character, rest))
  return sum
}

function unlisted(character: string, rest: Alphabet['rest']): number {
  if (none.test(character)) return noCharacter
  if (rest === 'han' && /[\u4e00-\u9fff\uff66-\uff9f]/.test(character)) return restShare.han
  if (rest === 'hangul' && /[\uac00-\ud7af]/.test(character)) return restShare.hangul
  return letter.test(character) ? foreignLetter : foreignSign
}
