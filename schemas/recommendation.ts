/** Ways to recommend products, and what events weigh where they are counted for them: rules as data. */

/** In the order in which one stands in for another: where one finds too few, those behind it fill up. */
export const recommendationMethods = ['similar', 'together', 'viewed_together', 'trending', 'popular', 'best'] as const
export type RecommendationMethod = (typeof recommendationMethods)[number]

/** They need a product to begin with. */
export const isOfProduct = (method: RecommendationMethod): boolean =>
  method === 'similar' || method === 'together' || method === 'viewed_together'

/** What an event says for each product that it is about. */
export const eventWeights = {
  product_view: 1,
  recommendation_click: 2,
  add_to_cart: 4,
  checkout_started: 5,
  order: 10,
} as const

/** Products that are in one basket belong together: which events fill it. */
export const basketTypes = {
  together: ['order'],
  viewed_together: ['product_view', 'recommendation_click', 'add_to_cart'],
} as const
export type BasketMethod = keyof typeof basketTypes

/** Days of UTC, today among them. */
export const popularityDays = {
  counted: 60,
  /** After so many an event counts half. */
  half: 7,
  /** What trends rises in these days above what the days before them let expect. */
  recent: 3,
  before: 14,
} as const

/** Of fewer points in the recent days nobody says that they rise. */
export const leastRecent = 3
