/** What a batch run over silver asks of a system, for one catalog. */
import type { SilverPages } from '../../serving/workspace/silver-run.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import { findSettings } from '../catalog/settings.ts'
import { stagesOf, staleIds } from '../catalog/stale-queries.ts'
import type { System } from '../system.ts'

export function silverPages({ catalog, refresher }: System, workspace: string, id: string): SilverPages {
  const pool = catalog.pipeline
  return {
    stale: async (after, limit) => {
      const found = await findSettings(pool, workspace)
      return found ? staleIds(pool, id, after, { ...found, rubricVersion }, limit) : []
    },
    stages: (products) => stagesOf(pool, id, products),
    refresh: (products) => refresher.refresh(workspace, id, products),
  }
}
