/** Imports that the guard holds: a person lets one go on, as another job, or discards it. */
import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { insertAudit } from '../catalog/audit.ts'
import { discardImport, holdForDecision, releaseImport } from '../catalog/import-decisions.ts'
import { insertJob, type Notify } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { Jobs } from '../jobs.ts'

/** Which import, and who asks. */
export interface ImportOrder {
  readonly id: string
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly by: string
  readonly requestId: string
}

export type Decision = { readonly job: string } | { readonly refused: string }

export interface Holding {
  release(order: ImportOrder, notify: Notify | null): Promise<Decision>
  /** @returns why not, or null */
  discard(order: ImportOrder): Promise<string | null>
}

const overtaken = 'A later import of this source is in force; send the file again if it is the one that counts'

export function openHolding({ catalog, jobs }: { catalog: Catalog; jobs: () => Jobs | null }): Holding {
  const pool = catalog.pipeline
  const refusal = async (tx: PoolClient, id: string) => {
    const found = await holdForDecision(tx, id)
    const says =
      found?.state === 'held' ? null : `The import is ${found?.state ?? 'gone'}; only a held one is decided on`
    return { says, overtaken: found?.overtaken ?? false }
  }
  const audit = (tx: PoolClient, { workspace, brand, by, requestId, id }: ImportOrder, action: string, after: object) =>
    insertAudit(tx, {
      ...{ workspace, brand, subject: by, requestId },
      ...{ action, target: id, before: { state: 'held' }, after },
    })
  return {
    release: (order, notify) =>
      catalog.inTransaction(pool, async (tx) => {
        const queue = jobs()
        if (!queue) throw new Error('this process has no job queue')
        const found = await refusal(tx, order.id)
        if (found.says !== null) return { refused: found.says }
        if (found.overtaken) return { refused: overtaken }
        const { workspace, brand, catalog: into, by } = order
        const job = randomUUID()
        const input = { import: order.id, released: true }
        await insertJob(tx, { id: job, workspace, brand, catalog: into, kind: 'import', input, by, notify })
        await releaseImport(tx, order.id, job)
        await audit(tx, order, 'import.release', { job })
        await queue.send('import', job, tx)
        return { job }
      }),
    discard: (order) =>
      catalog.inTransaction(pool, async (tx) => {
        const { says } = await refusal(tx, order.id)
        if (says !== null) return says
        await discardImport(tx, order.id)
        await audit(tx, order, 'import.discard', { state: 'discarded' })
        return null
      }),
  }
}
