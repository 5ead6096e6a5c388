/** Sends a file to a server and follows a job to its end. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { progressLine } from '../../infra/cli/progress.ts'
import { workspace } from './serving.ts'

/** As `assay ingest` asks. */
const pollMs = 250

/** Seconds from the first byte sent, as far as polling tells. */
export interface ImportTimes {
  /** The server has the file and has answered. */
  readonly answered: number
  /** Pass one is over: some row has been scored. */
  readonly firstRow: number
  readonly lastRow: number
  /** The ledger is closed, and everything is committed. */
  readonly done: number
}

/** From the first byte sent to the last product scored and committed. @returns seconds */
export const importFile = async (url: string, token: string, file: string): Promise<number> =>
  (await timedImport(url, token, file)).done

/** The same of a file that is of no use once the server has it: at a million rows it takes a gigabyte of the disk. */
export const importOnce = async (url: string, token: string, file: string): Promise<number> =>
  (await timedImport(url, token, file, () => rm(file))).done

/** @param sent called when the server has the file */
export async function timedImport(
  url: string,
  token: string,
  file: string,
  sent: () => Promise<void> = async () => {},
): Promise<ImportTimes> {
  const began = performance.now()
  const soFar = () => (performance.now() - began) / 1_000
  const { job } = await send(`${url}/api/workspace/${workspace}/datasets/ingest`, token, file)
  const answered = soFar()
  await sent()
  let [firstRow, lastRow] = [0, 0]
  const line = progressLine('ingest', 'rows')
  const show = (rows: number, total: number | null) => {
    if (rows > 0 && firstRow === 0) firstRow = soFar()
    if (rows === total && lastRow === 0) lastRow = soFar()
    line.show(rows, total)
  }
  await followJob(url, token, job.id, { ...line, show })
  const done = soFar()
  return { answered, firstRow: firstRow || done, lastRow: lastRow || done, done }
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
