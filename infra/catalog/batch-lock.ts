/** One batch run over a catalog at a time: a session lock, so that it ends with its process however that ends. */
import type { Pool } from 'pg'

/** @returns null while another run holds it */
export async function lockCatalog(pool: Pool, catalog: string): Promise<{ release(): Promise<void> } | null> {
  const session = await pool.connect()
  try {
    const { rows } = await session.query<{ held: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('batch:' || $1, 0)) as held`,
      [catalog],
    )
    if (!rows[0]?.held) {
      session.release()
      return null
    }
  } catch (error) {
    session.release(true)
    throw error
  }
  return {
    async release() {
      const unlocked = await session
        .query(`select pg_advisory_unlock(hashtextextended('batch:' || $1, 0))`, [catalog])
        .then(
          () => true,
          () => false,
        )
      session.release(!unlocked)
    },
  }
}
