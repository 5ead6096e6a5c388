/** Moves a consumer's position inside the sink's own transaction, so that a batch has its effect exactly once. */
import type { ClientBase, Pool, PoolClient } from 'pg'
import { kept } from './kept.ts'

export interface Claim {
  readonly group: string
  readonly epoch: number
  readonly topic: string
  readonly partition: number
  /** Grows each time that the partition changes hands; a holder with an older one has lost it. */
  readonly ownerEpoch: number
}

/** On the embedded log the next epoch goes on in the same partitions: what stands there is never this one's to read. */
const whileOpen = 'and exists (select from log_epoch where epoch = $2 and closed_at is null)'
const advanceSql = `
  update sink_position
     set next_offset = $6
   where consumer_group = $1 and epoch = $2 and topic = $3 and partition = $4
     and owner_epoch = $7
     and next_offset = $5`

/**
 * First statement of every batch's transaction.
 * @param from offset of the batch's first record
 * @param to one past the offset of its last
 * @param former the epoch may be closed: its reader ends where the epoch does
 * @returns false where another worker has taken the partition or has already done this batch, or the epoch is closed: roll back and let go
 */
export async function advancePosition(
  tx: ClientBase,
  claim: Claim,
  from: number,
  to: number,
  { former = false }: { readonly former?: boolean } = {},
): Promise<boolean> {
  const { group, epoch, topic, partition, ownerEpoch } = claim
  const values = [group, epoch, topic, partition, from, to, ownerEpoch]
  const { rowCount } = await tx.query(kept(former ? advanceSql : `${advanceSql} ${whileOpen}`, values))
  return rowCount === 1
}

const claimSql = `
  insert into sink_position (consumer_group, epoch, topic, partition, next_offset, owner_epoch) values ($1, $2, $3, $4, 0, 1)
  on conflict (consumer_group, epoch, topic, partition) do update set owner_epoch = sink_position.owner_epoch + 1
   where $5::uuid is null or sink_position.owner = $5
  returning next_offset as "nextOffset", owner_epoch as "ownerEpoch"`

/**
 * Takes a partition over from whoever had it.
 * @param member only where the lease is this one's; null: whose the partition is has been decided elsewhere
 * @returns null where another member has the lease
 */
export async function claimPosition(
  client: Pool | PoolClient,
  group: string,
  epoch: number,
  topic: string,
  partition: number,
  member: string | null,
): Promise<{ nextOffset: number; ownerEpoch: number } | null> {
  const { rows } = await client.query<{ nextOffset: number; ownerEpoch: number }>(claimSql, [
    group,
    epoch,
    topic,
    partition,
    member,
  ])
  return rows[0] ?? null
}

/** Whether it is still there, and nobody else's. */
export async function holdsPosition(
  client: Pool | PoolClient,
  { group, epoch, topic, partition, ownerEpoch }: Claim,
  next: number,
): Promise<boolean> {
  const text = `select from sink_position
    where consumer_group = $1 and epoch = $2 and topic = $3 and partition = $4 and owner_epoch = $5 and next_offset = $6`
  const values = [group, epoch, topic, partition, ownerEpoch, next]
  return (await client.query({ name: 'holds position', text, values })).rowCount === 1
}

/** How far the group has come, by partition. */
export async function sinkPositions(
  client: Pool | PoolClient,
  group: string,
  epoch: number,
  topic: string,
  partitions: number,
): Promise<number[]> {
  const { rows } = await client.query<{ partition: number; next: number }>({
    name: 'sink positions',
    text: 'select partition, next_offset as next from sink_position where consumer_group = $1 and epoch = $2 and topic = $3',
    values: [group, epoch, topic],
  })
  const positions = new Array<number>(partitions).fill(0)
  for (const { partition, next } of rows) positions[partition] = next
  return positions
}

/** How far the group has come, in every epoch that it has read of. */
export async function sinkPlaces(
  client: Pool | PoolClient,
  group: string,
  topic: string,
): Promise<{ epoch: number; partition: number; next: number }[]> {
  const sql = 'select epoch, partition, next_offset as next from sink_position where consumer_group = $1 and topic = $2'
  return (await client.query<{ epoch: number; partition: number; next: number }>(sql, [group, topic])).rows
}
