/** Background jobs on pg-boss: who runs which job when. What a job is and how far it got is a row of our own table `job`. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { PgBoss } from 'pg-boss'
import { kept } from './catalog/kept.ts'
import { type Notices, openNotices } from './catalog/notices.ts'
import { openPipeline } from './catalog/postgres.ts'
import { type Crew, openCrew } from './job-crew.ts'
import { watchJobs } from './job-watch.ts'
import { NotYet } from './not-yet.ts'

export const jobKinds = [
  'import',
  'preview',
  'publish',
  'refine',
  'bulk',
  'restore',
  'fork',
  'merge',
  'delete_catalog',
  'undelete_catalog',
  'url_import',
  'fetch_file',
  'undo',
  'redo',
  'check_images',
  'verify',
  'rebuild',
  'replay',
  'promote',
  'duplicates',
  'redrive',
  'visibility',
  'popularity',
  'feed_file',
  'dispatch',
  'forecast',
  'validate_feed',
] as const
export type JobKind = (typeof jobKinds)[number]

/**
 * Goes on from where the job's row says it got to, since it may have been cut off anywhere. Returns when the job has ended,
 * well or not; throws to be tried again later. Once `signal` is aborted the job belongs to someone else, or this process is
 * closing: it throws as soon as nothing half-done is left.
 */
export type JobHandler = (jobId: string, signal: AbortSignal) => Promise<void>

export interface JobOptions {
  /** The caller holds the instance lock: no other process lives, so every active job was cut off and starts again at once. */
  readonly takeOver?: boolean
  /** Called once for a job that was tried too often, so that its row can end. */
  readonly gaveUp?: (kind: JobKind, jobId: string) => Promise<void>
  /** A handler that threw, a database that is away: for the log. */
  readonly onError?: (error: Error) => void
  /** Of this process; without them it has its own. */
  readonly notices?: Notices
  /** How long `close` waits for handlers. */
  readonly closeWithinMs?: number
}

export interface Jobs {
  /**
   * Twice for one job id is once.
   * @param tx the job exists when this transaction commits
   */
  send(kind: JobKind, jobId: string, tx?: PoolClient): Promise<void>
  /** Takes no job any more, and lets those under way go to another process. */
  rest(): Promise<void>
  /** Aborts the handlers, and after a bound leaves them: their jobs are taken up again by the next process. */
  close(): Promise<void>
}

/** Jobs of a kind that one process runs at a time. */
const concurrency: Record<JobKind, number> = {
  import: 2,
  preview: 2,
  publish: 2,
  refine: 1,
  bulk: 2,
  restore: 1,
  fork: 1,
  merge: 1,
  delete_catalog: 1,
  undelete_catalog: 1,
  // They wait for hosts most of the time.
  url_import: 4,
  fetch_file: 4,
  undo: 2,
  redo: 2,
  check_images: 2,
  verify: 1,
  rebuild: 1,
  replay: 2,
  promote: 1,
  duplicates: 1,
  forecast: 1,
  validate_feed: 1,
  redrive: 1,
  visibility: 1,
  popularity: 1,
  feed_file: 1,
  // It waits for receivers.
  dispatch: 4,
}

/** A job whose process died is taken up by another after at most heartbeat + supervision: 17 s. */
const heartbeatSeconds = 15
const superviseSeconds = 2

const queueOptions = {
  heartbeatSeconds,
  // The longest that pg-boss allows: what ends a job is its heartbeat.
  expireInSeconds: 24 * 3600,
  // Waits of 1 s to 30 s, some fifteen minutes together: a store may be away for that long.
  retryLimit: 30,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  deleteAfterSeconds: 3600,
  notify: true,
}
/** A job that is to be tried again waits for seconds, while the first of its kind may be busy. */
const againAfterMs = [1_100, 2_100, 4_100]
const gaveUpQueue = 'gave-up'

/** How long a failed job holds its place for a database that is away, and how often it asks. */
const answersWithinMs = 60_000
const askAgainMs = 250

interface Payload {
  readonly kind: JobKind
  readonly jobId: string
}

