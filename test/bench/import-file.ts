/** Sends a file to a server and follows a job to its end. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { progressLine } from '../../infra/cli/progress.ts'
import { workspace } from './serving.ts'

/** As `assay ingest` asks. */
const pollMs = 250

/** From the first byte sent to the last product scored and committed. @returns seconds */
export async function importFile(url: string, token: string, file: string): Promise<number> {
  const began = performance.now()
  const { job } = await send(`${url}/api/workspace/${workspace}/datasets/ingest`, token, file)
  await followJob(url, token, job.id, progressLine('ingest', 'rows'))
  return (performance.now() - began) / 1_000
}

/** Not through fetch, whose streams send half as fast. */
async function send(url: string, token: string, file: string): Promise<{ job: { id: string } }> {
  const sent = request(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
  })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  await pipeline(createReadStream(file, { highWaterMark: 2 ** 20 }), sent)
  const [answer] = await answered
  return (await json(answer)) as { job: { id: string } }
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
    await sleep(pollMs)
  }
}
