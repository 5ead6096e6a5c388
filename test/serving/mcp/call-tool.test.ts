import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import type { AgentEvent } from '../../../schemas/event.ts'
import { topics } from '../../../schemas/topics.ts'
import { toolList } from '../../../serving/mcp/tool-list.ts'
import { rates } from '../../../serving/plugins/limits.ts'
import { memoryCounter } from '../../../serving/plugins/rate-window.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

const base = `/api/workspace/${workspace}`
const supplier = [
  'sku,title,description,brand,price,currency,availability,color,material,image_link,link',
  ...Array.from(
    { length: 20 },
    (_, n) =>
      `CUP-${n},Cup,A cup that is made for the camp fire. FREE SHIPPING!!,Lumo,12.50,EUR,in stock,Red,Enamelled steel,https://cdn.example.test/${n}.jpg,https://shop.example.test/${n}`,
  ),
].join('\n')

let assay: Running
let catalog: string
let brand: string
let token: string
let theirs: { readonly product: string; readonly catalog: string; readonly job: string }

beforeAll(async () => {
  assay = await startAssay({}, { limits: { rates: { ...generous, tools: rates.tools }, counter: memoryCounter() } })
  token = await assay.token('admin')
  const { catalogs } = (await assay.call('GET', `${base}/catalogs`)).body
  ;({ id: catalog, brandId: brand } = catalogs.find((one: { isDefault: boolean }) => one.isDefault))
  await assay.ingest(catalog, supplier)
  await ensureWorkspace(assay.system.catalog.pipeline, 'ws_other', 'Other')
  theirs = await ofAnother()
})
afterAll(() => assay?.close())

const generous = Object.fromEntries(
  Object.keys(rates).map((name) => [name, [{ by: 'credential', seconds: 60, limit: 1_000_000 }] as const]),
)

async function ofAnother() {
  const as = { authorization: `Bearer ${await assay.token('admin', { workspace: 'ws_other' })}` }
  const there = '/api/workspace/ws_other'
  const made = await assay.call('POST', `${there}/catalog/products`, { sku: 'THEIRS', title: 'Cup', price: 5 }, as)
  const product = made.body.product
  await assay.call('POST', `${there}/catalogs/${product.catalogId}/publish`, {}, as)
  const { jobs } = (await assay.call('GET', `${there}/jobs`, undefined, as)).body
  return { product: product.id, catalog: product.catalogId, job: jobs[0].id }
}

/** Each with a limit of its own, but for those of the limits. */
let address = 0
async function ask(body: unknown, headers: Record<string, string> = {}, from = `127.1.0.${++address}`) {
  const answer = await assay.app.inject({
    ...{ method: 'POST', url: '/api/mcp', remoteAddress: from },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.payload === '' ? null : JSON.parse(answer.payload),
  }
}
const message = (name: string, args: object, id: unknown = 1) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } },
})
const failureIn = (body: { result?: { _meta?: Record<string, unknown> } } | null) =>
  body?.result?._meta?.['assay/error']

async function events(): Promise<AgentEvent[]> {
  const { log } = assay.system
  const ends = await log.ends(topics.events)
  const read = await Promise.all(ends.map((_, partition) => log.read(topics.events, partition, 0, 1_000)))
  return read.flat().map(({ value }) => JSON.parse(value.toString()))
}
const calls = async (tool: string) => (await events()).filter(({ metadata }) => metadata?.tool === tool)

describe('a call that writes', () => {
  const audited = async () =>
    (await assay.call('GET', `${base}/audit?action=product.optimize`)).body.entries as readonly unknown[]

  test('writes once under its Idempotency-Key, and each try is answered as the first, under its own id', async () => {
    const key = { 'idempotency-key': randomUUID(), accept: 'application/json, text/event-stream' }
    const write = (id: unknown) => message('optimize_product', { product_id: 'CUP-0', apply: true }, id)
    const first = await ask(write(1), key)
    expect(first.body.result.structuredContent).toMatchObject({ applied: true, original: { title: 'Cup' } })
    const again = await ask(write('second'), key)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.body).toEqual({ ...first.body, id: 'second' })
    expect(await audited()).toHaveLength(1)
    // Without a key it finds its own texts in place.
    const anew = await ask(write(3))
    expect(anew.body.result.structuredContent.original).toEqual(first.body.result.structuredContent.optimized)
    expect(await audited()).toHaveLength(1)
    expect((await ask(message('get_score', { product_id: 'CUP-0' }), key)).status).toBe(422)
  })

  test('stands in the audit log under the name that the agent gives itself', async () => {
    const meta = 'io.modelcontextprotocol/'
    const _meta = {
      ...{ [`${meta}protocolVersion`]: '2026-07-28', [`${meta}clientCapabilities`]: {} },
      [`${meta}clientInfo`]: { name: 'Pen', version: '2' },
    }
    const { params, ...call } = message('optimize_product', { product_id: 'CUP-19', apply: true })
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': params.name }
    expect((await ask({ ...call, params: { ...params, _meta } }, headers)).status).toBe(200)
    expect(await audited()).toContainEqual(
      expect.objectContaining({ after: expect.objectContaining({ agent: { name: 'Pen', version: '2' } }) }),
    )
  })

  test('goes through where the first failed', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const write = message('optimize_product', { product_id: 'LATER', apply: true })
    expect(failureIn((await ask(write, key)).body)).toMatchObject({ code: 'DATA_001' })
    const product = { sku: 'LATER', title: 'Cup', description: 'A cup. FREE SHIPPING!!', price: 1, currency: 'EUR' }
    expect((await assay.call('POST', `${base}/catalog/products`, product)).status).toBe(201)
    expect((await ask(write, key)).body.result.structuredContent).toMatchObject({ applied: true })
  })
})

