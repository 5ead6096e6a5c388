/** One live Assay on a database: a session advisory lock, so that it ends with its process however that ends. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Pool } from 'pg'
import { connect } from './postgres.ts'

export interface InstanceLock {
  release(): Promise<void>
}

/** Any fixed pair of numbers that nothing else on the database uses: the ASCII of "assy". */
const lock = 'select pg_try_advisory_lock(1634956409, 1) as held'
/** The server notices a moment after a killed process that its session has ended. */
const patienceMs = 2_000
const retryMs = 1_000

/** @returns null where another live Assay has it */
export async function lockInstance(url: string): Promise<InstanceLock | null> {
  let session: Client | null = await connect(url)
  for (const until = Date.now() + patienceMs; !(await take(session)); await sleep(100)) {
    if (Date.now() < until) continue
    await session.end()
    return null
  }
  const released = new AbortController()
  const watch = (client: Client) => client.once('end', () => void reclaim())

  /** A server that restarted has forgotten the lock. */
  async function reclaim(): Promise<void> {
    session = null
    while (!released.signal.aborted) {
      await sleep(retryMs, undefined, { ref: false })
      const client = await connect(url).catch(() => null)
      if (!client) continue
      if (!released.signal.aborted && (await take(client).catch(() => false))) {
        session = client
        watch(client)
        return
      }
      await client.end().catch(() => {})
    }
  }

  watch(session)
  return {
    release: async () => {
      released.abort()
      await session?.end()
    },
  }
}

/** Whether a live Assay has it, which is then alone with the jobs and files of this database. */
export async function isInstanceLocked(pool: Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and l.classid = 1634956409 and l.objid = 1 and l.objsubid = 2 and l.granted`,
  )
  return rowCount !== 0
}

async function take(session: Client): Promise<boolean> {
  const { rows } = await session.query<{ held: boolean }>(lock)
  return rows[0]?.held === true
}
