/** Which queries synonyms would change: each is run as it is and with them. */

import type { Principal } from '../../infra/catalog/postgres.ts'
import { synonymKey } from '../../transforms/search/apply-synonyms.ts'
import { noFilter } from '../../transforms/search/filter-documents.ts'
import { type AskedSearch, runSearch, type SearchPorts } from './run-search.ts'
import type { SynonymBody } from './synonym-resource.ts'

const looked = 10

export async function previewSynonyms(
  ports: SearchPorts,
  { principal, ...scope }: Pick<AskedSearch, 'brand' | 'catalog' | 'nowMs'> & { readonly principal: Principal },
  synonyms: readonly SynonymBody[],
  queries: readonly string[],
) {
  const tried = { synonyms: meantBy(synonyms) }
  const found = []
  for (const q of queries) {
    const asked = {
      ...scope,
      q,
      locale: null,
      filter: noFilter,
      sort: 'relevance',
      facets: [],
      limit: looked,
      after: null,
    } as const
    const [before, after] = [
      await runSearch(ports, principal, asked),
      await runSearch(ports, principal, { ...asked, tried }),
    ]
    const [old, now] = [before, after].map(({ products }) => products.map(({ id }) => id)) as [string[], string[]]
    const [added, removed] = [now.filter((id) => !old.includes(id)), old.filter((id) => !now.includes(id))]
    if (before.total !== after.total || added.length > 0 || removed.length > 0)
      found.push({ q, before: before.total, after: after.total, added, removed })
  }
  return found
}

/** As those that are kept are looked up. */
function meantBy(synonyms: readonly SynonymBody[]): ReadonlyMap<string, readonly string[]> {
  const meant = new Map<string, string[]>()
  for (const { term, words } of synonyms)
    for (const typed of term === null ? words : [term]) {
      const key = synonymKey(typed)
      meant.set(key, [...(meant.get(key) ?? []), ...words.filter((word) => synonymKey(word) !== key)])
    }
  return meant
}
