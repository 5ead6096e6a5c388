/** Whether there is, or was, a product under an id: waits until the sink has all that is on the log of it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { topics } from '../../schemas/topics.ts'
import { products as topology } from '../../transforms/topology.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import { loadProducts } from '../catalog/product-store.ts'
import type { Log } from '../log/port.ts'

/** @returns asks for one of a catalog; true too where the sink is late, since whoever asks had better think that there is one */
export function arrivedProduct(
  pool: Pool,
  log: Log,
  waitMs = 10_000,
): (catalog: string, product: string) => Promise<boolean> {
  const positions = () => sinkPositions(pool, topology.group, log.epoch, topics.bronze, log.partitions)
  return async (catalog, product) => {
    const partition = log.partitionOf(product)
    const end = (await log.ends(topics.bronze))[partition] ?? 0
    for (const until = Date.now() + waitMs; ((await positions())[partition] ?? 0) < end; await sleep(10))
      if (Date.now() >= until) return true
    return (await loadProducts(pool, [{ catalog, product }])).has(product)
  }
}
