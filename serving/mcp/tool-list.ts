/** All tools of the channel, in the order in which clients are shown them. */
import type { Tool } from './tool.ts'
import { batchOptimize } from './tools/batch-optimize.ts'
import { compareScores } from './tools/compare-scores.ts'
import { demandGaps } from './tools/demand-gaps.ts'
import { explainScore } from './tools/explain-score.ts'
import { getProduct } from './tools/get-product.ts'
import { getScore } from './tools/get-score.ts'
import { importStatus } from './tools/import-status.ts'
import { listCatalogs } from './tools/list-catalogs.ts'
import { listGaps } from './tools/list-gaps.ts'
import { optimizeProduct } from './tools/optimize-product.ts'
import { queryEvents } from './tools/query-events.ts'
import { searchProducts } from './tools/search-products.ts'
import { validateFeed } from './tools/validate-feed.ts'

export const toolList: readonly Tool[] = [
  optimizeProduct,
  batchOptimize,
  getScore,
  compareScores,
  explainScore,
  listGaps,
  searchProducts,
  getProduct,
  validateFeed,
  listCatalogs,
  importStatus,
  queryEvents,
  demandGaps,
]
