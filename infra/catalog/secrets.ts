/** Keys of this installation, which all of its nodes share. */
import type { Pool } from 'pg'

/** @param name as a migration made it */
export async function readSecret(pool: Pool, name: string): Promise<Buffer> {
  const { rows } = await pool.query<{ value: Buffer }>('select value from secret where name = $1', [name])
  const [row] = rows
  if (!row) throw new Error(`there is no secret ${name}`)
  return row.value
}
