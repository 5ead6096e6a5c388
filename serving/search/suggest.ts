/** GET /api/v1/suggest, as somebody types: how the last word goes on, with what was typed before it, and products that have it. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { readPublished } from '../../infra/catalog/published-products.ts'
import { readSegments } from '../../infra/catalog/search-queries.ts'
import { readTold } from '../../infra/catalog/search-told.ts'
import { catalogId } from '../../schemas/ids.ts'
import { noFilter } from '../../transforms/search/filter-documents.ts'
import { foldLetters } from '../../transforms/search/fold-letters.ts'
import { readQuery } from '../../transforms/search/read-query.ts'
import { askedKeys, isMeant, ruledSearch } from '../../transforms/search/rule-keys.ts'
import { columnsFor } from '../../transforms/search/search-segments.ts'
import { bearerOf } from '../plugins/access.ts'
import { wholeNumber } from '../whole-number.ts'
import { exampleIds } from '../workspace/examples.ts'
import { liveCompletions } from './live-completions.ts'
import { languagesOf, pinsOf, segmentsAt, termsOf } from './run-search.ts'
import { knownScope, type SearchRoutePorts, tags } from './search.ts'
import { queryText } from './search-query.ts'

/** Of the words that begin so, those that most products have are tried. */
const mostTried = 12

const answer = z.object({
  /** Each finds something; the first finds most. */
  suggestions: z.array(z.object({ text: z.string(), total: z.int() })),
  products: z.array(z.object({ id: z.uuid(), title: z.string().nullable(), primaryImageUrl: z.string().nullable() })),
})

export const suggest: FastifyPluginAsyncZod<SearchRoutePorts> = async (app, ports) => {
  app.get(
    '/api/v1/suggest',
    {
      config: { action: 'search:read', channel: 'search', invalid: 'SEARCH_001', stripsSearch: true },
      schema: {
        summary: 'Suggest queries as somebody types',
        description:
          'Goes on with the last word in ways that find published products together with the words before it, and names the best of these products.',
        tags,
        errors: ['SEARCH_001', 'SEARCH_002', 'DATA_002', 'RATE_001'],
        examples: {
          query: { q: 'enam' },
          answer: {
            suggestions: [{ text: 'enamel', total: 3 }],
            products: [{ id: exampleIds.productId, title: 'Enamel mug', primaryImageUrl: null }],
          },
        },
        querystring: z.object({
          q: z.string(),
          brand_id: z.string().optional(),
          catalog_id: catalogId.optional(),
          limit: wholeNumber(1, 20).default(8),
        }),
        response: { 200: answer },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { limit } = request.query
      const named = request.query.catalog_id ?? bearer.catalog ?? undefined
      const { principal, brand } = await knownScope(bearer, named, ports)
      const q = queryText(request.query.q)
      const { segments: reader, searcher } = ports.search
      const before = /^(.*?)([\p{L}\p{M}\p{N}]*)$/su.exec(q)
      const [head = '', prefix = ''] = before ? [before[1] ?? '', before[2] ?? ''] : []
      const typed = foldLetters(prefix)
      if (typed === '') return { suggestions: [], products: [] }
      return ports.search.catalog.withTenant(principal, async (tx) => {
        const rows = await readSegments(tx, brand, named === undefined ? null : [named])
        const segments = segmentsAt(rows, pinsOf(rows))
        const languages = languagesOf(rows, segments)
        const catalogs = [...new Set(rows.map(({ catalog }) => catalog))]
        const words = await liveCompletions(tx, { brand, catalogs, prefix: typed, most: mostTried }, (terms) =>
          reader.open(tx, brand, segments, ['base'], terms),
        )
        const tried = words.map(({ shown }) => {
          const query = readQuery(`${head}${shown}`, languages)
          return { text: `${head}${shown}`, query, ruled: ruledSearch([query], []) }
        })
        const now = ports.now()
        const { rules } = await readTold(tx, {
          ...{ brand, catalog: named ?? null, locale: null, edition: null, at: now, synonymKeys: [] },
          ruleKeys: [...new Set(tried.flatMap(({ ruled }) => askedKeys(ruled)))],
        })
        const asked = { filter: noFilter, sort: 'relevance', facets: [], limit: 5, after: null } as const
        const opened = await reader.open(
          tx,
          brand,
          segments,
          columnsFor({ ...asked, rules }),
          tried.flatMap(({ query }) => termsOf(query)),
        )
        const found = tried
          .map(({ text, query, ruled }) => {
            const own = rules.filter(({ when }) => isMeant(when, ruled))
            return { text, ...searcher(opened, { ...asked, query, rules: own, atMs: now.getTime() }) }
          })
          .filter(({ total, relaxed }) => total > 0 && relaxed === null)
          .sort((a, b) => b.total - a.total || (a.text < b.text ? -1 : 1))
          .slice(0, limit)
        const best = new Map<string, { id: string; catalog: string; version: number }>()
        for (const { rows: top } of found)
          for (const { id, segment } of top) {
            const at = segments[segment]
            if (at && best.size < 5) best.set(id, { id, catalog: at.catalog, version: at.version })
          }
        const products = await readPublished(tx, [...best.values()])
        return {
          suggestions: found.map(({ text, total }) => ({ text, total })),
          products: products.map(({ id, product }) => ({
            id,
            title: product.title,
            primaryImageUrl: product.images[0] ?? null,
          })),
        }
      })
    },
  )
}
