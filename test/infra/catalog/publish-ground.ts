/** A catalog that publishes only when a test says so: its products as a worker leaves them, and its versions as readers see them. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { publishedPage } from '../../../infra/catalog/feed-queries.ts'
import { findJob } from '../../../infra/catalog/job-table.ts'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { ensureWorkspace, insertCatalog } from '../../../infra/catalog/tenants.ts'
import type { Jobs } from '../../../infra/jobs.ts'
import { openPublishing, type Publishing } from '../../../infra/system/publishing.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

const workspace = 'ws_test'
const never = new AbortController().signal

/** A handler is cut off where it asks for the time after these whether it may go on. */
export function cutOffAfter(steps: number): AbortSignal {
  let left = steps
  const throwIfAborted = () => {
    if (left-- === 0) throw new Error('cut off')
  }
  return { aborted: false, throwIfAborted } as AbortSignal
}

/** A database for the file, a catalog for each test. */
export function publishGround() {
  let database: TestDatabase
  let catalog: Catalog
  let publishing: Publishing
  let target: { catalog: string; workspace: string; brand: string }

  beforeAll(async () => {
    database = await freshDatabase()
    catalog = openCatalog(database.url, { maxConnections: 6 })
    await ensureWorkspace(catalog.pipeline, workspace, 'Test')
    // Nobody takes the jobs up but the test.
    const jobs: Jobs = { send: async () => {}, rest: async () => {}, close: async () => {} }
    publishing = openPublishing({ catalog, jobs: () => jobs })
  })
  afterAll(async () => {
    await catalog.close()
    await database.drop()
  })
  beforeEach(async () => {
    const { rows } = await catalog.pipeline.query<{ id: string }>('select brand_id as id from brand')
    const brand = rows[0]?.id ?? ''
    const made = { workspace, brand, name: 'test', isDefault: false, autoPublish: 'off', by: 'test' } as const
    target = { catalog: (await insertCatalog(catalog.pipeline, made)).id, workspace, brand }
  })

  const sql = (text: string, values: unknown[] = []) => catalog.pipeline.query(text, [target.catalog, ...values])
  /** A dirty row for each: two a chunk. */
  const touch = async (ids: readonly string[]) => {
    for (const id of ids) await sql('insert into dirty (catalog_id, product_ids) values ($1, array[$2::uuid])', [id])
  }
  const resultOf = async (job: string) => {
    const row = await findJob(catalog.pipeline, job)
    return { status: row?.status, ...(row?.result as object) }
  }
  const progressOf = async (job: string) => {
    const row = await findJob(catalog.pipeline, job)
    return { done: row?.done, total: row?.total }
  }
  const begin = () => publishing.start(target, 'test', null)
  const run = (job: string, signal = never) => publishing.run(job, signal)

  return {
    sql,
    touch,
    begin,
    run,
    resultOf,
    progressOf,
    catalog: () => catalog,
    catalogId: () => target.catalog,
    /** All of them say `first`. */
    async products(n: number): Promise<string[]> {
      const ids = Array.from({ length: n }, () => randomUUID()).sort()
      await sql(
        `insert into products (catalog_id, product_id, workspace_id, brand_id, kind, stage, rev, source_identifier, alive, content_hash,
                               settings_number, created_at, updated_at, refined, layers)
         select $1, id, $2, $3, 'single', 'gold', 1, '\\x00', true, 'first', 1, now(), now(), '{"title": "first"}', '' from unnest($4::uuid[]) id`,
        [workspace, target.brand, ids],
      )
      await touch(ids)
      return ids
    },
    async say(ids: readonly string[], title: string): Promise<void> {
      await sql(
        `update products set content_hash = $3::text::bytea, refined = jsonb_build_object('title', $3::text), alive = true
          where catalog_id = $1 and product_id = any ($2::uuid[])`,
        [ids, title],
      )
      await touch(ids)
    },
    async remove(ids: readonly string[]): Promise<void> {
      await sql('update products set alive = false where catalog_id = $1 and product_id = any ($2::uuid[])', [ids])
      await touch(ids)
    },
    async publish(): Promise<unknown> {
      const { job } = await begin()
      await run(job)
      return resultOf(job)
    },
    /** What a reader of a version sees, page by page, each page a transaction of its own. */
    async titles(version: number, pageRows = 1_000): Promise<string[]> {
      const principal = { workspaceId: workspace, brandIds: '*' } as const
      const found: string[] = []
      for (let after: string | null = null; ; ) {
        const page = await catalog.withTenant(principal, (tx) =>
          publishedPage(tx, target.catalog, version, after, pageRows),
        )
        found.push(...page.map(({ content }) => content.product.title ?? ''))
        after = page.at(-1)?.id ?? null
        if (after === null) return found
      }
    },
    async present(): Promise<number> {
      const { rows } = await sql('select published_version as version from catalog where catalog_id = $1')
      return rows[0].version
    },
  }
}
