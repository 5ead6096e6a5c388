/** Makes known what records rely on, then appends them: in one transaction where the log takes part in it, else one after the other. */
import type { Pool, PoolClient } from 'pg'
import type { Log } from '../infra/log/port.ts'

interface Ports {
  readonly pool: Pool
  readonly log: Log
  readonly inTransaction: <T>(pool: Pool, work: (tx: PoolClient) => Promise<T>) => Promise<T>
}

/**
 * A record that outlives a failed commit must not speak of an identity that nobody knows. Cut off in between, both are done again.
 * @param append with what must be true once the records are on the log; in the same transaction as far as the log takes part
 */
export async function afterRegister<T>(
  { pool, log, inTransaction }: Ports,
  register: (tx: PoolClient) => Promise<void>,
  append: (tx: PoolClient) => Promise<T>,
): Promise<T> {
  if (log.transactional)
    return inTransaction(pool, async (tx) => {
      await register(tx)
      return append(tx)
    })
  await inTransaction(pool, register)
  return inTransaction(pool, append)
}
