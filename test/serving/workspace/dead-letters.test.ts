import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sinkPositions } from '../../../infra/catalog/advance-position.ts'
import type { BronzeRecord } from '../../../schemas/pipeline.ts'
import { topics } from '../../../schemas/topics.ts'
import { products as topology } from '../../../transforms/topology.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

let assay: Running
let catalog: string
let brand: string
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())
beforeEach(async () => {
  catalog = await assay.newCatalog()
  const sql = 'select brand_id as id from catalog where catalog_id = $1'
  brand = (await assay.system.catalog.pipeline.query<{ id: string }>(sql, [catalog])).rows[0]?.id ?? ''
})

const base = `/api/workspace/${workspace}/dead-letters`
/** Numbers of contexts that nobody has: what is read by one of them is dead until there is one. */
let context = 900_000_000
const product = () => randomUUID()

function record(of: string, cells: BronzeRecord['cells'], more: Partial<Record<keyof BronzeRecord, unknown>> = {}) {
  const into = { workspace, brand, catalog, product: of, sid: randomBytes(32).toString('hex') }
  const said = { source: 'file:supplier', context: 0, seq: -1, rows: [], kind: 'single', at: new Date().toISOString() }
  return { key: of, value: JSON.stringify({ v: 1, op: 'put', ...into, ...said, cells, ...more }) }
}

/** Appends, and waits until the sink has passed it. @returns the letter's id, should it be one */
async function append(one: { key: string; value: string | Buffer }): Promise<string> {
  const { log, catalog: store } = assay.system
  const [range] = await log.append(topics.bronze, [one])
  if (!range) throw new Error('nothing was appended')
  const passed = async () =>
    (await sinkPositions(store.pipeline, topology.group, log.epoch, topics.bronze, log.partitions))[range.partition] ??
    0
  while ((await passed()) < range.to) await sleep(10)
  return [topics.bronze, log.epoch, range.partition, range.from].join(':')
}

/** What killed them is mended: the context is there. */
async function mend(id: number, mapping: Record<string, string>) {
  const fields = Object.entries(mapping).map(([column, field]) => [column, { field, reason: 'test' }])
  const body = {
    platform: 'generic',
    header: Object.keys(mapping),
    mapping: Object.fromEntries(fields),
    numbers: {},
    currencies: {},
    notes: [],
  }
  await assay.system.catalog.pipeline.query(
    `insert into import_context (context_id, workspace_id, brand_id, catalog_id, source, body) values ($1, $2, $3, $4, 'file:supplier', $5)`,
    [id, workspace, brand, catalog, JSON.stringify(body)],
  )
}

const list = (query = '') => assay.call('GET', `${base}?catalog_id=${catalog}${query}`)
const read = async (id: string) => (await assay.call('GET', `${base}/${id}`)).body
async function redrive(body: object) {
  const answer = await assay.call('POST', `${base}/redrive`, body)
  expect(answer.status).toBe(202)
  return (await assay.job(answer.body.job.id)) as unknown as { status: string; result: Record<string, unknown> }
}

describe('GET …/dead-letters', () => {
  test('200: newest first, with reason, kind and a count of each kind with a sample', async () => {
    const [of, lost] = [product(), ++context]
    const first = await append(record(of, { Name: 'Mug' }, { context: lost }))
    const second = await append(record(of, { Name: 'Jug' }, { context: lost }))
    const third = await append(record(of, {}, { v: 7 }))
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body.deadLetters.map(({ id }: { id: string }) => id)).toEqual([third, second, first])
    expect(body.deadLetters[2]).toMatchObject({
      ...{ topic: topics.bronze, kind: 'unknown_context', state: 'dead', attempts: 1, key: of, catalogId: catalog },
      ...{ brandId: brand, source: 'file:supplier', reason: expect.stringContaining(String(lost)), redrivenAt: null },
    })
    expect(body.kinds).toMatchObject([
      { kind: 'unknown_context', count: 2, sample: { id: second } },
      { kind: 'unknown_version', count: 1, sample: { id: third } },
    ])
    expect((await list('&kind=unknown_version')).body.deadLetters).toHaveLength(1)
    expect((await list('&state=redriven')).body).toEqual({ deadLetters: [], kinds: [], next: null })
    expect((await list('&topic=catalog.changes')).body.deadLetters).toEqual([])
    expect((await list('&since=2199-01-01T00:00:00Z')).body.deadLetters).toEqual([])
    const page = await list('&limit=2')
    expect(page.body.deadLetters).toHaveLength(2)
    const rest = await list(`&limit=2&after=${page.body.next}`)
    expect(rest.body).toMatchObject({ deadLetters: [{ id: first }], next: null })
  })

  test.each(['&state=gone', '&kind=odd', '&since=yesterday', '&since=0000-01-01T00:00:00Z', '&after=abc'])(
    '400: %s',
    async (query) => {
      expect((await list(query)).status).toBe(400)
    },
  )
})

