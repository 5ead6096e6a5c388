/** Takes a title apart into what is compared in different ways: words, codes, measures, marks and colors, each sorted. */
import { foldText } from '../silver/fold-text.ts'
import { companies } from './brand-words.ts'
import { colorOf } from './color-words.ts'
import { readMeasures } from './measures.ts'
import { spelledAlike } from './spelled-alike.ts'
import { fillers, markOf } from './title-words.ts'

export interface TitleParts {
  /** In the order of the title. */
  readonly words: readonly string[]
  /** Numbers, and words that have one, such as 9093 and wh1000xm4. */
  readonly codes: readonly string[]
  /** In base units, such as 500ml. */
  readonly measures: readonly string[]
  readonly marks: readonly string[]
  readonly colors: readonly string[]
}

const signs = /[®™©℠]/g
const token = /\d+[.,]\d+(?![\p{L}\p{N}])|[\p{L}\p{N}]+|\|/gu
const hasDigit = /\d/
/** Letters before a number are the beginning of a model's name, wherever its maker puts a space: WH-1000XM4, WH 1000XM4. */
const beginsCode = (one: string, next: string) =>
  /^\d/.test(next) && /^[a-z]{1,3}$/.test(one) && one !== 'x' && !fillers.has(one) && (one.length === 1 || !markOf(one))
const longest = 60

/** @param brand folded words of the brand, which titles have or leave out as they like */
export function titleParts(title: string, brand: readonly string[]): TitleParts {
  const { measures, rest } = readMeasures(foldText(title.replace(signs, ' ')).replace(/['’`]/g, ''))
  const tokens = (rest.match(token) ?? []).slice(0, longest)
  const words: string[] = []
  const [codes, marks, colors] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (let i = 0; i < tokens.length; i++) {
    const one = tokens[i] ?? ''
    const next = tokens[i + 1]
    if (one === '|') continue
    if (hasDigit.test(one)) codes.add(plain(one))
    else if (brand.some((word) => spelledAlike(one, word))) continue
    else if (next !== undefined && beginsCode(one, next)) {
      codes.add(`${one}${plain(next)}`)
      i++
    } else {
      const [mark, color] = [markOf(one), colorOf(one)]
      if (mark !== undefined) marks.add(mark)
      else if (color !== undefined) colors.add(color)
      else if (one.length > 1 && !fillers.has(one) && !companies.has(one)) words.push(one)
    }
  }
  return {
    words: [...new Set(words)],
    codes: [...codes].sort(),
    measures,
    marks: [...marks].sort(),
    colors: [...colors].sort(),
  }
}

/** A comma of a decimal is a point; zeros before a number say nothing. */
const plain = (text: string) => text.replace(',', '.').replace(/^0+(?=\d)/, '')
