/** Merges as callers follow them: how far one is, what it would do, its conflicts and what was chosen. */
import type { Pool, PoolClient } from 'pg'
import { ServiceError } from '../../schemas/errors.ts'

export interface MergeRow {
  readonly id: string
  readonly workspace: string
  readonly brand: string
  readonly target: string
  readonly source: string
  readonly fork: string
  readonly state: 'planning' | 'ready' | 'applying' | 'applied'
  readonly dryRun: boolean
  readonly edited: number
  readonly created: number
  readonly deleted: number
  readonly refused: number
  readonly conflicts: number
  readonly unresolved: number
  readonly createdAt: Date
  readonly appliedAt: Date | null
}

export interface ConflictRow {
  readonly productId: string
  readonly field: string
  readonly base: unknown
  readonly from: unknown
  readonly target: unknown
  readonly take: 'from' | 'target' | null
}

export interface Choice {
  readonly productId: string
  readonly field: string
  readonly take: 'from' | 'target'
}

type Client = Pool | PoolClient

/** @returns which of the two is the fork; null where neither is of the other */
export async function forkAmong(client: Client, a: string, b: string): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `select catalog_id as id from catalog where (catalog_id = $1 and base_catalog = $2) or (catalog_id = $2 and base_catalog = $1)`,
    [a, b],
  )
  return rows[0]?.id ?? null
}

/** A fork that is not whole would look like one of which products were removed. */
export async function isWhole(client: Client, fork: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from job where catalog_id = $1 and kind = 'fork' and status <> 'completed'`,
    [fork],
  )
  return rowCount === 0
}

export async function insertMerge(
  tx: PoolClient,
  m: Pick<MergeRow, 'id' | 'workspace' | 'brand' | 'target' | 'source' | 'fork' | 'dryRun'> & {
    choices: readonly Choice[]
    by: string
  },
): Promise<void> {
  await tx.query(
    `insert into merge (merge_id, workspace_id, brand_id, target_id, source_id, fork_id, dry_run, choices, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [m.id, m.workspace, m.brand, m.target, m.source, m.fork, m.dryRun, JSON.stringify(m.choices), m.by],
  )
}

export async function findMerge(client: Client, id: string): Promise<MergeRow | null> {
  const { rows } = await client.query<MergeRow>(
    `select m.merge_id as id, m.workspace_id as workspace, m.brand_id as brand, m.target_id as target, m.source_id as source, m.fork_id as fork,
            m.state, m.dry_run as "dryRun", m.edited, m.created, m.deleted, m.refused, c.conflicts, c.unresolved,
            m.created_at as "createdAt", m.applied_at as "appliedAt"
       from merge m
      cross join lateral (
        select count(*) as conflicts, count(*) filter (where take is null) as unresolved from merge_conflict where merge_id = m.merge_id) c
      where m.merge_id = $1`,
    [id],
  )
  return rows[0] ?? null
}

export async function listConflicts(
  tx: PoolClient,
  merge: string,
  after: readonly [product: string, field: string] | null,
  limit: number,
): Promise<ConflictRow[]> {
  const { rows } = await tx.query<ConflictRow>(
    `select product_id as "productId", field, base, source as "from", target, take from merge_conflict
      where merge_id = $1 and ($2::uuid is null or (product_id, field) > ($2, $3)) order by product_id, field limit $4`,
    [merge, after?.[0] ?? null, after?.[1] ?? null, limit],
  )
  return rows
}

/** @returns false where the merge does not wait for choices @throws NOT_FOUND, and nothing is chosen, where one is no conflict of it */
export async function resolveConflicts(tx: PoolClient, merge: string, choices: readonly Choice[]): Promise<boolean> {
  const held = await tx.query(`select from merge where merge_id = $1 and state = 'ready' for update`, [merge])
  if (held.rowCount === 0) return false
  if ((await choose(tx, merge, choices)) < choices.length)
    throw new ServiceError('NOT_FOUND', {
      message: 'One of the choices is no conflict of this merge',
      field: 'choices',
    })
  return true
}

async function choose(tx: PoolClient, merge: string, choices: readonly Choice[]): Promise<number> {
  const { rowCount } = await tx.query(
    `update merge_conflict c set take = w.take from unnest($2::uuid[], $3::text[], $4::text[]) as w (product_id, field, take)
      where c.merge_id = $1 and c.product_id = w.product_id and c.field = w.field`,
    [merge, choices.map((c) => c.productId), choices.map((c) => c.field), choices.map((c) => c.take)],
  )
  return rowCount ?? 0
}

/** The plan is whole: what was chosen with the order is chosen now, and what the merge will do is counted. */
export async function readyMerge(tx: PoolClient, merge: string): Promise<void> {
  const { rows } = await tx.query<{ choices: Choice[] }>('select choices from merge where merge_id = $1', [merge])
  await choose(tx, merge, rows[0]?.choices ?? [])
  await tx.query(
    `update merge m set state = 'ready', edited = c.edited, created = c.created, deleted = c.deleted
       from (select count(*) filter (where action = 'edit') as edited, count(*) filter (where action = 'create') as created,
                    count(*) filter (where action = 'delete') as deleted from merge_item where merge_id = $1) c
      where m.merge_id = $1 and m.state = 'planning'`,
    [merge],
  )
}

/** @returns false where it waits for choices, or is applied or being applied already */
export async function beginApply(tx: PoolClient, merge: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update merge set state = 'applying' where merge_id = $1 and state = 'ready'
        and not exists (select from merge_conflict c where c.merge_id = $1 and c.take is null)`,
    [merge],
  )
  return rowCount === 1
}

export interface Applied {
  readonly edited: number
  readonly created: number
  readonly deleted: number
  readonly refused: number
}

export async function endMerge(tx: PoolClient, merge: string, done: Applied): Promise<void> {
  await tx.query(
    `update merge set state = 'applied', applied_at = now(), edited = $2, created = $3, deleted = $4, refused = $5 where merge_id = $1`,
    [merge, done.edited, done.created, done.deleted, done.refused],
  )
}