describe('what is another’s', () => {
  test('there is none of it in any tool, by id or by SKU', async () => {
    const args: Readonly<Record<string, readonly object[]>> = {
      optimize_product: [{ product_id: theirs.product, apply: true }, { product_id: 'THEIRS' }],
      get_score: [{ product_id: theirs.product }, { product_id: 'THEIRS' }],
      explain_score: [{ product_id: theirs.product }],
      get_product: [{ product_id: theirs.product }, { product_id: 'THEIRS' }],
      list_gaps: [{ catalog_id: theirs.catalog }],
      search_products: [{ catalog_id: theirs.catalog }],
      validate_feed: [{ platform: 'google', catalog_id: theirs.catalog }],
      demand_gaps: [{ catalog_id: theirs.catalog }],
      import_status: [{ job_id: theirs.job }],
    }
    for (const [name, tries] of Object.entries(args))
      for (const one of tries) {
        const { body } = await ask(message(name, one))
        expect(failureIn(body), `${name} ${JSON.stringify(body)}`).toMatchObject({
          code: expect.stringMatching(/^(DATA_00[12]|MCP_002)$/),
        })
      }
    const product_ids = [theirs.product, 'THEIRS', 'CUP-1']
    const { body } = await ask(message('compare_scores', { product_ids }))
    expect(body.result.structuredContent.products).toHaveLength(1)
    expect(body.result.structuredContent.errors.map(({ code }: { code: string }) => code)).toEqual([
      ...['DATA_001', 'DATA_001'],
    ])
    const batch = (await ask(message('batch_optimize', { product_ids }))).body.result.structuredContent.results
    expect(batch.map(({ status }: { status: string }) => status)).toEqual(['error', 'error', 'success'])
    const listed = (await ask(message('list_catalogs', {}))).body
    expect(JSON.stringify(listed)).not.toContain(theirs.catalog)
    const asked = [...Object.keys(args), 'compare_scores', 'batch_optimize', 'list_catalogs', 'query_events']
    expect(asked.sort()).toEqual(toolList.map(({ name }) => name).sort())
  })

  test('an X-Active-Catalog or a resource of another is none either', async () => {
    const headers = { 'x-active-catalog': theirs.catalog }
    expect(failureIn((await ask(message('get_score', { product_id: 'THEIRS' }), headers)).body)).toMatchObject({
      code: 'DATA_001',
    })
    const read = {
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: `assay://catalogs/${theirs.catalog}` },
    }
    expect((await ask(read)).body.error.code).toBe(-32_602)
  })
})

