/** Counts what the records of each bulk job in a batch did. */
import type { BronzeRecord } from '../schemas/pipeline.ts'
import type { BulkEffect } from './ports.ts'

export type BulkResult = 'changed' | 'unchanged' | 'refused'

export function openBulkTally() {
  const effects = new Map<string, { -readonly [K in keyof BulkEffect]: BulkEffect[K] }>()
  return {
    /** Records that no job appended count for nothing. */
    count({ job }: BronzeRecord, offset: number, result: BulkResult) {
      if (job === undefined) return
      const effect = effects.get(job) ?? { job, firstOffset: offset, changed: 0, unchanged: 0, refused: 0 }
      effect[result]++
      effects.set(job, effect)
    },
    result: (): BulkEffect[] => [...effects.values()],
  }
}
