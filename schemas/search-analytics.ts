/** What came of searches, as it is told. Shares and means of nothing are null. */
import { z } from 'zod'
import { truth } from './truth.ts'

const share = z.number().nullable()

/** By what queries are told. */
export const queryOrders = ['searches', 'zero_hits', 'no_click'] as const
export type QueryOrder = (typeof queryOrders)[number]

const figures = z.object({
  searches: z.int(),
  zero_hits: z.int(),
  /** That found something, and something of it was opened. */
  clicked: z.int(),
  /** That found something, and nothing of it was opened. */
  unclicked: z.int(),
  /** Products that were opened; one that was opened again of the same search is one. */
  clicks: z.int(),
  /** `clicked` as a share of the searches that found something. */
  click_through: share,
  /** Of searches that say how many they found. */
  mean_results: share,
  /** Of opened products whose place is known; 1 is the first. */
  mean_position: share,
})

/** As it was typed most often; `share` is that of all searches. */
const searchedQuery = figures.extend({ query: z.string(), share: z.number() })

export const searchAnalyticsAnswer = truth.extend({
  totals: figures,
  /** Those that were searched for most, that found nothing most, and of whose finds nothing was opened most. */
  top_queries: z.array(searchedQuery),
  zero_hits: z.array(searchedQuery),
  no_click: z.array(searchedQuery),
  click_positions: z.object({
    clicks: z.int(),
    mean: share,
    /** 101 stands for all that are beyond 100; null for what is not known. */
    positions: z.array(z.object({ position: z.int().nullable(), clicks: z.int(), share: z.number() })),
  }),
  refinements: z.array(z.object({ query: z.string(), next: z.string(), times: z.int() })),
  filters: z.array(
    z.object({
      filter: z.string(),
      searches: z.int(),
      share: z.number(),
      values: z.array(z.object({ value: z.string(), searches: z.int() })),
    }),
  ),
  channels: z.array(figures.extend({ channel: z.string().nullable(), agent: z.string().nullable() })),
})

export const searchedQueriesAnswer = truth.extend({ queries: z.array(searchedQuery), next: z.string().nullable() })
