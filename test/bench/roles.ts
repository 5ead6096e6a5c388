/** `npm run bench roles [rows]`: the API with its jobs apart from who transforms, and one worker against two: from file to scored row, and from the log alone. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { table } from '../../infra/cli/table.ts'
import { afreshSql, startApart } from './apart.ts'
import { writeCatalogFile } from './catalog-file.ts'
import { importOnce } from './import-file.ts'

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
  const apart = await startApart()
  try {
    const file = join(apart.folder, 'catalog.csv')
    await writeCatalogFile(file, rows)
    const url = await apart.serve()
    await apart.transform(workers)
    const client = new pg.Client(apart.databaseUrl)
    await client.connect()
    await shared(client, workers)
    const seconds = await importOnce(url, await apart.token(), file)
    await apart.end()
    await client.query(afreshSql)
    await apart.transform(workers)
    const fromLog = await drain(client, workers)
    await client.end()
    return { workers, fromFile: rows / seconds, fromLog }
  } finally {
    await apart.close()
  }
}

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
