/** Histories of the products that a batch folds anew: read some hundred at a time, since each read looks through all keys of the log's tail. */
import type { Position } from '../schemas/pipeline.ts'
import { type History, wholeHistory } from './bronze/history.ts'
import type { HistoryEntry } from './bronze/refold.ts'
import type { ProductStore } from './ports.ts'

/** At 1 kB a record and ten records a product, 5 MB. */
const productsAtOnce = 500

export interface Histories {
  /** The product's records up to and with this offset of the batch's epoch, oldest first. */
  upTo(product: string, offset: number): Promise<History>
}

/**
 * @param wanted every product that will be asked for, in about that order
 * @param below offset after the last that will be asked for
 */
export function openHistories(
  store: Pick<ProductStore, 'histories'>,
  wanted: readonly string[],
  below: number,
  { epoch, partition }: Omit<Position, 'offset'>,
): Histories {
  const distinct = [...new Set(wanted)]
  let some: ReadonlyMap<string, History> = new Map()
  return {
    async upTo(product, offset) {
      if (!some.has(product)) {
        const at = Math.max(distinct.indexOf(product), 0)
        some = await store.histories(distinct.slice(at, at + productsAtOnce), below, partition)
      }
      const history = some.get(product) ?? wholeHistory([])
      const isUpTo = ({ position }: HistoryEntry) => position.epoch < epoch || position.offset <= offset
      return { ...history, entries: history.entries.filter(isUpTo) }
    },
  }
}