describe('GET …/dead-letters/{letterId}', () => {
  test('200: the record decoded, its position, the reason and every attempt', async () => {
    const of = product()
    const id = await append(record(of, { Name: 'Mug' }, { context: ++context }))
    await redrive({ ids: [id] })
    const body = await read(id)
    const [, epoch, partition, offset] = id.split(':')
    expect(body).toMatchObject({
      deadLetter: {
        id,
        attempts: 2,
        position: { epoch: Number(epoch), partition: Number(partition), offset: Number(offset) },
      },
      attempts: [
        { attempt: 1, result: 'dead', jobId: null },
        { attempt: 2, result: 'dead', jobId: expect.any(String), by: 'test:admin', reason: expect.any(String) },
      ],
      record: { v: 1, product: of, cells: { Name: 'Mug' } },
      bytes: null,
    })
  })

  test('404 where there is none, 400 where the id is none', async () => {
    expect((await assay.call('GET', `${base}/products.bronze:1:0:999999`)).status).toBe(404)
    expect((await assay.call('GET', `${base}/first`)).status).toBe(400)
  })
})

describe('POST …/dead-letters/redrive', () => {
  test('202: after the fix each counts at its original position; an edit since then stays', async () => {
    const [of, lost] = [product(), ++context]
    const id = await append(record(of, { Name: 'Old mug', Make: 'Lumo' }, { context: lost }))
    await append(record(of, { title: 'Edited mug' }, { source: 'api', create: true }))
    const dry = await redrive({ catalog_id: catalog, dry_run: true })
    expect(dry.result).toMatchObject({
      dryRun: true,
      matched: 1,
      updated: 0,
      stillDead: 1,
      reasons: { unknown_context: 1 },
    })
    await mend(lost, { Name: 'title', Make: 'brand' })
    const then = await redrive({ catalog_id: catalog, dry_run: true })
    expect(then.result).toMatchObject({
      dryRun: true,
      matched: 1,
      updated: 1,
      stillDead: 0,
      examples: [{ productId: of, result: 'updated' }],
    })
    expect(await assay.products(catalog)).toMatchObject([{ title: 'Edited mug', brand: null }])
    const done = await redrive({ catalog_id: catalog })
    expect(done.result).toEqual({
      ...{ dryRun: false, matched: 1, redriven: 1, created: 0, updated: 1, unchanged: 0, stillDead: 0, reasons: {} },
    })
    expect(await assay.products(catalog)).toMatchObject([{ title: 'Edited mug', brand: 'Lumo' }])
    expect((await read(id)).deadLetter).toMatchObject({
      state: 'redriven',
      attempts: 2,
      redrivenAt: expect.any(String),
    })
    expect((await redrive({ ids: [id] })).result).toMatchObject({ matched: 0, redriven: 0 })
    const verify = await assay.call('POST', `/api/workspace/${workspace}/catalogs/${catalog}/verify`, { all: true })
    expect((await assay.job(verify.body.job.id)).result).toMatchObject({ compared: 1, equal: 1, differing: 0 })
  })

  test('202: the row of an import moves from rejected to its new result, and the ledger stays balanced', async () => {
    const { pipeline } = assay.system.catalog
    const own = await startAssay()
    const at = await own.newCatalog()
    const endless = randomBytes(4_000).toString('base64url')
    const { result } = await own.ingest(at, `sku,title\nF-1,Mug\n${endless},Jug\nF-3,Bowl\n`)
    expect(result).toMatchObject({ read: 3, created: 2, rejected: 1 })
    const ask = async () => {
      const answer = await own.call('POST', `${base}/redrive`, { import_id: result.importId })
      return (await own.job(answer.body.job.id)).result as unknown as Record<string, unknown>
    }
    expect(await ask()).toMatchObject({ matched: 1, stillDead: 1, reasons: { unstorable: 1 } })
    // An index entry cannot hold it: without that index the catalog can.
    await own.system.catalog.pipeline.query('drop index products_by_sku')
    expect(await ask()).toMatchObject({ matched: 1, redriven: 1, created: 1, stillDead: 0 })
    const ledger = async (path = '') =>
      (await own.call('GET', `/api/workspace/${workspace}/imports/${result.importId}${path}`)).body
    expect((await ledger()).import).toMatchObject({ created: 3, rejected: 0 })
    const { rows } = await ledger('/rows')
    expect(rows.filter((row: { result: string }) => row.result === 'rejected')).toEqual([])
    expect((await own.products(at)).map(({ title }) => title).sort()).toEqual(['Bowl', 'Jug', 'Mug'])
    await own.close()
    expect(pipeline.ended).toBe(false)
  })

  test('202: two at once bring each back once', async () => {
    const lost = ++context
    const ids = Array.from({ length: 20 }, product)
    for (const of of ids) await append(record(of, { Name: 'Mug' }, { context: lost }))
    await mend(lost, { Name: 'title' })
    const both = await Promise.all([redrive({ catalog_id: catalog }), redrive({ catalog_id: catalog, rate: 50 })])
    const redriven = both.map(({ result }) => Number(result.redriven))
    expect(redriven.reduce((sum, n) => sum + n, 0)).toBe(20)
    const { body } = await list()
    expect(body.kinds).toMatchObject([{ count: 20, sample: { state: 'redriven', attempts: 2 } }])
    expect(await assay.products(catalog)).toHaveLength(20)
  })

  test('202: a rate bounds how many are taken in a second', async () => {
    const lost = ++context
    for (const of of Array.from({ length: 6 }, product)) await append(record(of, { Name: 'Mug' }, { context: lost }))
    await mend(lost, { Name: 'title' })
    const began = performance.now()
    expect((await redrive({ catalog_id: catalog, rate: 3 })).result).toMatchObject({ redriven: 6 })
    expect(performance.now() - began).toBeGreaterThan(1_900)
  })

  test.each<[string, object, number]>([
    ['nothing said', {}, 400],
    ['ids and a filter', { ids: ['products.bronze:1:0:1'], kind: 'failed' }, 400],
    ['all and a filter', { all: true, kind: 'failed' }, 400],
    ['a field that there is not', { all: true, speed: 3 }, 400],
    ['a letter that there is not', { ids: ['products.bronze:1:0:999999'] }, 404],
    ['a catalog that there is not', { catalog_id: '00000000-0000-4000-8000-000000000001' }, 404],
  ])('refuses %s', async (_, body, status) => {
    expect((await assay.call('POST', `${base}/redrive`, body)).status).toBe(status)
  })

  test("nobody meets another tenant's letters, and a brand none of its neighbour", async () => {
    const id = await append(record(product(), { Name: 'Mug' }, { context: ++context }))
    const { pipeline } = assay.system.catalog
    const second = randomUUID()
    await pipeline.query('insert into brand (brand_id, workspace_id, name) values ($1, $2, $3)', [
      second,
      workspace,
      second,
    ])
    const as = { authorization: `Bearer ${await assay.token('admin', { brand: second })}` }
    expect((await assay.call('GET', base, undefined, as)).body.deadLetters).toEqual([])
    expect((await assay.call('GET', `${base}/${id}`, undefined, as)).status).toBe(404)
    expect((await assay.call('POST', `${base}/redrive`, { ids: [id] }, as)).status).toBe(404)
    const all = await assay.call('POST', `${base}/redrive`, { all: true }, as)
    expect(all.status).toBe(202)
    const { job } = (await assay.call('GET', `/jobs/${all.body.job.id}`, undefined, as)).body
    expect(job.status === 'completed' ? job.result.matched : 0).toBe(0)
    expect((await read(id)).attempts).toHaveLength(1)
    const editor = { authorization: `Bearer ${await assay.token('editor')}` }
    expect((await assay.call('POST', `${base}/redrive`, { all: true }, editor)).status).toBe(403)
  })
})
