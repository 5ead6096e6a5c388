/** Keeps the search index in shape while it is read: what is missing is made, small segments become one, and what nobody reads goes. */
import type { Pool } from 'pg'
import {
  areIndexesDue,
  areSegmentsMergeable,
  areSegmentsWorn,
  mergeSegments,
  rebuildStep,
  renewWornSegment,
} from '../catalog/search-rebuild.ts'
import { areSegmentsEnded, sweepSegments } from '../catalog/search-sweep.ts'
import { isToldEnded, sweepTold } from '../catalog/search-told.ts'
import { segmentMaker } from './segment-maker.ts'
import type { DueWork } from './when-due.ts'

const steps = [rebuildStep, mergeSegments, renewWornSegment, sweepSegments, sweepTold] as const

/** In this order, one after the other. */
export const keepIndex = (pool: Pool): DueWork => ({
  isDue: [
    ...[areIndexesDue, areSegmentsMergeable(segmentMaker.mostDocuments), areSegmentsWorn],
    ...[areSegmentsEnded, isToldEnded],
  ].join(' or '),
  async work(signal) {
    for (const step of steps) while (!signal.aborted && (await step(pool, segmentMaker)));
    // The next round comes by time.
    return false
  },
})
