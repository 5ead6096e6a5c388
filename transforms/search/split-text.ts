/** Takes a text apart into words, numbers and runs of scripts that are written without spaces, with what lies between them. */
import { foldLetters } from './fold-letters.ts'

/** What a part is made of. `gram`: a script without spaces, found by pairs of its letters. */
export type PartKind = 'word' | 'number' | 'gram'

export interface Part {
  /** Folded. */
  readonly text: string
  /** As written, in lower case: what a stemmer reads. */
  readonly raw: string
  readonly kind: PartKind
  readonly start: number
  readonly end: number
  /** Between it and the part before: nothing, one mark as in `AB-1042`, or more than that. */
  readonly gap: 'none' | 'mark' | 'space'
}

const scriptsWithoutSpaces =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\uff70\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const piece = new RegExp(
  `(?<gram>[${scriptsWithoutSpaces}][${scriptsWithoutSpaces}\\p{M}]*)|(?<number>\\p{N}+(?:[.,]\\p{N}+)*)|(?<word>(?:(?![${scriptsWithoutSpaces}])\\p{L})(?:(?![${scriptsWithoutSpaces}])[\\p{L}\\p{M}\\u200c\\u200d])*)`,
  'gu',
)
const asciiPiece = /([0-9]+(?:[.,][0-9]+)*)|[A-Za-z]+/g
const ascii = /^[\0-\x7f]*$/
const mark = /^[-_/.'’‘·+&:\u2010-\u2015]$/
/** They are no letters, though their compatibility forms are. */
const signs = /[™®©℠]/gu

/** @param most parts; what is beyond is not read */
export function splitText(text: string, most = Number.POSITIVE_INFINITY): Part[] {
  return ascii.test(text) ? splitAscii(text, most) : splitAny(text.replace(signs, ' '), most)
}

function splitAscii(text: string, most: number): Part[] {
  const parts: Part[] = []
  let last = -1
  asciiPiece.lastIndex = 0
  for (let match = asciiPiece.exec(text); match && parts.length < most; match = asciiPiece.exec(text)) {
    const start = match.index
    const raw = match[0].toLowerCase()
    const kind = match[1] === undefined ? 'word' : 'number'
    const end = start + raw.length
    parts.push({
      text: kind === 'number' ? numberText(raw) : raw,
      raw,
      kind,
      start,
      end,
      gap: gapOf(text, last, start),
    })
    last = end
  }
  return parts
}

function splitAny(text: string, most: number): Part[] {
  const parts: Part[] = []
  let last = -1
  piece.lastIndex = 0
  for (let match = piece.exec(text); match && parts.length < most; match = piece.exec(text)) {
    const { gram, number } = match.groups ?? {}
    const kind = gram !== undefined ? 'gram' : number !== undefined ? 'number' : 'word'
    const start = match.index
    const end = start + match[0].length
    const folded = foldLetters(match[0])
    if (folded === '') continue
    const raw = match[0].normalize('NFC').toLowerCase()
    parts.push({
      text: kind === 'number' ? numberText(folded) : folded,
      raw,
      kind,
      start,
      end,
      gap: gapOf(text, last, start),
    })
    last = end
  }
  return parts
}

/** A comma and a point are the same between digits: `1,5` is `1.5`. */
const numberText = (text: string) => text.replaceAll(',', '.')

function gapOf(text: string, last: number, start: number): Part['gap'] {
  if (last < 0) return 'space'
  if (last === start) return 'none'
  return start - last === 1 && mark.test(text[last] ?? '') ? 'mark' : 'space'
}
