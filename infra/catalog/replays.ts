/** Replays as callers follow them: what one chooses, which numbered settings its shadow is made with, and what came of it. */
import type { Pool, PoolClient } from 'pg'
import type { ReplayRange } from '../../transforms/replay/range.ts'

export type ReplayState = 'running' | 'ready' | 'promoting' | 'promoted' | 'discarded'

export interface Pace {
  /** Products a second at most; null: as many as the share gives. */
  readonly rate: number | null
  /** Of the time of one core, 0 to 1. */
  readonly share: number
}

export interface ReplayRow {
  readonly id: string
  readonly workspace: string
  /** null: of all brands. */
  readonly brand: string | null
  readonly catalogs: readonly string[]
  readonly job: string
  readonly state: ReplayState
  readonly range: ReplayRange
  readonly pace: Pace
  readonly settings: number
  readonly weights: number
  readonly formerSettings: number
  readonly formerWeights: number
  readonly verdict: unknown
  readonly promoteJob: string | null
  readonly by: string
  readonly createdAt: Date
  /** `createdAt` to the microsecond, which a Date cannot hold. */
  readonly micros: number
  readonly readyAt: Date | null
  readonly endedAt: Date | null
}

type Client = Pool | PoolClient

const columns = `replay_id as id, workspace_id as workspace, brand_id as brand, catalogs, job_id as job, state, range, pace,
  settings_number as settings, weights_number as weights, former_settings as "formerSettings", former_weights as "formerWeights",
  verdict, promote_job as "promoteJob", created_by as by, created_at as "createdAt",
  (extract(epoch from created_at) * 1000000)::bigint as micros, ready_at as "readyAt", ended_at as "endedAt"`

export async function insertReplay(
  tx: PoolClient,
  r: Omit<ReplayRow, 'state' | 'verdict' | 'promoteJob' | 'createdAt' | 'micros' | 'readyAt' | 'endedAt'>,
): Promise<void> {
  await tx.query(
    `insert into replay (replay_id, workspace_id, brand_id, catalogs, job_id, range, pace, settings_number, weights_number,
                         former_settings, former_weights, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      ...[r.id, r.workspace, r.brand, r.catalogs, r.job, JSON.stringify(r.range), JSON.stringify(r.pace)],
      ...[r.settings, r.weights, r.formerSettings, r.formerWeights, r.by],
    ],
  )
}

export async function findReplay(client: Client, id: string): Promise<ReplayRow | null> {
  const { rows } = await client.query<ReplayRow>(`select ${columns} from replay where replay_id = $1`, [id])
  return rows[0] ?? null
}

/** Held until the transaction ends: one decision about it at a time. */
export async function holdReplay(tx: PoolClient, id: string): Promise<ReplayRow | null> {
  const { rows } = await tx.query<ReplayRow>(`select ${columns} from replay where replay_id = $1 for update`, [id])
  return rows[0] ?? null
}

/** Newest first. @param after the place that the page before ended with */
export async function listReplays(
  tx: PoolClient,
  after: { readonly micros: number; readonly id: string } | null,
  limit: number,
): Promise<ReplayRow[]> {
  const { rows } = await tx.query<ReplayRow>(
    `select ${columns} from replay
      where $1::bigint is null or (created_at, replay_id) < (to_timestamp(0) + $1 * interval '1 microsecond', $2::uuid)
      order by created_at desc, replay_id desc limit $3`,
    [after?.micros ?? null, after?.id ?? null, limit],
  )
  return rows
}

/** @returns false where it was discarded meanwhile */
export async function setReady(tx: PoolClient, id: string, verdict: unknown): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update replay set state = 'ready', verdict = $2, ready_at = now() where replay_id = $1 and state = 'running'`,
    [id, JSON.stringify(verdict)],
  )
  return rowCount === 1
}

export async function setPromoting(tx: PoolClient, id: string, job: string): Promise<void> {
  await tx.query(`update replay set state = 'promoting', promote_job = $2 where replay_id = $1`, [id, job])
}

export async function setPromoted(tx: PoolClient, id: string): Promise<void> {
  await tx.query(`update replay set state = 'promoted', ended_at = now() where replay_id = $1`, [id])
}

/** Nothing where it is being promoted or has ended. @returns whether it is discarded now */
export async function setDiscarded(client: Client, id: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `update replay set state = 'discarded', ended_at = coalesce(ended_at, now())
      where replay_id = $1 and state in ('running', 'ready', 'discarded')`,
    [id],
  )
  return rowCount === 1
}

/** Catalogs that a replay can be of, in order of id. */
export async function catalogsToReplay(
  client: Client,
  { workspace, brand, catalog }: { workspace: string; brand: string | null; catalog: string | null },
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select catalog_id as id from catalog
      where workspace_id = $1 and deleted_at is null and ($2::uuid is null or brand_id = $2) and ($3::uuid is null or catalog_id = $3)
      order by catalog_id`,
    [workspace, brand, catalog],
  )
  return rows.map(({ id }) => id)
}
