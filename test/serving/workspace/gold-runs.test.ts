import { request as httpRequest, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CatalogRow } from '../../../infra/catalog/tenants.ts'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import { rights } from '../../../schemas/access.ts'
import { buildServer, type ServerPorts } from '../../../serving/server.ts'
import { type GoldResult, type GoldRun, gold as goldRoute } from '../../../serving/workspace/gold.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let catalog: string
beforeAll(async () => {
  assay = await startAssay()
  catalog = await assay.newCatalog()
  await assay.ingest(catalog, 'sku,title,price\nM-1,Mug,"5,00"\nM-2,Stool,"9,00"\n')
})
afterAll(() => assay.close())

const pathOf = (id: string) => `/api/workspace/${workspace}/catalogs/${id}/batch/gold`
const gold = (body: unknown, id = catalog) => assay.call('POST', pathOf(id), body)
const nowhere = '00000000-0000-4000-8000-000000000001'

/** A door that a port waits at until the test opens it. */
function gate() {
  const door = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  return {
    open: door.resolve,
    reached: reached.promise,
    async pass() {
      reached.resolve()
      await door.promise
    },
  }
}

async function served(change: Partial<ServerPorts>): Promise<{ app: FastifyInstance; ask: () => Ask }> {
  return listening(await buildServer({ ...serverPorts(assay.system), logger: null, ...change }))
}

async function listening(app: FastifyInstance): Promise<{ app: FastifyInstance; ask: () => Ask }> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const headers = {
    authorization: `Bearer ${await assay.token('admin')}`,
    'content-type': 'application/json',
  }
  const ask = () => {
    const answered = Promise.withResolvers<IncomingMessage>()
    const asked = httpRequest({ port, path: pathOf(catalog), method: 'POST', headers }, answered.resolve)
    asked.on('error', answered.reject)
    answered.promise.catch(() => {})
    asked.end('{"scope":"all"}')
    return { drop: () => asked.destroy(), answered: answered.promise }
  }
  return { app, ask }
}
interface Ask {
  readonly drop: () => unknown
  readonly answered: Promise<IncomingMessage>
}

async function soonFree(): Promise<void> {
  for (const until = Date.now() + 20_000; (await gold({ scope: 'all' })).status !== 200; await sleep(20))
    if (Date.now() > until) throw new Error('the catalog stays locked')
}

describe('one run at a time', () => {
  test('409: a second run is refused while one is under way, on any server, and another catalog is free', async () => {
    const { save } = serverPorts(assay.system)
    const door = gate()
    const { app, ask } = await served({ save: (...args) => door.pass().then(() => save(...args)) })
    const { answered } = ask()
    await door.reached
    for (const body of [{ scope: 'all' }, { scope: 'selection', productIds: [nowhere] }])
      expectSamplesForm(await gold(body), 409, 'JOB_ALREADY_RUNNING')
    expect((await gold({ scope: 'all' }, await assay.newCatalog())).status).toBe(200)
    door.open()
    const answer = await answered
    expect(answer.statusCode).toBe(200)
    answer.resume()
    await soonFree()
    await app.close()
  })

  test('200: whoever has the whole answer may ask again at once', async () => {
    for (let i = 0; i < 10; i++) expect((await gold({ scope: 'all' })).status).toBe(200)
  })

  test('200: a caller who goes in the middle of a run leaves the catalog free', async () => {
    const { save } = serverPorts(assay.system)
    const door = gate()
    const { app, ask } = await served({ save: (...args) => door.pass().then(() => save(...args)) })
    const { drop } = ask()
    await door.reached
    drop()
    await sleep(50)
    door.open()
    await soonFree()
    await app.close()
  })

  test('200: so does one who goes before the first byte', async () => {
    const { lock } = serverPorts(assay.system)
    const door = gate()
    const { app, ask } = await served({
      lock: async (id) => {
        const held = await lock(id)
        await door.pass()
        return held
      },
    })
    const { drop } = ask()
    await door.reached
    drop()
    await sleep(50)
    door.open()
    await soonFree()
    await app.close()
  })

  test('500: a run that cannot begin, or breaks before its first page, leaves the catalog free', async () => {
    const fail = () => Promise.reject(new Error('secret'))
    for (const change of [{ weights: fail }, { save: fail }] satisfies Partial<ServerPorts>[]) {
      const { app, ask } = await served(change)
      const answer = await ask().answered
      expect(answer.statusCode).toBe(500)
      expect((await answer.toArray()).join('')).not.toContain('secret')
      await soonFree()
      await app.close()
    }
  })
})

describe('a large catalog', () => {
  test('200: 20,000 products are each answered once', async () => {
    const big = await assay.newCatalog()
    const rows = 20_000
    await assay.ingest(big, 'sku,title,price\nB-1,Mug,"1,50"\n')
    await multiply(big, rows - 1)
    const { body } = await gold({ scope: 'all' }, big)
    expect(new Set(body.results.map(({ productId }: GoldResult) => productId)).size).toBe(rows)
    expect(body.catalogSummary.avgScore).toBe(body.results[0].score)
  })

  test('a caller who stops reading stops the run, whose memory is a few pages; going away ends it', async () => {
    const page = Array.from({ length: 2_000 }, (_, i) => ({
      productId: `${i}`.padStart(200, '0'),
      status: 'success' as const,
    }))
    let pages = 0
    let closed = 0
    const endless: GoldRun = {
      async *results() {
        for (; pages < 10_000; pages++) yield page
      },
      summary: () => ({ avgScore: 0, scoreDistribution: { excellent: 0, good: 0, warning: 0, poor: 0 }, topGaps: [] }),
      close: async () => {
        closed++
      },
    }
    const app = Fastify()
    app.setValidatorCompiler(validatorCompiler)
    app.decorateRequest('bearer', null)
    app.addHook('onRequest', async (request) => {
      const who = { subject: 'test', kind: 'member', workspace, role: 'admin', actions: new Set(rights.admin) } as const
      request.bearer = { ...who, brands: '*', brand: null, catalog: null, facts: null }
    })
    const found = { id: catalog } as CatalogRow
    const grading = { findCatalog: async () => found, begin: async () => endless }
    await app.register(goldRoute, { grading, prefix: '/api/workspace/:workspaceId' })
    const { ask } = await listening(app)
    const { answered, drop } = ask()
    const answer = await answered
    answer.pause()
    let seen = -1
    for (; seen !== pages; await sleep(200)) seen = pages
    expect(pages).toBeLessThan(100)
    expect(closed).toBe(0)
    answer.on('error', () => {})
    drop()
    for (const until = Date.now() + 20_000; closed === 0 && Date.now() < until; ) await sleep(10)
    expect({ closed, pages: pages - seen }).toEqual({ closed: 1, pages: expect.any(Number) })
    expect(pages - seen).toBeLessThan(10)
    await app.close()
  })
})

/** Copies of the catalog's one product and its score, as the worker would have written them. */
async function multiply(id: string, copies: number): Promise<void> {
  const pool = assay.system.catalog.pipeline
  await pool.query(`create table copies as select gen_random_uuid() as new_id from generate_series(1, ${copies})`)
  for (const table of ['products', 'product_score']) {
    const { rows } = await pool.query<{ name: string }>(
      `select column_name as name from information_schema.columns
        where table_name = $1 and table_schema = 'public' and column_name <> 'product_id'`,
      [table],
    )
    const names = rows.map(({ name }) => name).join(', ')
    await pool.query(
      `insert into ${table} (product_id, ${names}) select new_id, ${names} from ${table}, copies where catalog_id = $1`,
      [id],
    )
  }
}
