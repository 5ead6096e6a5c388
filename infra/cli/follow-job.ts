/** Follows a background job to its end, through a server that is started again meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, patiently } from './client.ts'
import { progressLine } from './progress.ts'

export interface Job<T> {
  readonly status: 'queued' | 'active' | 'completed' | 'failed'
  readonly progress: { readonly done: number; readonly total: number | null }
  readonly result: T | null
  readonly error: { readonly code: string; readonly message: string } | null
}

const pollMs = 250

/** @param label of its progress @param what it counts */
export async function followJob<T>(server: Client, id: string, label: string, what = 'rows'): Promise<Job<T>> {
  const line = progressLine(label, what)
  for (;;) {
    // The job goes on where it was when the server is back.
    const { job } = await patiently(() => server.get<{ job: Job<T> }>(`/jobs/${id}`))
    line.show(job.progress.done, job.progress.total)
    if (job.status === 'completed' || job.status === 'failed') {
      line.end()
      return job
    }
    await sleep(pollMs)
  }
}
