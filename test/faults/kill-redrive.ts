/** A redrive that sends dead letters again when Assay is killed. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Catalog, openCatalog } from '../../infra/catalog/postgres.ts'
import { postgresLog } from '../../infra/log/postgres.ts'
import { topics } from '../../schemas/topics.ts'
import { enough } from '../enough.ts'
import { demo } from './assay-process.ts'
import { ended } from './exact.ts'
import type { KilledAssay, Struck } from './killed-assay.ts'

const base = `/api/workspace/${demo}`
/** Of each round more, since a redrive goes on while others come to their middle. */
const letters = enough(600, 2_400)
const lost = 900_000_001

/** By round, of letters sent again: at a hundred a second the middle is seconds long. */
const sentBefore = [200, 600, 1_000]

export function killRedrive(killed: () => KilledAssay): Struck {
  let store: Catalog
  let catalog: string
  let job: string | undefined
  const count = async (sql: string, ...values: unknown[]) =>
    (await store.pipeline.query<{ n: number }>(`select count(*) as n from ${sql}`, values)).rows[0]?.n ?? 0
  const redriven = () => count(`dead_record where state = 'redriven'`)

  return {
    promise: 'a redrive that is killed goes on where it was, and brings each letter back once',
    async prepare() {
      const made = (await killed().assay.call('POST', `${base}/catalogs`, { name: 'Killed' })).body.catalog
      catalog = made.id
      store = openCatalog(await killed().ground.databaseUrl())
      const pool = store.pipeline
      const { rows } = await pool.query<{ epoch: number; partitions: number }>(
        'select epoch, partitions from log_epoch',
      )
      const log = postgresLog(pool, rows[0] ?? { epoch: 1, partitions: 1 })
      const records = Array.from({ length: letters }, (_, seq) => {
        const key = randomUUID()
        const into = {
          ...{ workspace: demo, brand: made.brandId, catalog, product: key },
          sid: randomBytes(32).toString('hex'),
        }
        const said = {
          source: 'file:a',
          context: lost,
          seq: -1,
          rows: [],
          kind: 'single',
          at: new Date().toISOString(),
        }
        return { key, value: JSON.stringify({ v: 1, op: 'put', ...into, ...said, cells: { Name: `Mug ${seq}` } }) }
      })
      await log.append(topics.bronze, records)
      while ((await count('dead_record')) < letters) await sleep(50)
      const body = {
        platform: 'generic',
        header: ['Name'],
        mapping: { Name: { field: 'title', reason: 'test' } },
        ...{ numbers: {}, currencies: {}, notes: [] },
      }
      await pool.query(
        `insert into import_context (context_id, workspace_id, brand_id, catalog_id, source, body) values ($1, $2, $3, $4, 'file:a', $5)`,
        [lost, demo, made.brandId, catalog, JSON.stringify(body)],
      )
    },
    async middle(round) {
      const order = { catalog_id: catalog, rate: 100 }
      job ??= (await killed().assay.call('POST', `${base}/dead-letters/redrive`, order)).body.job.id
      while ((await redriven()) < (sentBefore[round] ?? letters)) await sleep(5)
      expect(await redriven()).toBeLessThan(letters)
    },
    async check() {
      expect(await ended(killed().assay, job ?? '')).toMatchObject({
        status: 'completed',
        result: { matched: letters, redriven: letters, created: letters },
      })
      expect(await count('dead_attempt where attempt = 2')).toBe(letters)
      expect(await count('dead_attempt where attempt > 2')).toBe(0)
      expect(await count('products where catalog_id = $1 and alive', catalog)).toBe(letters)
      await store.close()
    },
  }
}
