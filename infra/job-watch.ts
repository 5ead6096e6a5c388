/** Sees that no job is left: wakes who can do what is due, and has taken from processes what they give no sign of. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Crew } from './job-crew.ts'

interface Watched {
  /** By queue. */
  readonly crews: ReadonlyMap<string, Pick<Crew, 'wake'>>
  readonly ask: (sql: string, values?: unknown[]) => Promise<{ rows: { name: string }[] }>
  /** A round of pg-boss's own: takes jobs from who is gone, and deletes by the day what ended long ago. */
  readonly pass: () => Promise<void>
  readonly everySeconds: number
}

/**
 * The database tells of a job that is sent. For what is to be tried again, and should that word be lost, one question asks for all kinds: thirty
 * workers that each asked were half of the statements of an Assay in which nothing happens.
 */
const askDueMs = 1_000
const dueSql = `
  select name from unnest($1::text[]) as q (name)
   where exists (select from pgboss.job j where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now())`

/** pg-boss's round asks a dozen questions, of which one takes 40 ms to plan: it is made where this one finds something, and now and then. */
const missedSql = `
  select name from pgboss.job
   where state = 'active'
     and (heartbeat_on + heartbeat_seconds * interval '1 second' < now() or started_on + expire_seconds * interval '1 second' < now())
   limit 1`
const passMs = { first: 60_000, later: 3_600_000 }

/** Ends with the signal. */
export async function watchJobs(
  { crews, ask, pass, everySeconds }: Watched,
  signal: AbortSignal,
  onError: (error: Error) => void,
): Promise<void> {
  const told = (error: Error) => {
    if (!signal.aborted) onError(error)
  }
  const found = async (sql: string, values?: unknown[]) => (await ask(sql, values).catch(told))?.rows ?? []
  const now = performance.now()
  let missedAt = now + everySeconds * 1_000
  let passAt = now + passMs.first
  while (!signal.aborted) {
    for (const { name } of await found(dueSql, [[...crews.keys()]])) crews.get(name)?.wake()
    const now = performance.now()
    if (now >= missedAt) {
      missedAt = now + everySeconds * 1_000
      const isTime = now >= passAt
      if (isTime) passAt = now + passMs.later
      if (isTime || (await found(missedSql)).length > 0) await pass().catch(told)
    }
    await sleep(askDueMs, undefined, { signal }).catch(() => {})
  }
}
