/** Shares the partitions of a topic among the members of a group, by leases in the catalog: who has which, and who of them lives. */
import type { Pool } from 'pg'

export interface Lease {
  readonly group: string
  readonly epoch: number
  readonly topic: string
  readonly partitions: number
  /** A UUID; the names of its process's sessions end with it. */
  readonly member: string
}

export interface Share {
  /** How many partitions are this member's by right. */
  readonly share: number
  /** Those that it has, in order: more than its share, until it has given some back. */
  readonly held: readonly number[]
}

const scope = ({ group, epoch, topic }: Lease) => [group, epoch, topic] as const

/**
 * A member's turn, to be had more often than `silentMs`: says that it lives, takes what nobody has as far as its share goes.
 * Partitions of a member that was silent for so long are nobody's, and its sessions are ended.
 */
export async function takeShare(pool: Pool, lease: Lease, silentMs: number): Promise<Share> {
  const { rows } = await pool.query<Share>({
    name: 'take share',
    text: 'select share, held from take_share($1, $2, $3, $4, $5, make_interval(secs => $6))',
    values: [...scope(lease), lease.partitions, lease.member, silentMs / 1_000],
  })
  const [row] = rows
  if (!row) throw new Error('no share was told')
  return row
}

/** When nothing of them is under way any more. */
export async function giveBack(pool: Pool, lease: Lease, partitions: readonly number[]): Promise<void> {
  await pool.query(
    `update sink_position set owner = null
      where consumer_group = $1 and epoch = $2 and topic = $3 and owner = $4 and partition = any ($5)`,
    [...scope(lease), lease.member, partitions],
  )
}

/** Gives everything back, so that nobody waits for silence. */
export async function leaveGroup(pool: Pool, lease: Lease): Promise<void> {
  await pool.query(
    `with gone as (delete from consumer_member where consumer_group = $1 and member = $4)
     update sink_position set owner = null where consumer_group = $1 and epoch = $2 and topic = $3 and owner = $4`,
    [...scope(lease), lease.member],
  )
}
