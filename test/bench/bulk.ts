/** `npm run bench bulk [rows]`: a bulk update of a whole catalog; memory, and what others wait meanwhile beside what they wait when nothing runs. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { progressLine } from '../../infra/cli/progress.ts'
import { table } from '../../infra/cli/table.ts'
import { writeCatalogFile } from './catalog-file.ts'
import { followJob, importFile } from './import-file.ts'
import { watchMemory } from './node-memory.ts'
import { type Serving, serveForBench } from './serving.ts'

const base = '/api/workspace/ws_demo'
const idleMs = 15_000
/** After an import the store still writes, and the first readers warm it up. */
const calmMs = 10_000
/** Two readers, each so often: far from what the server can do, so that the figure is what one waits. */
const everyMs = 100

interface Waits {
  readonly read: number[]
  readonly list: number[]
}

export async function bulkBench(args: string[]): Promise<void> {
  const rows = Number(args[0] ?? 200_000)
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const file = join(folder, 'catalog.csv')
  await writeCatalogFile(file, rows)
  // The readers ask more often than one credential may.
  const server = await serveForBench({ ASSAY_WORKSPACE_RATE: '1000000' })
  const memory = watchMemory(server.pid)
  try {
    await importFile(server.url, server.token, file)
    const ids = await someIds(server)
    await readWhile(server, ids, sleep(calmMs))
    memory.take()
    const idle = await readWhile(server, ids, sleep(idleMs))
    const before = memory.take()
    const began = performance.now()
    const busy = await readWhile(server, ids, update(server))
    const seconds = (performance.now() - began) / 1_000
    const peak = memory.take()
    print(rows, seconds, { idle, busy }, { before, peak })
  } finally {
    memory.stop()
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function ask<T>(server: Serving, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${server.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${server.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

async function someIds(server: Serving): Promise<string[]> {
  const { products } = await ask<{ products: { id: string }[] }>(server, `${base}/catalog/products?limit=200`)
  return products.map(({ id }) => id)
}

async function update(server: Serving): Promise<void> {
  const { catalogs } = await ask<{ catalogs: { id: string; isDefault: boolean }[] }>(server, `${base}/catalogs`)
  const body = { catalog_id: catalogs.find((one) => one.isDefault)?.id, filter: {}, changes: { brand: 'Bench' } }
  const { job } = await ask<{ job: { id: string } }>(server, `${base}/catalog/products/bulk`, body)
  const result = await followJob(server.url, server.token, job.id, progressLine('bulk', 'products'))
  process.stderr.write(`${JSON.stringify(result)}\n`)
}

/** Reads products one by one and in lists until the work ends. */
async function readWhile(server: Serving, ids: readonly string[], work: Promise<unknown>): Promise<Waits> {
  const waits: Waits = { read: [], list: [] }
  let over = false
  const reader = async (name: keyof Waits, path: () => string) => {
    while (!over) {
      const began = performance.now()
      await ask(server, path())
      waits[name].push(performance.now() - began)
      await sleep(everyMs)
    }
  }
  let at = 0
  const readers = Promise.all([
    reader('read', () => `${base}/catalog/products/${ids[at++ % ids.length]}`),
    reader('list', () => `${base}/catalog/products?limit=20`),
  ])
  try {
    await work
  } finally {
    over = true
  }
  await readers
  return waits
}

function p95(waits: readonly number[]): number {
  const sorted = waits.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN
}

function print(
  rows: number,
  seconds: number,
  { idle, busy }: { idle: Waits; busy: Waits },
  { before, peak }: { before: ReadonlyMap<string, number>; peak: ReadonlyMap<string, number> },
): void {
  const ms = (value: number) => value.toFixed(1)
  const mb = (bytes = 0) => Math.round(bytes / 1e6)
  const waited = (['read', 'list'] as const).map((name) => [
    `p95 of a product ${name}, ms`,
    ms(p95(idle[name])),
    ms(p95(busy[name])),
    (p95(busy[name]) / p95(idle[name])).toFixed(2),
  ])
  const held = ['server', 'transforms'].map((name) => [
    `memory of ${name}, MB`,
    mb(before.get(name)),
    mb(peak.get(name)),
    ((peak.get(name) ?? 0) / (before.get(name) ?? 1)).toFixed(2),
  ])
  const heads = [`bulk update of ${rows} products, ${Math.round(rows / seconds)}/s`, 'idle', 'meanwhile', 'ratio']
  process.stdout.write(`${table([heads, ...waited, ...held])}\n`)
  const worst = Math.max(...(['read', 'list'] as const).map((name) => p95(busy[name]) / p95(idle[name])))
  process.stdout.write(`ratio ${worst.toFixed(2)} (bar: 3)\n`)
}
