/** Lets one process of a database at a time bring its event store to the present form: what one wrote while another made a table anew would be lost. */
import type { Pool } from 'pg'

/** Of the session, not of a transaction: a large table takes longer to copy than a transaction may idle. */
const lock = 'select pg_advisory_lock(1634956409, 39)'

export async function changeStoreAlone<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const session = await pool.connect()
  try {
    await session.query(lock)
    return await work()
  } finally {
    // The lock ends with it, however the work did.
    session.release(true)
  }
}
