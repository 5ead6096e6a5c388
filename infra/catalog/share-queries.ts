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

const takeSql = `
  select s.share, s.held
    from unnest($1::text[], $2::int[], $3::text[], $4::int[], $5::uuid[]) with ordinality as l (consumer_group, epoch, topic, partitions, member, nth),
         take_share(l.consumer_group, l.epoch, l.topic, l.partitions, l.member, make_interval(secs => $6)) s
   order by l.nth`

/**
 * A member's turn in each of its groups, to be had more often than `silentMs`: says that it lives, takes what nobody has as far as its share goes.
 * Partitions of a member that was silent for so long are nobody's, and its sessions are ended.
 * @returns in order of the leases
 */
export async function takeShares(pool: Pool, leases: readonly Lease[], silentMs: number): Promise<Share[]> {
  // Turns in a group follow one another: members that have them in several do so in one order.
  const inOrder = [...leases].sort((one, other) => (one.group < other.group ? -1 : 1))
  const column = <K extends keyof Lease>(name: K) => inOrder.map((lease) => lease[name])
  const { rows } = await pool.query<Share>({
    name: 'take shares',
    text: takeSql,
    values: [
      ...[column('group'), column('epoch'), column('topic'), column('partitions'), column('member')],
      silentMs / 1_000,
    ],
  })
  return leases.flatMap((lease) => rows[inOrder.indexOf(lease)] ?? [])
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
