/** Runs one transaction: committed when `work` resolves, rolled back when it throws; and what is to happen once it is committed. */
import type { Pool, PoolClient } from 'pg'

const waiting = new WeakMap<PoolClient, (() => void)[]>()

/** Called once what this transaction wrote can be seen, and never where it was rolled back. */
export function afterCommit(tx: PoolClient, act: () => void): void {
  waiting.get(tx)?.push(act)
}

export async function inTransaction<T>(pool: Pool, work: (tx: PoolClient) => Promise<T>): Promise<T> {
  const tx = await pool.connect()
  let broken: Error | undefined
  try {
    const acts: (() => void)[] = []
    waiting.set(tx, acts)
    await tx.query('begin')
    const result = await work(tx)
    await tx.query('commit')
    for (const act of acts) act()
    return result
  } catch (error) {
    // A connection that cannot even roll back is thrown away; its transaction ends with it.
    await tx.query('rollback').catch((cause: Error) => {
      broken = cause
    })
    throw error
  } finally {
    waiting.delete(tx)
    tx.release(broken)
  }
}
