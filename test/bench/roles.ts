/** `npm run bench roles [rows]`: the API with its jobs apart from who transforms, and one worker against two: from file to scored row, and from the log alone. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../infra/catalog/embedded.ts'
import { table } from '../../infra/cli/table.ts'
import { openTokens } from '../../infra/tokens.ts'
import { writeCatalogFile } from './catalog-file.ts'
import { importFile } from './import-file.ts'
import { listening, workspace } from './serving.ts'

const root = join(import.meta.dirname, '../..')

interface Measured {
  readonly workers: number
  /** Products a second. */
  readonly fromFile: number
  readonly fromLog: number
}

export async function rolesBench([rows = '100000']: string[]): Promise<void> {
  const results: Measured[] = []
  for (const workers of [1, 2]) results.push(await measure(workers, Number(rows)))
  const lines = results.map((r) => [r.workers, `${Math.round(r.fromFile)}/s`, `${Math.round(r.fromLog)}/s`])
  process.stdout.write(`${table([['workers', 'file to scored row', 'log to scored row'], ...lines])}\n`)
  const [one, two] = results
  if (one && two)
    process.stdout.write(
      `two against one: ${(two.fromFile / one.fromFile).toFixed(2)} from the file, ${(two.fromLog / one.fromLog).toFixed(2)} from the log\n`,
    )
}

async function measure(workers: number, rows: number): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  await chmod(folder, 0o711)
  const data = join(folder, 'data')
  const postgres = await startEmbeddedPostgres(data)
  const started: ChildProcess[] = []
  const run = (roles: string, semiSpace: number, pattern: RegExp) => {
    const flags = ['--disable-warning=ExperimentalWarning', `--max-semi-space-size=${semiSpace}`]
    const command = [join(root, 'infra/cli/assay.ts'), 'serve', '--no-sample', '--port', '0', '--roles', roles]
    const env = { PATH: process.env.PATH, ASSAY_LOG_LEVEL: 'error', ASSAY_DATA: data, DATABASE_URL: postgres.url }
    const child = spawn(process.execPath, [...flags, ...command], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
    })
    started.push(child)
    return listening(child.stdout, pattern)
  }
  const begin = () => Promise.all(Array.from({ length: workers }, () => run('transforms', 64, /Assay runs (\S+)/)))
  const end = async () => {
    const ending = started.splice(0).map((child) => (child.kill('SIGTERM') ? once(child, 'exit') : null))
    await Promise.all(ending)
  }
  try {
    const file = join(folder, 'catalog.csv')
    await writeCatalogFile(file, rows)
    const url = await run('api,jobs', 32, /listens on (http:\S+)/)
    await begin()
    const client = new pg.Client(postgres.url)
    await client.connect()
    await shared(client, workers)
    const tokens = await openTokens(data, { local: true, provider: null })
    const claims = { subject: 'bench', workspace, role: 'admin', brand: null, scope: '' } as const
    const seconds = await importFile(url, await tokens.sign(claims, 2 * 3_600), file)
    await end()
    await client.query(afreshSql)
    await begin()
    const fromLog = await drain(client, workers)
    await client.end()
    return { workers, fromFile: rows / seconds, fromLog }
  } finally {
    await end()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The log as it is, and nothing of it taken. */
const afreshSql = `
  truncate products, product_score, product_rank, product_recent, rank_due, dirty, duplicate_due, import_outcome, import_progress;
  update sink_position set next_offset = 0 where consumer_group = 'products'; checkpoint`

const sharesSql = `
  select count(distinct owner)::int as members, count(owner) = count(*) as all, sum(next_offset)::int as passed
    from sink_position where consumer_group = 'products'`

async function sharesOf(client: pg.Client): Promise<{ members: number; all: boolean; passed: number }> {
  return (await client.query(sharesSql)).rows[0]
}

async function shared(client: pg.Client, workers: number): Promise<void> {
  for (;;) {
    const { members, all } = await sharesOf(client)
    if (all && members === workers) return
    await sleep(50)
  }
}

/** @returns records a second, from when all have their share */
async function drain(client: pg.Client, workers: number): Promise<number> {
  await shared(client, workers)
  const from = (await sharesOf(client)).passed
  const began = performance.now()
  const sql = `select sum(next_offset)::int as n from log_counter where topic = 'products.bronze'`
  const all = (await client.query<{ n: number }>(sql)).rows[0]?.n ?? 0
  while ((await sharesOf(client)).passed < all) await sleep(50)
  return (all - from) / ((performance.now() - began) / 1_000)
}
