/** What a rule would change of a search: which products come, go and move. */
import type { Principal } from '../../infra/catalog/postgres.ts'
import type { SearchRule } from '../../schemas/search-rule.ts'
import { noFilter } from '../../transforms/search/filter-documents.ts'
import { categoryOf } from '../../transforms/search/filter-texts.ts'
import { type AskedSearch, runSearch, type SearchPorts } from './run-search.ts'

/** Of a search, the products that are compared. */
const looked = 50

export interface RuleEffect {
  readonly q: string
  /** Whether the rule holds for it. */
  readonly applies: boolean
  readonly before: number
  readonly after: number
  readonly came: { readonly id: string; readonly to: number }[]
  readonly went: { readonly id: string; readonly from: number }[]
  readonly moved: { readonly id: string; readonly from: number; readonly to: number }[]
}

/** @param category that the searches are narrowed to */
export async function previewRule(
  ports: SearchPorts,
  { principal, ...scope }: Pick<AskedSearch, 'brand' | 'catalog' | 'nowMs'> & { readonly principal: Principal },
  rule: SearchRule,
  queries: readonly string[],
  category: string | null,
): Promise<RuleEffect[]> {
  const effects: RuleEffect[] = []
  for (const q of queries) {
    const asked: AskedSearch = {
      ...scope,
      q,
      locale: rule.locale,
      sort: 'relevance',
      facets: [],
      limit: looked,
      after: null,
      filter: category === null ? noFilter : { ...noFilter, categories: [categoryOf(category)] },
    }
    const before = await runSearch(ports, principal, asked)
    const after = await runSearch(ports, principal, { ...asked, tried: { rule } })
    const [old, now] = [before, after].map(({ products }) => products.map(({ id }) => id)) as [string[], string[]]
    effects.push({
      ...{ q, applies: after.rules.includes(rule.id), before: before.total, after: after.total },
      came: now.flatMap((id, i) => (old.includes(id) ? [] : [{ id, to: i + 1 }])),
      went: old.flatMap((id, i) => (now.includes(id) ? [] : [{ id, from: i + 1 }])),
      moved: now.flatMap((id, i) =>
        old.includes(id) && old[i] !== id ? [{ id, from: old.indexOf(id) + 1, to: i + 1 }] : [],
      ),
    })
  }
  return effects
}
