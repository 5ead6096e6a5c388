/** Puts the unfinished jobs of a restored database into the queue, which is in no backup: what a job is and how far it got is its row. */
import type { Pool } from 'pg'
import { isQueueDue, queueFollowed, unfinishedJobs } from '../catalog/restore-queries.ts'
import { type JobKind, type Jobs, jobKinds } from '../jobs.ts'

const isKind = (queue: string): queue is JobKind => (jobKinds as readonly string[]).includes(queue)

/** Once after a restore; of two processes that do it at once each job is there once. */
export async function queueRestored(pool: Pool, jobs: Jobs): Promise<void> {
  if (!(await isQueueDue(pool))) return
  for (let after: string | null = null; ; ) {
    const page = await unfinishedJobs(pool, after)
    for (const { id, queue } of page) if (isKind(queue)) await jobs.send(queue, id)
    after = page.at(-1)?.id ?? null
    if (after === null) break
  }
  await queueFollowed(pool)
}
