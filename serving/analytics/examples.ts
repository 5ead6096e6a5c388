/** Answers about searches and recommendations as the API document shows them. */
import { exampleIds } from '../workspace/examples.ts'

export const exampleTruth = {
  ...{ from: '2026-10-29T00:00:00.000Z', generated_at: '2026-11-27T10:00:00.000Z', cache_hit: false },
  ...{ watermark: '2026-11-27T09:59:58.120Z', lag: 0, snapshot: 'kQ2vX0c9mB7tLr4eZp1wYA', rows_read: 4210 },
}

const searched = {
  ...{ searches: 410, zero_hits: 12, clicked: 251, unclicked: 147, clicks: 302 },
  ...{ click_through: 0.6307, mean_results: 31.4, mean_position: 2.7 },
}
export const exampleQuery = { query: 'enamel mug', share: 0.1, ...searched }

export const exampleSearches = {
  totals: { ...searched, searches: 4100 },
  ...{ top_queries: [exampleQuery], zero_hits: [exampleQuery], no_click: [exampleQuery] },
  click_positions: { clicks: 302, mean: 2.7, positions: [{ position: 1, clicks: 151, share: 0.5 }] },
  refinements: [{ query: 'mug', next: 'enamel mug', times: 31 }],
  filters: [{ filter: 'material', searches: 82, share: 0.02, values: [{ value: 'steel', searches: 60 }] }],
  channels: [{ channel: 'tools', agent: 'OpenAI', ...searched }],
  ...exampleTruth,
}

const bought = { clicks: 320, added_to_cart: 41, orders: 12 }
const recommended = {
  shown: 4100,
  clicked: 310,
  click_through: 0.0756,
  products_shown: 20_500,
  mean_position: 2.1,
  ...bought,
}
const ofProduct = { shown: 820, click_through: 0.3902, ...bought }

export const exampleRecommendations = {
  totals: recommended,
  methods: [{ method: 'together', ...recommended }],
  products: [{ product_id: exampleIds.productId, mean_position: 2.1, ...ofProduct }],
  positions: [{ position: 1, ...ofProduct }],
  channels: [{ channel: 'recommendations', agent: null, ...recommended }],
  days: [{ day: '2026-11-27', shown: 140, clicks: 11, added_to_cart: 2, orders: 1 }],
  ...exampleTruth,
}
