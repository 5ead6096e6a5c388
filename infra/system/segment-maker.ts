/** How segments of the search index are made, for those who write them. */
import { popularityColumn } from '../../transforms/recommend/popularity-steps.ts'
import { openSegmentBuilder } from '../../transforms/search/build-segment.ts'
import { mostDocuments, popularityName } from '../../transforms/search/segment-columns.ts'
import { spellingKeys } from '../../transforms/search/spelling.ts'
import type { SegmentMaker } from '../catalog/search-index.ts'

export const segmentMaker: SegmentMaker = {
  ...{ mostDocuments, open: openSegmentBuilder, keysOf: spellingKeys },
  ...{ popularity: popularityColumn, popularityName },
}
