/** Runs one transaction: committed when `work` resolves, rolled back when it throws. */
import type { Pool, PoolClient } from 'pg'

export async function inTransaction<T>(pool: Pool, work: (tx: PoolClient) => Promise<T>): Promise<T> {
  const tx = await pool.connect()
  let broken: Error | undefined
  try {
    await tx.query('begin')
    const result = await work(tx)
    await tx.query('commit')
    return result
  } catch (error) {
    // A connection that cannot even roll back is thrown away; its transaction ends with it.
    await tx.query('rollback').catch((cause: Error) => {
      broken = cause
    })
    throw error
  } finally {
    tx.release(broken)
  }
}
