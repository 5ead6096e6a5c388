/** A workspace's numbered settings and weights. */
import type { Pool, PoolClient } from 'pg'
import type { Weights } from '../../schemas/score.ts'
import { defaultSettings, type PipelineSettings } from '../../schemas/settings.ts'
import { kept } from './kept.ts'

export interface WorkspaceSettings {
  readonly workspace: string
  readonly silver: PipelineSettings
  /** Products refined under an older number are stale. */
  readonly silverNumber: number
  /** All products are refined at least under this number. */
  readonly refinedNumber: number
  /** Those in force. */
  readonly weights: Weights
  readonly weightsNumber: number
  /** Saved, and in force once their ranks are built. */
  readonly pending: { readonly number: number; readonly weights: Weights } | null
}

interface Row extends Omit<WorkspaceSettings, 'workspace' | 'silver' | 'pending'> {
  readonly number: number
  readonly body: Partial<PipelineSettings>
  readonly pendingNumber: number | null
  readonly pendingWeights: Weights | null
}

const sql = `
  select w.settings_number as number, s.body, w.silver_number as "silverNumber", w.refined_number as "refinedNumber",
         v.w as weights, w.weights_number as "weightsNumber", w.weights_pending as "pendingNumber", n.w as "pendingWeights"
    from workspace w
    join settings_version s on s.workspace_id = w.workspace_id and s.number = w.settings_number
    join weights_version v on v.workspace_id = w.workspace_id and v.number = w.weights_number
    left join weights_version n on n.workspace_id = w.workspace_id and n.number = w.weights_pending
   where w.workspace_id = $1`

export async function findSettings(client: Pool | PoolClient, workspace: string): Promise<WorkspaceSettings | null> {
  const { rows } = await client.query<Row>({ name: 'settings', text: sql, values: [workspace] })
  const row = rows[0]
  if (!row) return null
  const { number, body, pendingNumber, pendingWeights, ...rest } = row
  const pending = pendingNumber !== null && pendingWeights ? { number: pendingNumber, weights: pendingWeights } : null
  return { workspace, silver: { ...defaultSettings, ...body, number }, pending, ...rest }
}

/** Settings as they were under each of these numbers; a number that there never was is left out. */
export async function settingsNumbered(
  client: Pool | PoolClient,
  workspace: string,
  numbers: readonly number[],
): Promise<PipelineSettings[]> {
  const { rows } = await client.query<{ number: number; body: Partial<PipelineSettings> }>(
    'select number, body from settings_version where workspace_id = $1 and number = any ($2::int[])',
    [workspace, numbers],
  )
  return rows.map(({ number, body }) => ({ ...defaultSettings, ...body, number }))
}

/** Workspaces whose settings in force name other files of Google's taxonomy, or none where there are some. */
export async function underOtherTaxonomy(pool: Pool, key: string | undefined): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select w.workspace_id as id from workspace w
       join settings_version s on s.workspace_id = w.workspace_id and s.number = w.settings_number
      where s.body->>'taxonomy' is distinct from $1 order by id`,
    [key ?? null],
  )
  return rows.map(({ id }) => id)
}

/** The workers' batches hold it shared until they commit: none of former settings commits after the new ones have. */
const lockSettings = `select pg_advisory_xact_lock(hashtextextended('settings:' || $1, 0))`
const shareSettings = `
  select pg_advisory_xact_lock_shared(hashtextextended('settings:' || id, 0)) from unnest($1::text[]) as i (id) order by id`

/** The next number that no settings of the workspace have, those of shadows included. The workspace is locked. */
export async function nextSettingsNumber(tx: PoolClient, workspace: string): Promise<number> {
  const { rows } = await tx.query<{ number: number }>(
    'select max(number) + 1 as number from settings_version where workspace_id = $1',
    [workspace],
  )
  return rows[0]?.number ?? 1
}

/** Settings that are not in force. */
export async function insertSettings(
  tx: PoolClient,
  workspace: string,
  { number, ...body }: PipelineSettings,
  by: string,
): Promise<void> {
  await tx.query('insert into settings_version (workspace_id, number, body, created_by) values ($1, $2, $3, $4)', [
    workspace,
    number,
    JSON.stringify(body),
    by,
  ])
}

/** @param silver whether silver reads any cell otherwise under these: what was refined before is then stale */
export async function saveSettings(
  tx: PoolClient,
  workspace: string,
  settings: PipelineSettings,
  by: string,
  silver: boolean,
): Promise<void> {
  await tx.query(lockSettings, [workspace])
  await insertSettings(tx, workspace, settings, by)
  await setInForce(tx, workspace, settings.number, silver)
}

/** Settings that were numbered before: those of a shadow. */
export async function promoteSettings(
  tx: PoolClient,
  workspace: string,
  number: number,
  silver: boolean,
): Promise<void> {
  await tx.query(lockSettings, [workspace])
  await setInForce(tx, workspace, number, silver)
}

async function setInForce(tx: PoolClient, workspace: string, number: number, silver: boolean): Promise<void> {
  await tx.query(
    `update workspace set settings_number = $2, silver_number = case when $3 then $2 else silver_number end
      where workspace_id = $1`,
    [workspace, number, silver],
  )
}

/** The weights become pending; those that were pending never come into force. */
export async function saveWeights(tx: PoolClient, workspace: string, weights: Weights, by: string): Promise<void> {
  await promoteWeights(tx, workspace, await insertWeights(tx, workspace, weights, by))
}

/** Weights that were numbered before become pending. */
export async function promoteWeights(tx: PoolClient, workspace: string, number: number): Promise<void> {
  await tx.query('update workspace set weights_pending = $2 where workspace_id = $1', [workspace, number])
}

/** Weights that are not to come into force by themselves. @returns their number */
export async function insertWeights(tx: PoolClient, workspace: string, weights: Weights, by: string): Promise<number> {
  const { rows } = await tx.query<{ number: number }>(
    'select max(number) + 1 as number from weights_version where workspace_id = $1',
    [workspace],
  )
  const number = rows[0]?.number ?? 1
  await tx.query('insert into weights_version (workspace_id, number, w, created_by) values ($1, $2, $3, $4)', [
    workspace,
    number,
    weights,
    by,
  ])
  return number
}

export async function weightsNumbered(
  client: Pool | PoolClient,
  workspace: string,
  number: number,
): Promise<Weights | null> {
  const { rows } = await client.query<{ w: number[] }>(
    'select w from weights_version where workspace_id = $1 and number = $2',
    [workspace, number],
  )
  return rows[0]?.w ?? null
}

/**
 * Holds the settings of these workspaces until the transaction ends.
 * @param used the number that each workspace's products were computed with
 * @returns false where one has other settings by now
 */
export async function holdSettings(tx: PoolClient, used: ReadonlyMap<string, number>): Promise<boolean> {
  if (used.size === 0) return true
  const workspaces = [...used.keys()]
  await tx.query(kept(shareSettings, [workspaces]))
  const { rowCount } = await tx.query(
    kept(
      `select 1 from unnest($1::text[], $2::int[]) as u (id, number) join workspace w on w.workspace_id = u.id
      where w.settings_number <> u.number limit 1`,
      [workspaces, [...used.values()]],
    ),
  )
  return rowCount === 0
}
