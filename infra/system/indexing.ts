/** Keeps the search index in shape while it is read: what is missing is made, small segments become one, and what nobody reads goes. */
import type { Pool } from 'pg'
import { mergeSegments, rebuildStep, renewWornSegment } from '../catalog/search-rebuild.ts'
import { sweepSegments } from '../catalog/search-sweep.ts'
import { sweepTold } from '../catalog/search-told.ts'
import { segmentMaker } from './segment-maker.ts'

const steps = [rebuildStep, mergeSegments, renewWornSegment, sweepSegments, sweepTold] as const

/** @returns false: the next round comes by time */
export async function keepIndex(pool: Pool, signal: AbortSignal): Promise<false> {
  for (const step of steps) while (!signal.aborted && (await step(pool, segmentMaker)));
  return false
}