export async function openJobs(
  url: string,
  handlers: Partial<Record<JobKind, JobHandler>>,
  options: JobOptions = {},
): Promise<Jobs> {
  const { onError = () => {}, gaveUp, closeWithinMs = 10_000 } = options
  const notices = options.notices ?? openNotices(url)
  const pool = openPipeline(url, { maxConnections: 4 })
  const closing = new AbortController()
  const crews = new Map<string, Crew>()
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) => pool.query(statement(text, values)),
      listen: async (channel, _, missed) => {
        const stop = notices.listen(channel, (name) => (name === null ? missed() : crews.get(name)?.wake()))
        return { close: async () => stop() }
      },
    },
    supervise: false,
    registerInstance: false,
    monitorIntervalSeconds: superviseSeconds,
    schedule: false,
    reindex: false,
    monitorVacuum: false,
    useListenNotify: true,
  })
  boss.on('error', onError)
  const close = async () => {
    closing.abort(new Error('Assay is closing'))
    await boss.stop({ timeout: closeWithinMs })
    await pool.end()
    if (!options.notices) await notices.close()
  }
  try {
    await boss.start()
    await createQueues(boss)
    if (options.takeOver) await startAgain(boss)
  } catch (error) {
    await close().catch(() => {})
    throw error
  }

  for (const kind of jobKinds) {
    const handler = handlers[kind]
    if (!handler) continue
    const crew = openCrew<Payload>(boss, kind, concurrency[kind], closing.signal, async ({ id, signal, data }) => {
      await handler(data.jobId, AbortSignal.any([signal, closing.signal])).catch(async (error: Error) => {
        for (const ms of againAfterMs) setTimeout(crew.wake, ms).unref()
        if (error instanceof NotYet) return putBack(boss, kind, id)
        if (!closing.signal.aborted) onError(error)
        await databaseAnswers(boss, closing.signal)
        throw error
      })
    })
    crews.set(kind, crew)
  }
  if (gaveUp)
    crews.set(
      gaveUpQueue,
      openCrew<Payload>(boss, gaveUpQueue, 1, closing.signal, ({ data }) => gaveUp(data.kind, data.jobId)),
    )
  if (crews.size > 0) {
    // Not waited for at the end: the database may answer no more.
    void watchJobs(
      {
        ask: (sql, values) => boss.getDb().executeSql(sql, values),
        crews,
        pass: () => boss.supervise(),
        everySeconds: superviseSeconds,
      },
      closing.signal,
      onError,
    )
  }

  return {
    send: async (kind, jobId, tx) => {
      const payload: Payload = { kind, jobId }
      const within = tx && { executeSql: (text: string, values?: unknown[]) => tx.query(statement(text, values)) }
      await boss.send(kind, payload, { id: jobId, ...(within && { db: within }) })
    },
    rest: async () => {
      closing.abort(new Error('this process takes no jobs any more'))
      for (const kind of jobKinds) if (handlers[kind]) await boss.offWork(kind)
    },
    close,
  }
}

/** Kept by the connection, since to plan one takes longer than to answer it; one text of several statements cannot be. */
const statement = (text: string, values: unknown[] = []) => (text.includes(';') ? { text, values } : kept(text, values))

/** On most starts every queue stands as it should: four statements and a lock for each were a third of what a start asks. */
async function createQueues(boss: PgBoss): Promise<void> {
  const present = new Map((await boss.getQueues()).map((queue) => [queue.name, new Map(Object.entries(queue))]))
  if (!present.has(gaveUpQueue))
    await boss.createQueue(gaveUpQueue, { retryLimit: 1000, retryDelay: 1, retryBackoff: true, retryDelayMax: 60 })
  const wanted = { ...queueOptions, deadLetter: gaveUpQueue }
  for (const kind of jobKinds) {
    const queue = present.get(kind)
    if (queue && Object.entries(wanted).every(([name, value]) => queue.get(name) === value)) continue
    await boss.createQueue(kind)
    await boss.updateQueue(kind, wanted)
  }
}

/** A failure that pg-boss cannot note down leaves the job running by name, until its heartbeat is missed. */
async function databaseAnswers(boss: PgBoss, signal: AbortSignal): Promise<void> {
  for (const until = Date.now() + answersWithinMs; Date.now() < until && !signal.aborted; ) {
    const answers = await boss
      .getDb()
      .executeSql('select 1')
      .then(
        () => true,
        () => false,
      )
    if (answers) return
    await sleep(askAgainMs, undefined, { signal }).catch(() => {})
  }
}

/** A job that waits again is no longer active, so that pg-boss does not complete it when the handler returns. */
async function putBack(boss: PgBoss, kind: JobKind, id: string): Promise<void> {
  await boss.getDb().executeSql(
    `update pgboss.job set state = 'created', start_after = now() + interval '2 seconds', started_on = null, heartbeat_on = null, retry_count = 0
        where name = $1 and id = $2 and state = 'active'`,
    [kind, id],
  )
}

/** Failing a cut-off job makes it wait for its next try, counted; then the wait is taken away, here and where a close left one. */
async function startAgain(boss: PgBoss): Promise<void> {
  const { rows } = await boss
    .getDb()
    .executeSql(`select name, id, state from pgboss.job where name = any ($1) and state in ('active', 'retry')`, [
      jobKinds,
    ])
  for (const { name, id, state } of rows as { name: string; id: string; state: string }[]) {
    if (state === 'active') await boss.fail(name, id, { message: 'its process died' })
    await boss.update(name, undefined, { id, startAfter: new Date() })
  }
}
