/** Full pushes to webhooks of a catalog, as the job that asked for them sees them. */
import type { Pool, PoolClient } from 'pg'
import { lastProduct } from '../../schemas/position.ts'

/** Those that take one: active, or inactive because what they missed is no longer kept. */
const takes = `w.catalog_id = $1 and (w.state = 'active' or w.reason = 'behind')`

/** @param ids null: all of the catalog @returns those that take one */
export async function pushable(tx: PoolClient, catalog: string, ids: readonly string[] | null): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select webhook_id as id from webhook w where ${takes} and ($2::uuid[] is null or webhook_id = any ($2)) order by webhook_id`,
    [catalog, ids],
  )
  return rows.map(({ id }) => id)
}

/** From the first product on; what was under way is not gone on with. @returns how many */
export async function beginPushes(
  tx: PoolClient,
  catalog: string,
  ids: readonly string[],
  job: string,
): Promise<number> {
  const held = await tx.query<{ id: string }>(
    `select webhook_id as id from webhook w where ${takes} and webhook_id = any ($2::uuid[]) order by webhook_id for no key update`,
    [catalog, ids],
  )
  const taken = held.rows.map(({ id }) => id)
  await tx.query(
    `update webhook set state = 'active', reason = null, inactive_at = null, rev = rev + 1, updated_at = now()
      where webhook_id = any ($1::uuid[]) and state <> 'active'`,
    [taken],
  )
  await tx.query(
    `update webhook_delivery set state = 'missed', next_at = null, ended_at = now() where webhook_id = any ($1::uuid[]) and state = 'waiting'`,
    [taken],
  )
  await tx.query(
    `update webhook_delta set push = $2, position = null, round = null, is_full = false, part = 0, parts = null where webhook_id = any ($1::uuid[])`,
    [taken, job],
  )
  return taken.length
}

export interface PushProgress {
  /** Not sent in full yet. */
  readonly open: number
  /** Of these: which an attempt has failed, or nothing more is sent to. */
  readonly stuck: readonly string[]
  readonly delivered: number
  /** As far as they are counted. */
  readonly parts: number
}

export async function pushProgress(pool: Pool, catalog: string, job: string): Promise<PushProgress> {
  const { rows } = await pool.query<PushProgress>(
    `with sent as (
       select v.state, v.tries, v.webhook_id from webhook w
         join webhook_delivery v on v.webhook_id = w.webhook_id and v.created_at >= (select created_at from job where job_id = $2::uuid)
         join webhook_event e on e.event_id = v.event_id and e.delta ->> 'push' = ($2::uuid)::text
        where w.catalog_id = $1)
     select count(*)::int as open,
            coalesce(array_agg(d.webhook_id) filter (where w.state <> 'active'
              or exists (select from sent s where s.webhook_id = d.webhook_id and s.state = 'waiting' and s.tries > 0)), '{}') as stuck,
            (select count(*)::int from sent where state = 'delivered') as delivered,
            (select count(*)::int from sent where state = 'delivered') + coalesce(sum(d.parts - d.part), 0)::int as parts
       from webhook_delta d join webhook w on w.webhook_id = d.webhook_id where d.catalog_id = $1 and d.push = $2::uuid`,
    [catalog, job],
  )
  return rows[0] ?? { open: 0, stuck: [], delivered: 0, parts: 0 }
}

/** They go on from where they had come before it was asked for. */
export async function endPushes(pool: Pool, job: string): Promise<void> {
  await pool.query(
    `update webhook_delta set push = null, round = null, is_full = false, part = 0, parts = null,
            position = 't.' || version || '.' || $2::text
      where push = $1`,
    [job, lastProduct],
  )
}
