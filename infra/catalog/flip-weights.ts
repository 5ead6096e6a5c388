/** Puts the weights that are pending in force: one transaction for all readers, with one history row a catalog. */
import type { Pool } from 'pg'
import { inTransaction } from './in-transaction.ts'
import { lockWorkspace } from './workspaces.ts'

export async function flipWeights(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ workspace: string; number: number }>(
    `select workspace_id as workspace, weights_pending as number from workspace where weights_pending is not null and deleted_at is null`,
  )
  for (const { workspace, number } of rows) await flip(pool, workspace, number)
}

async function flip(pool: Pool, workspace: string, number: number): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await lockWorkspace(tx, workspace)
    const { rows } = await tx.query<{ former: number }>(
      'select weights_number as former from workspace where workspace_id = $1 and weights_pending = $2',
      [workspace, number],
    )
    const former = rows[0]?.former
    if (former === undefined) return
    await tx.query(
      `insert into weights_history (catalog_id, weights_number, workspace_id, brand_id, former_number)
       select catalog_id, $2, workspace_id, brand_id, $3 from catalog where workspace_id = $1`,
      [workspace, number, former],
    )
    await tx.query('update workspace set weights_number = $2, weights_pending = null where workspace_id = $1', [
      workspace,
      number,
    ])
  })
}
