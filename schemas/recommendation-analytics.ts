/** What came of recommendations, as it is told. Shares and means of nothing are null. */
import { z } from 'zod'
import { truth } from './truth.ts'

const share = z.number().nullable()

const figures = z.object({
  /** Lists with at least one product. */
  shown: z.int(),
  /** Lists of which something was opened, and that as a share of `shown`. */
  clicked: z.int(),
  click_through: share,
  products_shown: z.int(),
  /** Products that were opened; one that was opened again of the same list is one. */
  clicks: z.int(),
  /** Of opened products whose place is known; 1 is the first. */
  mean_position: share,
  /** Events about products that had been opened. */
  added_to_cart: z.int(),
  orders: z.int(),
})

/** Here `shown` counts showings of products, and `click_through` is the share of them that were opened. */
const shown = figures.pick({ shown: true, click_through: true, clicks: true, added_to_cart: true, orders: true })

export const recommendationAnalyticsAnswer = truth.extend({
  totals: figures,
  methods: z.array(figures.extend({ method: z.string().nullable() })),
  products: z.array(shown.extend({ product_id: z.string(), mean_position: share })),
  /** 101 stands for all that are beyond 100; null for what is not known. */
  positions: z.array(shown.extend({ position: z.int().nullable() })),
  channels: z.array(figures.extend({ channel: z.string().nullable(), agent: z.string().nullable() })),
  days: z.array(
    figures.pick({ shown: true, clicks: true, added_to_cart: true, orders: true }).extend({ day: z.string() }),
  ),
})
