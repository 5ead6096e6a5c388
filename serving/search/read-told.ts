/** What a brand has told search that counts for a question: what its words mean besides, and the rules that hold. */
import type { PoolClient } from 'pg'
import { readTold, type Told } from '../../infra/catalog/search-told.ts'
import type { SearchRule } from '../../schemas/search-rule.ts'
import { synonymKey, synonymKeys } from '../../transforms/search/apply-synonyms.ts'
import { readQuery } from '../../transforms/search/read-query.ts'
import { askedKeys, isMeant, type RuledSearch, ruledSearch } from '../../transforms/search/rule-keys.ts'

type Meant = ReadonlyMap<string, readonly string[]>

/** What somebody wants to see the effect of before it is kept. */
export interface Tried {
  /** Synonyms beside those that are kept, by key. */
  readonly synonyms?: Meant
  /** A rule in place of the one that has its id. */
  readonly rule?: SearchRule
}

export interface ToldQuestion {
  readonly brand: string
  readonly catalog: string | null
  readonly locale: string | null
  /** null: the present one. */
  readonly edition: number | null
  readonly typed: string
  /** What is looked for in its place; rules for what was typed hold all the same. */
  readonly corrected: string | null
  readonly categories: readonly (readonly string[])[]
  readonly atMs: number
  readonly tried?: Tried | undefined
}

export interface ToldFor {
  readonly edition: number
  readonly meant: Meant
  /** The first counts most. */
  readonly rules: readonly SearchRule[]
}

export async function toldFor(tx: PoolClient, question: ToldQuestion): Promise<ToldFor> {
  const { brand, catalog, locale, edition, typed, corrected, categories, atMs, tried } = question
  // By the terms alone, which are the same in every language.
  const [first, second] = [readQuery(typed, []), corrected === null ? null : readQuery(corrected, [])]
  const ruled = ruledSearch(second ? [first, second] : [first], categories)
  const told = await readTold(tx, {
    ...{ brand, catalog, locale, edition, at: new Date(atMs) },
    ...{ synonymKeys: synonymKeys(second ?? first), ruleKeys: askedKeys(ruled) },
  })
  return {
    edition: told.edition,
    meant: meaningsOf(told, tried?.synonyms),
    rules: rulesOf(told, ruled, question),
  }
}

function meaningsOf({ meant: found }: Told, tried: Meant = new Map()): Meant {
  const meant = new Map<string, string[]>([...tried].map(([key, words]) => [key, [...words]]))
  for (const { key, term, words } of found) {
    const others = term === null ? words.filter((word) => synonymKey(word) !== key) : words
    meant.set(key, [...(meant.get(key) ?? []), ...others])
  }
  return meant
}

function rulesOf({ rules: found }: Told, ruled: RuledSearch, { catalog, locale, tried }: ToldQuestion): SearchRule[] {
  const kept = found.filter(({ id, when }) => id !== tried?.rule?.id && isMeant(when, ruled))
  const own = tried?.rule
  const holds = own && isOf(own.catalog, catalog) && isOf(own.locale, locale) && isMeant(own.when, ruled)
  if (!holds) return kept
  return [...kept, own].sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1))
}

const isOf = (own: string | null, asked: string | null) => own === null || asked === null || own === asked
