/** What the resolver of inbound topics keeps and asks: how far it has come, whose catalog a message means, and the context of its source. */
import type { Pool, PoolClient } from 'pg'
import type { ImportContext } from '../../schemas/pipeline.ts'
import { insertContext } from './import-sources.ts'
import { inTransaction } from './in-transaction.ts'

const group = 'inbound'

/** Topics of tenants that the embedded log has, with as many partitions. */
export async function inboundTopics(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ topic: string }>(
    `select distinct topic from log_counter where topic ~ '^inbound\\.ws_[a-z0-9]+$'`,
  )
  return rows.map(({ topic }) => topic)
}

/** The epoch of a topic's name in which it lies where it does: found, or the next. @param place 'postgres', or the id that Kafka gave it */
export async function inboundEpoch(pool: Pool, topic: string, place: string): Promise<number> {
  for (;;) {
    const { rows } = await pool.query<{ epoch: number }>(
      `with known as (select epoch from inbound_topic where topic = $1 and place = $2),
            made as (insert into inbound_topic (topic, epoch, place, workspace_id)
                     select $1, coalesce(max(epoch) + 1, 0), $2, substr($1, 9) from inbound_topic where topic = $1
                     having not exists (select from known)
                     on conflict do nothing returning epoch)
       select epoch from known union all select epoch from made`,
      [topic, place],
    )
    // None where another process made it in the same moment.
    if (rows[0]) return rows[0].epoch
  }
}

/** Where an epoch of a topic's name lies: 'postgres', or the id that Kafka gave it. Nothing is numbered by asking. */
export async function inboundPlaceOf(pool: Pool, topic: string, epoch: number): Promise<string | null> {
  const { rows } = await pool.query<{ place: string }>(
    'select place from inbound_topic where topic = $1 and epoch = $2',
    [topic, epoch],
  )
  return rows[0]?.place ?? null
}

/** One partition of a topic of tenants. */
export interface InboundPlace {
  readonly topic: string
  readonly epoch: number
  readonly partition: number
}

export async function inboundPosition(pool: Pool, { topic, epoch, partition }: InboundPlace): Promise<number> {
  const { rows } = await pool.query<{ next: number }>(
    'select next_offset as next from sink_position where consumer_group = $1 and epoch = $2 and topic = $3 and partition = $4',
    [group, epoch, topic, partition],
  )
  return rows[0]?.next ?? 0
}

/** Messages that nobody has resolved yet, over all topics of tenants that the embedded log has. */
export async function countUnresolved(client: Pool | PoolClient): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select coalesce(sum(c.next_offset - coalesce(p.next_offset, 0)), 0)::bigint as n
       from log_counter c
       left join inbound_topic t on t.topic = c.topic and t.place = 'postgres'
       left join sink_position p on p.consumer_group = $1 and p.epoch = t.epoch and p.topic = c.topic and p.partition = c.partition
      where c.topic ~ '^inbound\\.ws_[a-z0-9]+$'`,
    [group],
  )
  return rows[0]?.n ?? 0
}

/** No owner: two that do the same batch find that one of them has. @returns false for the other */
export async function advanceInbound(
  tx: PoolClient,
  { topic, epoch, partition }: InboundPlace,
  from: number,
  to: number,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into sink_position (consumer_group, epoch, topic, partition, next_offset, owner_epoch) values ($1, $2, $3, $4, $6, 1)
     on conflict (consumer_group, epoch, topic, partition) do update set next_offset = excluded.next_offset
       where sink_position.next_offset = $5`,
    [group, epoch, topic, partition, from, to],
  )
  return rowCount === 1
}

/** @param id null: the default catalog of the brand main */
export async function inboundTarget(
  pool: Pool,
  workspace: string,
  id: string | null,
): Promise<{ workspace: string; brand: string; catalog: string } | null> {
  const { rows } = await pool.query<{ brand: string; catalog: string }>(
    `select c.brand_id as brand, c.catalog_id as catalog from catalog c join brand b using (brand_id)
      where c.workspace_id = $1 and c.deleted_at is null and b.deleted_at is null
        and case when $2::uuid is null then c.is_default and b.name = 'main' else c.catalog_id = $2 end`,
    [workspace, id],
  )
  return rows[0] ? { workspace, ...rows[0] } : null
}

/** Found by what it says, or numbered: the same for every message of the source, whichever process asks. */
export function inboundContextOf(
  pool: Pool,
  scope: { workspace: string; brand: string; catalog: string; source: string },
  body: Omit<ImportContext, 'id'>,
): Promise<number> {
  return inTransaction(pool, async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('inbound context:' || $1 || ' ' || $2, 0))`, [
      scope.catalog,
      scope.source,
    ])
    const { rows } = await tx.query<{ id: number }>(
      'select context_id as id from import_context where catalog_id = $1 and source = $2 and body = $3 order by 1 limit 1',
      [scope.catalog, scope.source, JSON.stringify(body)],
    )
    return rows[0]?.id ?? insertContext(tx, scope, body)
  })
}
