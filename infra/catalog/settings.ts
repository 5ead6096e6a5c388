/** A workspace's numbered settings and weights. */
import type { Pool, PoolClient } from 'pg'
import type { SilverSettings } from '../../schemas/pipeline.ts'
import type { Weights } from '../../schemas/score.ts'

export interface WorkspaceSettings {
  readonly workspace: string
  readonly silver: SilverSettings
  readonly weights: Weights
  readonly weightsNumber: number
}

/** What a workspace has that never set anything. */
export const defaultSilver: Omit<SilverSettings, 'number'> = {
  mappings: {},
  currency: null,
  decimal: null,
  linkTemplate: null,
  condition: null,
}

export async function findSettings(client: Pool | PoolClient, workspace: string): Promise<WorkspaceSettings | null> {
  const { rows } = await client.query<{
    number: number
    body: Partial<SilverSettings>
    weights: number[]
    weightsNumber: number
  }>(
    `select w.settings_number as number, s.body, v.w as weights, w.weights_number as "weightsNumber"
       from workspace w
       join settings_version s on s.workspace_id = w.workspace_id and s.number = w.settings_number
       join weights_version v on v.workspace_id = w.workspace_id and v.number = w.weights_number
      where w.workspace_id = $1`,
    [workspace],
  )
  const row = rows[0]
  if (!row) return null
  const { number, body, weights, weightsNumber } = row
  return { workspace, silver: { ...defaultSilver, ...body, number }, weights, weightsNumber }
}
