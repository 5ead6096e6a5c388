/** What an import asks the catalog and writes to it: its own row, its ledger, and products as they are. */
import type { Pool } from 'pg'
import type { ImportStore } from '../../ingest/import-ports.ts'
import { topics } from '../../schemas/topics.ts'
import { products as topology } from '../../transforms/topology.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import { presentProducts } from '../catalog/export-queries.ts'
import { insertNotes, insertOutcome, isTold, sumOutcomes } from '../catalog/import-ledger.ts'
import { fileSources, findContexts, insertContext, saveFileSource } from '../catalog/import-sources.ts'
import { findImport, holdImport, setImport } from '../catalog/imports.ts'
import { loadProducts } from '../catalog/product-store.ts'
import { findSettings } from '../catalog/settings.ts'
import { sourceProducts } from '../catalog/source-products.ts'
import type { Log } from '../log/port.ts'
import { planRoom } from './plan-room.ts'

/** @param pool of the pipeline's role */
export function importStore(pool: Pool, log: Pick<Log, 'epoch' | 'partitions'>): ImportStore {
  return {
    find: (id) => findImport(pool, id),
    hold: holdImport,
    set: (client, id, set) => setImport(client ?? pool, id, set),
    insertContext: (row, body) => insertContext(pool, row, body),
    context: async (id) => {
      const [context] = await findContexts(pool, [id])
      if (!context) throw new Error(`import context ${id} is gone`)
      return context
    },
    settings: async (workspace) => {
      const found = await findSettings(pool, workspace)
      if (!found) throw new Error(`workspace ${workspace} is gone`)
      return found.silver
    },
    load: (id, products) =>
      loadProducts(
        pool,
        products.map((product) => ({ catalog: id, product })),
      ),
    present: (id, products) => presentProducts(pool, id, products),
    productCount: async (id) => {
      const sql = 'select count(*) as n from products where catalog_id = $1 and alive'
      return (await pool.query<{ n: number }>(sql, [id])).rows[0]?.n ?? 0
    },
    productsLeft: planRoom(pool).productsLeft,
    sourceProducts: (id, source) => sourceProducts(pool, id, source),
    lastRows: async (id, source) =>
      (await fileSources(pool, id)).find((one) => one.source === source)?.lastRows ?? null,
    saveSource: (row, header, rows) => saveFileSource(pool, row, row.source, header, rows),
    isTold,
    insertOutcome,
    insertNotes,
    sumOutcomes: (id) => sumOutcomes(pool, id),
    positions: () => sinkPositions(pool, topology.group, log.epoch, topics.bronze, log.partitions),
  }
}
