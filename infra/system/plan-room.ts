/** What a workspace's plan still takes, as imports ask: counted anew each time, since one import may bring it all. */
import type { Pool } from 'pg'
import { type PlanLimits, plans } from '../../schemas/plan.ts'
import { countUsage, countWorkspaceProducts, findWorkspace } from '../catalog/workspaces.ts'

export function planRoom(pool: Pool) {
  const limit = async (workspace: string, what: keyof PlanLimits) => {
    const row = await findWorkspace(pool, workspace)
    return row ? plans[row.plan][what] : 0
  }
  return {
    productsLeft: async (workspace: string) =>
      (await limit(workspace, 'products')) - (await countWorkspaceProducts(pool, workspace)),
    bytesLeft: async (workspace: string) =>
      (await limit(workspace, 'storedBytes')) - (await countUsage(pool, workspace)).storedBytes,
  }
}
