/** Runs one transaction: committed when `work` resolves, rolled back when it throws. */
import type { Pool, PoolClient } from 'pg'

/** By the connection of the transaction under way. */
const toSay = new WeakMap<PoolClient, Map<string, { readonly channel: string; readonly said: string }>>()

/**
 * Tells whoever listens (`openNotices`) once the transaction under way has committed: within it, it would have to wait for the commits of all others
 * that say something. What is lost where the process dies in between is found by time.
 */
export function sayAfter(tx: PoolClient, channel: string, said: string): void {
  const all = toSay.get(tx) ?? new Map()
  toSay.set(tx, all.set(`${channel} ${said}`, { channel, said }))
}

export async function inTransaction<T>(pool: Pool, work: (tx: PoolClient) => Promise<T>): Promise<T> {
  const tx = await pool.connect()
  let result: T
  try {
    await tx.query('begin')
    result = await work(tx)
    await tx.query('commit')
  } catch (error) {
    toSay.delete(tx)
    // A connection that cannot even roll back is thrown away; its transaction ends with it.
    tx.release(
      await tx.query('rollback').then(
        () => undefined,
        (cause: Error) => cause,
      ),
    )
    throw error
  }
  const all = toSay.get(tx)
  toSay.delete(tx)
  // Nobody waits for it.
  if (all) say(tx, [...all.values()]).then(() => tx.release(), tx.release)
  else tx.release()
  return result
}

const say = (tx: PoolClient, all: readonly { readonly channel: string; readonly said: string }[]) =>
  tx.query({
    name: 'say',
    text: 'select pg_notify(channel, said) from unnest($1::text[], $2::text[]) as n (channel, said)',
    values: [all.map(({ channel }) => channel), all.map(({ said }) => said)],
  })
