/** When anyone last called the API of any node: told in one row, so that jobs elsewhere know. */
import type { Pool } from 'pg'

export async function tellCall(pool: Pool): Promise<void> {
  await pool.query(
    'insert into last_call default values on conflict (only_row) do update set called_at = excluded.called_at',
  )
}

export async function wasCalledWithin(pool: Pool, ms: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    'select from last_call where called_at > clock_timestamp() - make_interval(secs => $1::double precision / 1000)',
    [ms],
  )
  return rowCount === 1
}
