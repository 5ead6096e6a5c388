/** When a rule holds: keys by which rules are found however many there are, and whether one that was found is meant. */
import type { RuleCondition } from '../../schemas/search-rule.ts'
import { synonymKeys } from './apply-synonyms.ts'
import { isUnder } from './filter-documents.ts'
import { categoryOf } from './filter-texts.ts'
import { foldLetters } from './fold-letters.ts'
import { type ReadQuery, readQuery } from './read-query.ts'
import { termHash } from './term-hash.ts'

/** What somebody asks for, as far as rules look at it. */
export interface RuledSearch {
  /** Keys of the rules that its words may meet. */
  readonly words: ReadonlySet<string>
  /** Paths that it is narrowed to, without case and accents. */
  readonly categories: readonly (readonly string[])[]
}

const [wholly, partly, ofCategory, always] = ['=', '~', '>', '*'] as const

/** As synonyms are compared: without accents, case and marks. */
const keyOf = ({ words }: ReadQuery): string => words.map(({ text }) => text).join(' ')
/** @returns empty for what has neither letters nor digits */
export const queryKey = (text: string): string => keyOf(readQuery(text, []))

/** An index takes no key of more than 2,704 bytes, and letters of one sign may be eighteen when they are folded. */
const longestKey = 800
const storable = (key: string): string =>
  key.length <= longestKey ? key : `${key.slice(0, longestKey).toWellFormed()} ${termHash(key)}`

const folded = (text: string): string[] => categoryOf(text).map(foldLetters)
const categoryKey = (levels: readonly string[]) => storable(`${ofCategory}${JSON.stringify(levels)}`)

/** @param queries what was typed, and what it was taken for */
export function ruledSearch(queries: readonly ReadQuery[], categories: readonly (readonly string[])[]): RuledSearch {
  const words = new Set<string>()
  for (const query of queries) {
    if (query.words.length === 0) continue
    words.add(storable(`${wholly}${keyOf(query)}`))
    for (const run of synonymKeys(query)) words.add(storable(`${partly}${run}`))
  }
  return { words, categories: categories.map((path) => path.map(foldLetters)) }
}

/** A rule that asks for words is found by these alone. */
export function ruleKeys({ queries, match, categories }: RuleCondition): string[] {
  const sign = match === 'exact' ? wholly : partly
  if (queries.length > 0) return [...new Set(queries.map((text) => storable(`${sign}${queryKey(text)}`)))]
  if (categories.length > 0) return [...new Set(categories.map((text) => categoryKey(folded(text))))]
  return [always]
}

/** All keys under which a rule for it may stand. */
export function askedKeys({ words, categories }: RuledSearch): string[] {
  const keys = new Set(words).add(always)
  for (const path of categories)
    path.forEach((level, i) => {
      keys.add(categoryKey([level])).add(categoryKey(path.slice(0, i + 1)))
    })
  return [...keys]
}

/** A category holds for what lies under it too, as it does for filters. */
export function isMeant(when: RuleCondition, { words, categories }: RuledSearch): boolean {
  if (when.queries.length > 0 && !ruleKeys(when).some((key) => words.has(key))) return false
  if (when.categories.length === 0) return true
  const wanted = when.categories.map(folded)
  return categories.some((path) => isUnder(path, wanted))
}
