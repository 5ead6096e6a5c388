/** Refines stored products anew, a page in one transaction, beside live traffic: a row that has moved meanwhile is read and computed again. */
import type { Pool, PoolClient } from 'pg'
import type { Lookups } from '../../transforms/apply.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import type { ProductWrite } from '../../transforms/ports.ts'
import { refreshed } from '../../transforms/refresh.ts'
import { products as topology } from '../../transforms/topology.ts'
import { inTransaction } from '../catalog/in-transaction.ts'
import { findSettings, holdSettings } from '../catalog/settings.ts'
import { isDataError } from '../catalog/sql-errors.ts'
import { loadStale } from '../catalog/stale-queries.ts'
import { writeDue } from '../catalog/write-effects.ts'
import { writeProducts } from '../catalog/write-products.ts'
import { openContextLookup } from './context-lookup.ts'

export interface Refreshed {
  readonly writes: readonly ProductWrite[]
  /** Products that no rule can read or no table can store, as they are. */
  readonly failed: readonly string[]
}

export interface Refresher {
  /**
   * Those of the products that are stale are refined; the others are left.
   * @param and part of the transaction: what must be true exactly when the rows are
   */
  refresh(
    workspace: string,
    catalog: string,
    products: readonly string[],
    and?: (tx: PoolClient, done: Refreshed) => Promise<void>,
  ): Promise<Refreshed>
}

/** Then the page is taken apart, so that one busy product does not hold up the others. */
const triesTogether = 3

class Moved extends Error {}

export function openRefresher(pool: Pool, asked: Pick<Lookups, 'digest' | 'taxonomy'>): Refresher {
  const contexts = openContextLookup(pool)

  async function compute(workspace: string, catalog: string, products: readonly string[]): Promise<Refreshed> {
    const found = await findSettings(pool, workspace)
    if (!found) throw new Error(`workspace ${workspace} is gone`)
    const rows = await loadStale(pool, catalog, products, { ...found, rubricVersion })
    const context = await contexts(rows.map(({ layers }) => layers))
    const lookups = { ...asked, context, settings: found.silver }
    const at = new Date().toISOString()
    const writes: ProductWrite[] = []
    const failed: string[] = []
    for (const row of rows) {
      try {
        writes.push(refreshed(row, lookups, topology.grade, at))
      } catch {
        failed.push(row.id)
      }
    }
    return { writes, failed }
  }

  const refresh: Refresher['refresh'] = async (workspace, catalog, products, and) => {
    let refused = false
    for (let tries = 0; ; tries++) {
      // A value that cannot be stored stands alone by then; the product stays as it was.
      const done = refused ? { writes: [], failed: products } : await compute(workspace, catalog, products)
      try {
        await inTransaction(pool, async (tx) => {
          if (done.writes.length > 0) {
            const settings = done.writes[0]?.settings ?? 0
            if (!(await holdSettings(tx, new Map([[workspace, settings]])))) throw new Moved()
            if (!(await writeProducts(tx, done.writes, rubricVersion))) throw new Moved()
            await writeDue(tx, done.writes)
          }
          await and?.(tx, done)
        })
        return done
      } catch (error) {
        const apart = products.length > 1 && (isDataError(error) || (error instanceof Moved && tries >= triesTogether))
        if (apart) return halves(workspace, catalog, products, and)
        if (isDataError(error) && !refused) refused = true
        else if (!(error instanceof Moved)) throw error
      }
    }
  }

  /** What must be true with the rows is said with the second half, for both. */
  const halves: Refresher['refresh'] = async (workspace, catalog, products, and) => {
    const middle = Math.ceil(products.length / 2)
    const first = await refresh(workspace, catalog, products.slice(0, middle))
    const joined = (second: Refreshed) => ({
      writes: [...first.writes, ...second.writes],
      failed: [...first.failed, ...second.failed],
    })
    const second = await refresh(
      workspace,
      catalog,
      products.slice(middle),
      and && ((tx, done) => and(tx, joined(done))),
    )
    return joined(second)
  }

  return { refresh }
}
