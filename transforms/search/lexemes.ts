/** The lexemes of a text: what index and query both take it apart into, each with every form that it is found by. */
import { type Part, splitText } from './split-text.ts'
import { unitBehind } from './unit-words.ts'

export interface Lexeme {
  /** `code`: parts written together of which one is a number; `joined`: words with a mark between; `measure`: a number and its unit. */
  readonly kind: 'word' | 'number' | 'gram' | 'code' | 'joined' | 'measure'
  /** The form that says it most exactly. */
  readonly term: string
  /** The parts that it was made of, where it is more than one of them. */
  readonly parts: readonly Part[]
  readonly start: number
  readonly end: number
}

/** A chain of parts longer than this is looked at in pieces. */
const longestChain = 6

export function lexemesOf(text: string, most?: number): Lexeme[] {
  const parts = splitText(text, most)
  const found: Lexeme[] = []
  for (let i = 0; i < parts.length; ) {
    const part = parts[i] as Part
    if (part.kind === 'gram') {
      found.push(...grams(part))
      i++
      continue
    }
    const unit = unitBehind(text, part, parts[i + 1])
    if (unit && !(unit.isPart && chainEnd(parts, i) > i + 2)) {
      const taken = unit.isPart ? parts.slice(i, i + 2) : [part]
      found.push(made('measure', part.text + unit.unit, taken))
      i += taken.length
      continue
    }
    const end = chainEnd(parts, i)
    const chain = parts.slice(i, end)
    const kind = chain.length === 1 ? part.kind : chain.some(({ kind }) => kind === 'number') ? 'code' : 'joined'
    found.push(made(kind as 'word' | 'number' | 'code' | 'joined', joined(chain), chain))
    i = end
  }
  return found
}

const made = (kind: Lexeme['kind'], term: string, parts: readonly Part[]): Lexeme => ({
  ...{ kind, term, parts },
  start: parts[0]?.start ?? 0,
  end: parts.at(-1)?.end ?? 0,
})

/** What is written together is one, without the points of its numbers; a number alone keeps its own. */
export const joined = (chain: readonly Part[]) =>
  chain.length === 1 ? (chain[0]?.text ?? '') : chain.map(({ text }) => text.replaceAll('.', '')).join('')

function chainEnd(parts: readonly Part[], from: number): number {
  let end = from + 1
  for (; end < parts.length && end - from < longestChain; end++) {
    const next = parts[end]
    if (!next || next.gap === 'space' || next.kind === 'gram') break
  }
  return end
}

/** Pairs of letters; of a single one, itself. */
function grams({ text, raw, start, end }: Part): Lexeme[] {
  const letters = [...text]
  const one = (term: string): Lexeme => ({
    kind: 'gram',
    term,
    parts: [{ text: term, raw, kind: 'gram', start, end, gap: 'space' }],
    start,
    end,
  })
  if (letters.length === 1) return [one(text)]
  return letters.slice(1).map((letter, i) => one(`${letters[i]}${letter}`))
}
