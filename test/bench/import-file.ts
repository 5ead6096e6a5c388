/** Sends a file to a server and follows a job to its end. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { progressLine } from '../../infra/cli/progress.ts'
import { workspace } from './serving.ts'

/** From the first byte sent to the last product scored and committed. @returns seconds */
export async function importFile(url: string, token: string, file: string): Promise<number> {
  const began = performance.now()
  const sent = await fetch(`${url}/api/workspace/${workspace}/datasets/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: Readable.toWeb(createReadStream(file)) as ReadableStream,
    duplex: 'half',
  } as RequestInit)
  const { job } = (await sent.json()) as { job: { id: string } }
  await followJob(url, token, job.id, progressLine('ingest', 'rows'))
  return (performance.now() - began) / 1_000
}

/** @returns the job's result @throws where it failed */
export async function followJob(
  url: string,
  token: string,
  id: string,
  line: ReturnType<typeof progressLine>,
): Promise<unknown> {
  for (;;) {
    const answer = await fetch(`${url}/jobs/${id}`, { headers: { authorization: `Bearer ${token}` } })
    const { job } = (await answer.json()) as {
      job: { status: string; progress: { done: number; total: number | null }; result: unknown; error: unknown }
    }
    line.show(job.progress.done, job.progress.total)
    if (job.status === 'failed') throw new Error(JSON.stringify(job.error))
    if (job.status === 'completed') {
      line.end()
      return job.result
    }
    await sleep(100)
  }
}
