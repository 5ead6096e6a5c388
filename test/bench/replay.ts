/** `npm run bench replay [products]`: a replay of a whole catalog under other settings, its rate, what others' reads take meanwhile beside what they take idle, its verdict and its promotion. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCatalog } from '../../infra/catalog/postgres.ts'
import { findReplay } from '../../infra/catalog/replays.ts'
import { weightsNumbered } from '../../infra/catalog/settings.ts'
import { countChoice } from '../../infra/catalog/shadow-choice.ts'
import { table } from '../../infra/cli/table.ts'
import { verdictOf } from '../../infra/system/verdict-of.ts'
import { writeCatalogFile } from './catalog-file.ts'
import { followJob, importFile } from './import-file.ts'
import { watchMemory } from './node-memory.ts'
import { serveForBench, workspace } from './serving.ts'

const idleSeconds = 15
/** Between two reads: a person's pace, so that their times are those of the machine and not of a queue. */
const readEveryMs = 20
const settings = { link_template: 'https://shop.example.test/{sku}', default_condition: 'new' }

export async function replayBench(args: string[]): Promise<void> {
  const size = Number(args[0] ?? 100_000)
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-file-'))
  const server = await serveForBench({ ASSAY_WORKSPACE_RATE: '1000000' })
  const memory = watchMemory(server.pid)
  const base = `${server.url}/api/workspace/${workspace}`
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${base}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
    return answer.json() as Promise<Record<string, never>>
  }
  try {
    const file = join(folder, 'catalog.csv')
    await writeCatalogFile(file, size)
    await importFile(server.url, server.token, file)
    const ids = await someIds(server.databaseUrl)
    const read = (n: number) =>
      fetch(`${base}/catalog/products/${ids[n % ids.length]}`, { headers }).then((a) => a.text())
    await timed(read, sleep(3_000))
    const idle = await timed(read, sleep(idleSeconds * 1_000))
    memory.take()
    const began = performance.now()
    const { job, replay } = (await call('POST', '/replays', { settings })) as unknown as Record<string, { id: string }>
    const ended = followJob(server.url, server.token, job?.id ?? '', silent)
    const busy = await timed(read, ended)
    const seconds = (performance.now() - began) / 1_000
    const peak = memory.take().get('server') ?? 0
    const verdictMs = await judged(server.databaseUrl, replay?.id ?? '')
    const promoteBegan = performance.now()
    const promoted = (await call('POST', `/replays/${replay?.id}/promote`, {})) as unknown as { job: { id: string } }
    await followJob(server.url, server.token, promoted.job.id, silent)
    const promoteSeconds = (performance.now() - promoteBegan) / 1_000
    const p95 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
    process.stdout.write(
      `${table([
        [
          'products',
          'replayed/s',
          'verdict, ms',
          'promoted/s',
          'reads p95 idle, ms',
          'during, ms',
          'ratio',
          'resident MB',
        ],
        [
          ...[size, Math.round(size / seconds), Math.round(verdictMs), Math.round(size / promoteSeconds)],
          ...[p95(idle).toFixed(1), p95(busy).toFixed(1), (p95(busy) / p95(idle)).toFixed(2), Math.round(peak / 1e6)],
        ],
      ])}\n`,
    )
  } finally {
    memory.stop()
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const silent = { show: () => {}, end: () => {} }

async function someIds(url: string): Promise<string[]> {
  const catalog = openCatalog(url)
  const { rows } = await catalog.pipeline.query('select product_id as id from products order by product_id limit 1000')
  await catalog.close()
  return rows.map(({ id }) => id)
}

/** The verdict once more, from the first row to the last figure. @returns milliseconds */
async function judged(url: string, id: string): Promise<number> {
  const catalog = openCatalog(url)
  const took = await catalog.inTransaction(catalog.pipeline, async (tx) => {
    const replay = await findReplay(tx, id)
    const weights = replay && (await weightsNumbered(tx, replay.workspace, replay.weights))
    if (!replay || !weights) throw new Error('the replay is gone')
    const began = performance.now()
    const chosen = await countChoice(tx, id, replay.catalogs)
    const { compared } = await verdictOf(tx, replay, { before: weights, after: weights }, chosen)
    if (compared !== chosen) throw new Error(`${compared} of ${chosen} were compared`)
    return performance.now() - began
  })
  await catalog.close()
  return took
}

/** Reads until the other has ended. @returns milliseconds of each */
async function timed(read: (n: number) => Promise<unknown>, until: Promise<unknown>): Promise<number[]> {
  let ended = false
  const end = () => {
    ended = true
  }
  until.then(end, end)
  const times: number[] = []
  for (let n = 0; !ended; n++) {
    const began = performance.now()
    await read(n)
    times.push(performance.now() - began)
    await sleep(readEveryMs)
  }
  await until
  return times
}
