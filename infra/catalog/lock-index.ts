/** Of a catalog's search index one writes at a time, so that what ends a document and what moves it follow one another. */
import type { PoolClient } from 'pg'

export async function lockIndex(tx: PoolClient, catalog: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('search:' || $1, 0))`, [catalog])
}
