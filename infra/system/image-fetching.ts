/** Fetches the images that a job wants: several hosts at a time, of each one after the other, and each result kept as it comes. */
import type { Pool } from 'pg'
import { type CheckPorts, checkImage } from '../../ingest/images/check-image.ts'
import { countWanted, giveHostUp, keepImage, nextHost, saveImage, wantedImages } from '../catalog/image-checks.ts'
import { JobEnded, jobProgress } from '../catalog/job-table.ts'

interface Wanting {
  readonly id: string
  readonly catalog: string
  /** How many the job wanted when it began. */
  readonly total: number
}

/** Hosts that one job asks at a time; each holds at most one file in memory. */
const lanes = 16
const pageRows = 50
/** So many failures of a host one after the other: the rest of it waits for another run. */
const failuresAtMost = 10
const tellEveryMs = 1_000

/** Goes on where it was cut off: what was fetched is wanted no more. @throws the first error, once every lane has stopped */
export async function fetchWanted(pool: Pool, ports: CheckPorts, job: Wanting, signal: AbortSignal): Promise<void> {
  const stop = new AbortController()
  const within = AbortSignal.any([signal, stop.signal])
  const count = await openCount(pool, job)
  const hosts = hostsOf(pool, job.id)
  const lane = async () => {
    // One list for all lanes: each takes the next.
    for await (const host of hosts) await askHost(host)
  }

  async function askHost(host: string): Promise<void> {
    let failures = 0
    for (let page = await wanted(host); page.length > 0; page = await wanted(host))
      for (const image of page) {
        within.throwIfAborted()
        const found = await checkImage(image.address, image, ports, within)
        const kept = found ? await saveImage(pool, job, image.hash, found) : await keepImage(pool, job, image.hash)
        if (!kept) throw new JobEnded(job.id)
        await count(1)
        failures = found?.state === 'unreachable' ? failures + 1 : 0
        if (failures < failuresAtMost) continue
        return count(await giveHostUp(pool, job.id, host, `Of its host ${failures} images in a row could not be had`))
      }
  }

  const wanted = (host: string) => wantedImages(pool, job.id, host, pageRows)
  const ends = await Promise.allSettled(
    Array.from({ length: lanes }, () =>
      lane().catch((error: unknown) => {
        if (!stop.signal.aborted) stop.abort(error)
        throw error
      }),
    ),
  )
  signal.throwIfAborted()
  if (stop.signal.aborted) throw stop.signal.reason
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

async function* hostsOf(pool: Pool, job: string): AsyncGenerator<string> {
  for (let host = await nextHost(pool, job, null); host !== null; host = await nextHost(pool, job, host)) yield host
}

/** Tells how far the job is, but not at every image. */
async function openCount(pool: Pool, { id, total }: Wanting): Promise<(more: number) => Promise<void>> {
  let done = total - (await countWanted(pool, id))
  let told = 0
  return async (more) => {
    done += more
    if (Date.now() - told < tellEveryMs) return
    told = Date.now()
    await jobProgress(pool, id, done, total)
  }
}
