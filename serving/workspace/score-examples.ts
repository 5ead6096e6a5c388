/** Answers about scores as the API document shows them, of the same small shop. */
import { exampleIds, exampleSettings } from './examples.ts'

const now = {
  products: 412,
  avgScore: 61.4,
  scoreDistribution: { excellent: 20, good: 190, warning: 150, poor: 52 },
  feedReady: 210,
}

export const exampleGaps = {
  weightsNumber: 1,
  rubricVersion: 2,
  now,
  outdated: 0,
  fields: [
    {
      field: 'gtin',
      ...{ products: 300, points: 5, changeBand: 41, becomeFeedReady: 0 },
      rules: [
        {
          rule: 'gtin',
          dimension: 'identity',
          why: 'A valid GTIN outside the restricted ranges lets platforms match the product worldwide',
          ...{ products: 300, points: 5, changeBand: 41, becomeFeedReady: 0 },
        },
      ],
    },
  ],
  fixes: [
    {
      field: 'gtin',
      ...{ products: 300, points: 5, changeBand: 41, becomeFeedReady: 0 },
      after: {
        ...{ products: 412, avgScore: 65.04, feedReady: 210 },
        scoreDistribution: { excellent: 31, good: 202, warning: 130, poor: 49 },
      },
    },
  ],
  fixesOf: 412,
}

const none = { excellent: 0, good: 0, warning: 0, poor: 0 }

export const examplePreview = {
  weights: exampleSettings.weights,
  weights_number: 1,
  products: 412,
  before: { average_score: now.avgScore, distribution: now.scoreDistribution, feed_ready: now.feedReady },
  after: {
    average_score: 63.02,
    distribution: { excellent: 24, good: 201, warning: 140, poor: 47 },
    feed_ready: 214,
  },
  moves: {
    excellent: { ...none, excellent: 20 },
    good: { ...none, excellent: 4, good: 186 },
    warning: { ...none, good: 15, warning: 135 },
    poor: { ...none, warning: 5, poor: 47 },
  },
  feed_ready: { gained: 4, lost: 0 },
  unchanged: 120,
  examples: [
    { product_id: exampleIds.productId, catalog_id: exampleIds.catalogId, before: 62, after: 71, products: 3 },
  ],
}

export const exampleExplanation = {
  productId: exampleIds.productId,
  state: 'graded',
  says: 'The rules give the score that the product has',
  stale: false,
  score: 62,
  band: 'warning',
  feedReady: false,
  explained: 62,
  dimensions: [{ dimension: 'identity', score: 75, weight: 20, given: 15 }],
  rules: [
    {
      rule: 'gtin',
      dimension: 'identity',
      field: 'gtin',
      why: 'A valid GTIN outside the restricted ranges lets platforms match the product worldwide',
      ...{ percent: 0, possible: 5, given: 0, lost: 5 },
      saw: [{ name: 'gtin', value: null, size: null }],
      refusals: [],
    },
  ],
  platforms: [
    {
      ...{ platform: 'google', version: 2, required: true, valid: false, feedReady: false },
      problems: [
        { field: 'description', reason: 'The description is missing; send 1 to 5000 characters of plain text' },
      ],
    },
  ],
  gaps: [{ field: 'gtin', points: 5, missing: true }],
  rubricVersion: 2,
  weightsNumber: 1,
  weightsPending: null,
  settingsNumber: 1,
  revision: { epoch: 1, offset: 30 },
  positions: [
    {
      source: 'file:rheingold',
      importId: exampleIds.importId,
      fields: ['sku', 'title'],
      position: { epoch: 1, partition: 2, offset: 30 },
    },
  ],
}
