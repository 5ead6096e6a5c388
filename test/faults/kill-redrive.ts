/** Kills an Assay while it sends dead letters again. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Catalog, openCatalog } from '../../infra/catalog/postgres.ts'
import { postgresLog } from '../../infra/log/postgres.ts'
import { topics } from '../../schemas/topics.ts'
import { enough } from '../enough.ts'
import { demo } from './assay-process.ts'
import type { KilledAssay } from './killed-assay.ts'

const base = `/api/workspace/${demo}`
const letters = 600
const lost = 900_000_001

export function killRedrive(killed: () => KilledAssay): void {
  test('a redrive that is killed goes on where it was, and brings each letter back once', {
    timeout: 180_000,
  }, async () => {
    let { assay } = killed()
    const made = (await assay.call('POST', `${base}/catalogs`, { name: 'Killed' })).body.catalog
    const store: Catalog = openCatalog(await killed().ground.databaseUrl())
    const pool = store.pipeline
    const { rows } = await pool.query<{ epoch: number; partitions: number }>('select epoch, partitions from log_epoch')
    const log = postgresLog(pool, rows[0] ?? { epoch: 1, partitions: 1 })
    const records = Array.from({ length: letters }, (_, seq) => {
      const key = randomUUID()
      const into = {
        workspace: demo,
        brand: made.brandId,
        catalog: made.id,
        product: key,
        sid: randomBytes(32).toString('hex'),
      }
      const said = { source: 'file:a', context: lost, seq: -1, rows: [], kind: 'single', at: new Date().toISOString() }
      return { key, value: JSON.stringify({ v: 1, op: 'put', ...into, ...said, cells: { Name: `Mug ${seq}` } }) }
    })
    await log.append(topics.bronze, records)
    const count = async (sql: string, ...values: unknown[]) =>
      (await pool.query<{ n: number }>(`select count(*) as n from ${sql}`, values)).rows[0]?.n ?? 0
    while ((await count('dead_record')) < letters) await sleep(50)
    const body = {
      platform: 'generic',
      header: ['Name'],
      mapping: { Name: { field: 'title', reason: 'test' } },
      numbers: {},
      currencies: {},
      notes: [],
    }
    await pool.query(
      `insert into import_context (context_id, workspace_id, brand_id, catalog_id, source, body) values ($1, $2, $3, $4, 'file:a', $5)`,
      [lost, demo, made.brandId, made.id, JSON.stringify(body)],
    )

    const { job } = (await assay.call('POST', `${base}/dead-letters/redrive`, { catalog_id: made.id, rate: 100 })).body
    for (const after of enough([350], [100, 350])) {
      while ((await count(`dead_record where state = 'redriven'`)) < after) await sleep(5)
      await assay.kill()
      assay = await killed().start()
    }
    let ended = job
    for (; ended.status !== 'completed' && ended.status !== 'failed'; await sleep(200))
      ended = (await assay.call('GET', `/jobs/${job.id}`)).body.job
    expect(ended).toMatchObject({
      status: 'completed',
      result: { matched: letters, redriven: letters, created: letters },
    })
    expect(await count('dead_attempt where attempt = 2')).toBe(letters)
    expect(await count('dead_attempt where attempt > 2')).toBe(0)
    expect(await count('products where catalog_id = $1 and alive', made.id)).toBe(letters)
    await store.close()
  })
}
