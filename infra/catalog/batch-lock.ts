/** One batch run over a catalog at a time: a session lock, so that it ends with its process however that ends. */
import { connect } from './postgres.ts'

/**
 * The session is no connection of a pool: a run lasts as long as its caller reads, and slow callers must not starve others.
 * @returns null while another run holds it
 */
export async function lockCatalog(url: string, catalog: string): Promise<{ release(): Promise<void> } | null> {
  const session = await connect(url)
  const release = () => session.end().catch(() => {})
  try {
    const { rows } = await session.query<{ held: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('batch:' || $1, 0)) as held`,
      [catalog],
    )
    if (!rows[0]?.held) {
      await release()
      return null
    }
  } catch (error) {
    await release()
    throw error
  }
  return {
    async release() {
      // Said aloud: the server notices the end of a session a moment after the caller has gone on.
      await session.query('select pg_advisory_unlock_all()').catch(() => {})
      await release()
    },
  }
}
