/** A replay and its verdict as the API document shows them. */
import { exampleIds } from './examples.ts'

const at = '2026-11-28T09:30:00.000Z'
const none = { excellent: 0, good: 0, warning: 0, poor: 0 }

export const exampleReplayBody = {
  catalog_id: exampleIds.catalogId,
  range: { from: '2026-11-01T00:00:00Z' },
  settings: { currency: 'EUR' },
  share: 0.5,
}

export const exampleVerdict = {
  compared: 415,
  up: 120,
  down: 4,
  unchanged: 291,
  scoreAppeared: 0,
  scoreGone: 0,
  unscored: 0,
  before: {
    products: 415,
    avgScore: 61.2,
    scoreDistribution: { excellent: 12, good: 180, warning: 200, poor: 23 },
    feedReady: 310,
  },
  after: {
    products: 415,
    avgScore: 64.9,
    scoreDistribution: { excellent: 12, good: 236, warning: 148, poor: 19 },
    feedReady: 371,
  },
  moves: {
    excellent: { ...none, excellent: 12 },
    good: { ...none, good: 178, warning: 2 },
    warning: { ...none, good: 58, warning: 142 },
    poor: { ...none, warning: 4, poor: 19 },
  },
  bandUp: 62,
  bandDown: 2,
  feedReady: { gained: 61, lost: 0 },
  gaps: [{ field: 'currency', appeared: 0, gone: 120 }],
  gapsUnknown: 0,
  dimensions: [{ dimension: 'pricing', up: 120, down: 4, points: 370 }],
  differing: { merge: 0, silver: 124, gold: 0, weights: 0 },
  places: [{ step: 'silver', place: 'currency', products: 120 }],
  examples: [
    {
      productId: exampleIds.productId,
      catalogId: exampleIds.catalogId,
      sku: 'MUG-1',
      title: 'Enamel mug',
      before: 48,
      after: 62,
      step: 'silver',
      place: 'currency',
    },
  ],
  moved: 0,
  leftOut: 0,
  unsure: 0,
  holes: [],
}

export const exampleReplay = {
  id: exampleIds.replayId,
  brandId: exampleIds.brandId,
  catalogIds: [exampleIds.catalogId],
  state: 'ready',
  jobId: exampleIds.jobId,
  range: { offsets: null, from: '2026-11-01T00:00:00Z', to: null, importId: null, productIds: null },
  rate: null,
  share: 0.5,
  settingsNumber: 3,
  weightsNumber: 1,
  formerSettingsNumber: 2,
  formerWeightsNumber: 1,
  verdict: exampleVerdict,
  promoteJobId: null,
  createdBy: exampleIds.subject,
  createdAt: at,
  readyAt: at,
  endedAt: null,
}
