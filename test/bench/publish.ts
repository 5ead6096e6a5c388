/** `npm run bench publish [products]`: a publish of 100 changes over a million published products, from call to flip, beside the bare SQL of the same work. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import pino from 'pino'
import { findJob } from '../../infra/catalog/job-table.ts'
import { rebuildStep } from '../../infra/catalog/search-rebuild.ts'
import { ensureWorkspace, insertCatalog } from '../../infra/catalog/tenants.ts'
import { table } from '../../infra/cli/table.ts'
import { readConfig } from '../../infra/config.ts'
import { segmentMaker } from '../../infra/system/segment-maker.ts'
import { openSystem } from '../../infra/system.ts'

const workspace = 'ws_bench'
const changes = 100
const runs = 5

interface Target {
  readonly catalog: string
  readonly workspace: string
  readonly brand: string
}

export async function publishBench(args: string[]): Promise<void> {
  const size = Number(args[0] ?? 1_000_000)
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  await chmod(folder, 0o711)
  const system = await openSystem(readConfig({ ASSAY_DATA: folder }), pino({ level: 'silent' }), {
    roles: ['jobs'],
    alone: true,
  })
  const pool = system.catalog.pipeline
  try {
    const target = await fill(pool, size)
    const took: number[] = []
    const bare: number[] = []
    for (let run = 1; run <= runs; run++) {
      await change(pool, target, run)
      const began = performance.now()
      const { job } = await system.publishing.start(target, 'bench', null)
      const ended = await settled(pool, job)
      if (ended?.changeCount !== changes) throw new Error(`it published ${JSON.stringify(ended)}`)
      took.push(performance.now() - began)
    }
    for (let run = 1; run <= runs; run++) bare.push(await barePublish(pool, target, run))
    const ms = (times: readonly number[]) => `${Math.round(median(times))} ms`
    const worst = `${Math.round(Math.max(...took))} ms`
    process.stdout.write(
      `${table([
        ['products', 'changed', 'publish, median', 'publish, worst', 'bare SQL, median'],
        [size, changes, ms(took), worst, ms(bare)],
      ])}\n`,
    )
  } finally {
    await system.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function settled(pool: Pool, job: string): Promise<{ changeCount?: number } | null> {
  for (;;) {
    const row = await findJob(pool, job)
    if (row?.status === 'completed') return row.result as { changeCount?: number }
    if (row?.status === 'failed') return null
    await sleep(5)
  }
}

const median = (times: readonly number[]) => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0

/** Set by set, as a first publish would have left it; readers of `catalog.changes` know of it. */
async function fill(pool: Pool, size: number): Promise<Target> {
  await ensureWorkspace(pool, workspace, 'Bench')
  const found = await pool.query<{ id: string }>('select brand_id as id from brand where workspace_id = $1', [
    workspace,
  ])
  const brand = found.rows[0]?.id ?? ''
  const made = { workspace, brand, name: 'bench', isDefault: false, autoPublish: 'off', by: 'bench' } as const
  const { id } = await insertCatalog(pool, made)
  for (let from = 1; from <= size; from += 100_000) {
    await pool.query(
      `insert into products (catalog_id, product_id, workspace_id, brand_id, kind, stage, rev, source_identifier, sku, title, alive, content_hash,
                             settings_number, created_at, updated_at, refined, layers)
       select $1, gen_random_uuid(), $2, $3, 'single', 'gold', 1, decode(md5(n::text), 'hex'), 'SKU-' || n, 'Mug ' || n, true,
              decode(md5('c' || n), 'hex'), 1, now(), now(),
              jsonb_build_object('sku', 'SKU-' || n, 'title', 'Mug ' || n, 'price', '9.50', 'currency', 'EUR', 'description', repeat('made to be used every day; ', 25),
                                 'images', jsonb_build_array('https://cdn.example.test/' || n)), decode(repeat(md5(n::text), 16), 'hex')
         from generate_series($4::int, least($4::int + 99999, $5::int)) n`,
      [id, workspace, brand, from, size],
    )
    process.stderr.write(`\r${Math.min(size, from + 99_999)} products`)
  }
  await pool.query(
    `insert into published (catalog_id, product_id, valid_from, workspace_id, brand_id, hash, content)
     select catalog_id, product_id, 1, workspace_id, brand_id, content_hash,
            jsonb_build_object('kind', kind, 'family', null, 'createdAt', created_at, 'updatedAt', updated_at, 'product', refined, 'feedId', sku)
       from products where catalog_id = $1`,
    [id],
  )
  await pool.query(
    `insert into publish (catalog_id, version, workspace_id, brand_id, job_id, state, upto, added, published_at)
     values ($1, 1, $2, $3, gen_random_uuid(), 'published', 0, $4, now())`,
    [id, workspace, brand, size],
  )
  await pool.query('insert into change_cursor (catalog_id, version) values ($1, 1)', [id])
  await pool.query('update catalog set published_version = 1 where catalog_id = $1', [id])
  while (await rebuildStep(pool, segmentMaker));
  await pool.query('analyze; checkpoint')
  process.stderr.write(', published\n')
  return { catalog: id, workspace, brand }
}

/** A hundred products from all over the catalog, as one batch of a worker leaves them. */
async function change(pool: Pool, { catalog }: Target, run: number): Promise<void> {
  await pool.query(
    `with picked as (select product_id from products where catalog_id = $1 order by md5(product_id::text || $2::text) limit ${changes}),
     changed as (
       update products p set content_hash = decode(md5(p.product_id::text || $2::text), 'hex'), rev = rev + 1, updated_at = now()
         from picked s where p.catalog_id = $1 and p.product_id = s.product_id returning p.product_id)
     insert into dirty (catalog_id, product_ids) select $1, array_agg(product_id) from changed`,
    [catalog, run],
  )
}

/** The same rows by their keys in one transaction: what was, ended; what is, written; the version set. */
async function barePublish(pool: Pool, { catalog }: Target, run: number): Promise<number> {
  const version = 100 + run
  const { rows } = await pool.query<{ ids: string[] }>(
    `select array_agg(product_id) as ids from (
       select product_id from products where catalog_id = $1 order by md5(product_id::text || $2::text) limit ${changes}) s`,
    [catalog, `bare${run}`],
  )
  const ids = rows[0]?.ids ?? []
  const client = await pool.connect()
  try {
    const began = performance.now()
    await client.query('begin')
    await client.query(
      'update published set valid_to = $2 where catalog_id = $1 and product_id = any ($3::uuid[]) and valid_to > $2',
      [catalog, version, ids],
    )
    await client.query(
      `insert into published (catalog_id, product_id, valid_from, workspace_id, brand_id, hash, content)
       select catalog_id, product_id, $2, workspace_id, brand_id, content_hash, jsonb_build_object('product', refined)
         from products where catalog_id = $1 and product_id = any ($3::uuid[])`,
      [catalog, version, ids],
    )
    await client.query('update catalog set updated_at = now() where catalog_id = $1', [catalog])
    await client.query('commit')
    return performance.now() - began
  } finally {
    client.release()
  }
}