describe('what is odd', () => {
  test('bad input is told with its field, by the name that the tool has for it', async () => {
    const wrong: readonly [string, object, string][] = [
      ['search_products', { attributes: ['red'] }, 'attributes'],
      ['search_products', { price_max: Number.MAX_SAFE_INTEGER }, 'price_max'],
      ['search_products', { cursor: 'x' }, 'cursor'],
      ['search_products', { query: 'x'.repeat(600) }, 'query'],
      ['list_catalogs', { cursor: 'x' }, 'cursor'],
      ['list_gaps', { cursor: '' }, 'cursor'],
      ['import_status', { job_id: '1' }, 'job_id'],
      ['batch_optimize', { product_ids: Array.from({ length: 51 }, (_, n) => `${n}`) }, 'product_ids'],
      ['compare_scores', { product_ids: [''] }, 'product_ids.0'],
      ['get_score', JSON.parse('{"product_id":"CUP-1","__proto__":{"apply":true}}'), '__proto__'],
    ]
    for (const [name, args, field] of wrong) {
      const { body, status } = await ask(message(name, args))
      expect([status, failureIn(body)], JSON.stringify(body)).toMatchObject([200, { field }])
    }
  })

  test('arguments that are null are none, and those that are no object are wrong; a bad cursor of any list is told', async () => {
    expect((await ask(message('list_catalogs', null as never))).body.result.isError).toBeUndefined()
    for (const args of [5, ['CUP-1'], 'CUP-1'])
      expect(failureIn((await ask(message('get_score', args as never))).body)).toMatchObject({
        ...{ code: 'MCP_002', field: 'arguments' },
      })
    for (const cursor of ['x', Buffer.from('[2,"x"]').toString('base64url')]) {
      for (const method of ['resources/list', 'resources/templates/list', 'tools/list', 'prompts/list']) {
        const { body } = await ask({ jsonrpc: '2.0', id: 1, method, params: { cursor } })
        expect(body.error, method).toMatchObject({ code: -32_602, data: { code: 'MCP_002' } })
      }
    }
  })

  test('what is too deep, too long or no UTF-8 is refused, and nothing falls', async () => {
    const send = (payload: string | Buffer) =>
      assay.app.inject({
        ...{ method: 'POST', url: '/api/mcp', payload },
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      })
    const deep = await send(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
    )
    expect([deep.statusCode, deep.json().error.code]).toEqual([400, -32_700])
    const broken = await send(Buffer.from([0x22, 0xff, 0x22]))
    expect([broken.statusCode, broken.json().error.code]).toEqual([400, -32_700])
    expect((await send(JSON.stringify({ x: 'x'.repeat(1 << 20) }))).statusCode).toBe(413)
    expect((await send('')).json().error.code).toBe(-32_700)
  })

  test('a session of before is not looked at, zero is an id, and an error has that of its request where there is one', async () => {
    const old = { 'mcp-protocol-version': '1999-01-01' }
    for (const [body, headers] of [
      [{ jsonrpc: '2.0', id: 0 }, {}],
      [{ jsonrpc: '2.0', id: 0, method: 'tools/list' }, old],
    ] as const)
      expect(await ask(body, headers)).toMatchObject({
        status: 400,
        body: { id: 0, error: { code: expect.any(Number) } },
      })
    const { status, body } = await ask(
      { ...message('get_score', { product_id: 'CUP-1' }, 0) },
      { 'mcp-session-id': 'gone' },
    )
    expect([status, body.id]).toEqual([200, 0])
  })
})

describe('limits', () => {
  test('50 calls a minute of a key from one address, and 200 from all; each of a batch counts', async () => {
    const key = await narrowKey()
    const call = (from: string, body: unknown = message('list_catalogs', {})) =>
      ask(body, { authorization: `Bearer ${key}` }, from)
    const batch = (count: number) => Array.from({ length: count }, (_, n) => message('list_catalogs', {}, n))
    const many = await call('127.2.0.1', batch(40))
    expect(many.body.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b)).toEqual([
      ...Array(40).keys(),
    ])
    for (let n = 40; n < 50; n++) expect((await call('127.2.0.1')).status).toBe(200)
    const over = await call('127.2.0.1')
    expect([over.status, over.body.error.code]).toEqual([429, 'RATE_001'])
    expect((await call('127.2.0.2', batch(51))).status).toBe(429)
    for (const from of ['127.2.0.3', '127.2.0.4']) expect((await call(from, batch(50))).status).toBe(200)
    expect((await call('127.2.0.5')).status).toBe(429)
  })

  async function narrowKey(): Promise<string> {
    const body = { name: 'agent', scopes: ['mcp:tools'], brand_id: brand }
    return (await assay.call('POST', `${base}/keys`, body)).body.secret
  }
})

describe('every call is an event', () => {
  test('one of a tool that there is not, too', async () => {
    await ask(message('order_pizza', {}))
    await expect.poll(() => calls('order_pizza')).toMatchObject([{ metadata: { outcome: 'MCP_001' } }])
  })

  test('one whose caller hangs up ends with that, and is told as cancelled; what was put in force stays', async () => {
    await assay.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = assay.app.server.address() as { port: number }
    const hangUp = new AbortController()
    const product_ids = Array.from({ length: 18 }, (_, n) => `CUP-${n + 1}`)
    const params = {
      ...{ name: 'batch_optimize', arguments: { product_ids, apply: true } },
      _meta: { progressToken: 'p' },
    }
    const answer = await fetch(`http://127.0.0.1:${port}/api/mcp`, {
      ...{ method: 'POST', signal: hangUp.signal },
      headers: {
        ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toContain('"progress":1')
    hangUp.abort()
    await expect
      .poll(async () => (await calls('batch_optimize')).map(({ metadata }) => metadata?.outcome), { timeout: 10_000 })
      .toContain('cancelled')
    const titleOf = async (sku: string) => (await assay.products(catalog, { sku }))[0]?.title
    expect(await titleOf('CUP-1')).not.toBe('Cup')
    expect(await titleOf('CUP-18')).toBe('Cup')
  })
})
