/** Epochs of the log: what each holds, the fence around the end of one, and the step to the next. */
import type { Pool, PoolClient } from 'pg'
import { jobAppends } from '../../schemas/job.ts'
import { kept } from './kept.ts'
import type { Epoch } from './migrate.ts'

/** By topic, an offset for each partition. */
export type Offsets = Readonly<Record<string, readonly number[]>>

export interface KeptEpoch extends Epoch {
  /** The first offsets that are this epoch's; 0 for what is not said. */
  readonly begins: Offsets
  /** null while it is open. */
  readonly ends: Offsets | null
}

/** Any fixed pair of numbers that nothing else on the database uses. */
const moving = [1634956409, 4] as const

/** In order. */
export async function listEpochs(client: Pool | PoolClient): Promise<KeptEpoch[]> {
  const { rows } = await client.query<KeptEpoch>(
    'select epoch, engine, partitions, begins, ends from log_epoch order by epoch',
  )
  return rows
}

/** Holds the epoch open until the transaction ends. @returns false where it has been closed */
export async function holdEpoch(tx: PoolClient, epoch: number): Promise<boolean> {
  const { rows } = await tx.query<{ open: boolean }>(kept('select log_hold($1) as open', [epoch]))
  return rows[0]?.open === true
}

/** Keeps every append out until the transaction ends. */
export const fenceEpoch = (tx: PoolClient) => tx.query('select pg_advisory_xact_lock(1634956409, 33)')

/** A session lock, so that a move which died is none. @returns false where another session moves the log */
export async function beginMove(session: Pick<PoolClient, 'query'>): Promise<boolean> {
  const { rows } = await session.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', [...moving])
  return rows[0]?.held === true
}

/** Whether this epoch is being closed, or has been. */
export async function isMoving(pool: Pool, epoch: number): Promise<boolean> {
  const { rows } = await pool.query<{ moving: boolean }>(
    `select not exists (select from log_epoch where epoch = $1 and closed_at is null)
         or exists (select from pg_locks where locktype = 'advisory' and classid = $2 and objid = $3 and granted
                       and database = (select oid from pg_database where datname = current_database())) as moving`,
    [epoch, ...moving],
  )
  return rows[0]?.moving === true
}

export async function isClosed(pool: Pool, epoch: number): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'epoch is open',
    text: 'select from log_epoch where epoch = $1 and closed_at is null',
    values: [epoch],
  })
  return rowCount === 0
}

const appending = Object.entries(jobAppends).flatMap(([kind, does]) => (does ? kind : []))

/** With what tenants wrote, and what jobs left that have ended, on its way to the log. */
export async function countAppending(client: Pool | PoolClient): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select (select count(*) from job where status in ('queued', 'active') and kind = any ($1))
          + (select count(*) from import where state in ('appending', 'settling'))
          + (select count(*) from unsent where payload is not null
              and not exists (select from job where job_id = sender and status in ('queued', 'active'))) as n`,
    [appending],
  )
  return rows[0]?.n ?? 0
}

/**
 * Closes the epoch and opens the next, both or neither.
 * @param group whose position begins where the next epoch does, on this topic
 */
export async function openNext(
  tx: PoolClient,
  { closed, ends }: { readonly closed: number; readonly ends: Offsets },
  // A start on other brokers, or with another prefix, is refused from the first on.
  next: Omit<KeptEpoch, 'ends'> & { readonly topicId: string | null },
  consumers: readonly { readonly group: string; readonly topic: string }[],
): Promise<void> {
  await tx.query('update log_epoch set closed_at = now(), ends = $2 where epoch = $1', [closed, JSON.stringify(ends)])
  const { epoch, engine, partitions, begins, topicId } = next
  await tx.query('insert into log_epoch (epoch, engine, partitions, begins, topic_id) values ($1, $2, $3, $4, $5)', [
    ...[epoch, engine, partitions, JSON.stringify(begins), topicId],
  ])
  for (const { group, topic } of consumers)
    await tx.query(
      `insert into sink_position (consumer_group, epoch, topic, partition, next_offset, owner_epoch)
       select $1, $2, $3, n - 1, b, 0 from unnest($4::bigint[]) with ordinality as o (b, n)`,
      [group, epoch, topic, begins[topic] ?? []],
    )
}
