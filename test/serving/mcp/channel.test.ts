import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import type { AgentEvent } from '../../../schemas/event.ts'
import { topics } from '../../../schemas/topics.ts'
import { toolList } from '../../../serving/mcp/tool-list.ts'
import { buildServer } from '../../../serving/server.ts'
import { childEnvironment } from '../../child-environment.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

let assay: Running
let key: string
let catalog: string
const base = `/api/workspace/${workspace}`

const supplier = [
  'sku,title,description,brand,price,currency,availability,color,material,image_link,link',
  'MUG-1,Enamel mug,A mug that is made for the camp fire and for the kitchen. FREE SHIPPING!!,Lumo,12.50,EUR,in stock,Red,Enamelled steel,https://cdn.example.test/a.jpg,https://shop.example.test/a',
  'MUG-2,Lumo tall enamel mug with a wooden handle,,Lumo,14.50,EUR,in stock,Blue,,https://cdn.example.test/b.jpg,https://shop.example.test/b',
  'MUG-3,Mug with a broken image,,Lumo,14.50,EUR,in stock,Blue,,htp:/broken,https://shop.example.test/c',
].join('\n')

beforeAll(async () => {
  assay = await startAssay({}, { roles: ['api', 'jobs', 'transforms', 'events'] })
  const catalogs = (await assay.call('GET', `${base}/catalogs`)).body.catalogs
  catalog = catalogs.find((one: { isDefault: boolean }) => one.isDefault).id
  await assay.ingest(catalog, supplier)
  const brand = (await assay.call('GET', `${base}/brands`)).body.brands[0].id
  const scopes = ['mcp:tools', 'products:write']
  key = (await assay.call('POST', `${base}/keys`, { name: 'agent', scopes, brand_id: brand })).body.secret
})
afterAll(() => assay?.close())

type Rpc = Record<string, unknown>

async function ask(body: unknown, headers: Record<string, string> = {}, query = '') {
  const answer = await assay.app.inject({
    method: 'POST',
    url: `/api/mcp/sse${query}`,
    headers: {
      ...{
        'x-api-key': key,
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'ChatGPT-User/1.0',
      },
      ...headers,
    },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const { statusCode: status, payload: text, headers: told } = answer
  return { status, text, headers: told, body: text.startsWith('{') ? JSON.parse(text) : null }
}
const rpc = (method: string, params: Rpc = {}) => ({ jsonrpc: '2.0', id: 7, method, params })
const tool = async (name: string, args: Rpc, query = '') =>
  (await ask(rpc('tools/call', { name, arguments: args }), {}, query)).body

describe('POST /api/mcp/sse', () => {
  test('200: a client of the handshake is greeted, and told what there is', async () => {
    const { status, body } = await ask(
      rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }),
    )
    expect(status).toBe(200)
    expect(body.result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'assay' } })
    expect(body.result.capabilities).toEqual({ tools: {}, resources: {}, prompts: {}, completions: {} })
  })

  test('200: a score, by SKU and by id, as data and as text', async () => {
    const { result, id } = await tool('get_score', { product_id: 'MUG-1' })
    expect(id).toBe(7)
    expect(result.isError).toBeUndefined()
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent)
    expect(result.structuredContent).toMatchObject({ sku: 'MUG-1', score: expect.any(Number) })
    const again = await tool('get_score', { product_id: result.structuredContent.product_id })
    expect(again.result.structuredContent).toEqual(result.structuredContent)
  })

  test('200: the short body of the contract is answered as a call', async () => {
    const { status, body } = await ask({
      method: 'tools/call',
      params: { name: 'get_score', arguments: { product_id: 'MUG-1' } },
    })
    expect(status).toBe(200)
    expect(body.result.structuredContent.score).toBeGreaterThan(0)
  })

  test('200, 400: what is wrong in a short body has our code, and a method that no header can have is none', async () => {
    for (const [args, field] of [
      ['MUG-1', 'arguments'],
      [{}, 'product_id'],
    ]) {
      const { body } = await ask({ method: 'tools/call', params: { name: 'get_score', arguments: args } })
      expect(body.result._meta['assay/error']).toMatchObject({ code: 'MCP_002', field })
    }
    for (const method of ['a\r\nb', '道具/一覧', ' tools/list']) {
      const { status, body } = await ask({ method })
      expect([status, body.error.code], method).toEqual([400, -32_600])
    }
  })

  test('200: events where the caller takes nothing else', async () => {
    const { status, text, headers } = await ask(rpc('tools/list'), { accept: 'text/event-stream' })
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('text/event-stream')
    expect(text).toContain('get_score')
  })

  test('400 -32700: what is no JSON is told so as JSON-RPC', async () => {
    const { status, body } = await ask('{"jsonrpc":')
    expect([status, body.error.code]).toEqual([400, -32_700])
  })

  test('405: there is no stream of its own, and no session to end', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const headers = { 'x-api-key': key, accept: 'text/event-stream' }
      const { statusCode } = await assay.app.inject({ method, url: '/api/mcp', headers })
      expect(statusCode).toBe(405)
    }
  })

  test('403: neither a page of another site may ask, nor may anybody under a name that is not this server’s', async () => {
    expect((await ask(rpc('tools/list'), { origin: 'https://evil.example.test' })).status).toBe(403)
    expect((await ask(rpc('tools/list'), { host: 'evil.example.test' })).status).toBe(403)
    expect((await ask(rpc('tools/list'), { origin: 'http://localhost:3000' })).status).toBe(200)
  })

  test('401, 403: a client is sent to the identity provider for what its credential lacks, and for nothing else', async () => {
    const ports = serverPorts(assay.system)
    const app = await buildServer({
      ...ports,
      mcp: { ...ports.mcp, issuer: 'https://login.example.test' },
      logger: null,
    })
    const scopes = ['products:read']
    const brand_id = (await assay.call('GET', `${base}/brands`)).body.brands[0].id
    const { secret } = (await assay.call('POST', `${base}/keys`, { name: 'narrow', scopes, brand_id })).body
    const asked = async (headers: Record<string, string>) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/mcp',
        headers: { host: 'localhost', ...headers },
        payload: rpc('tools/list'),
      })
      return [answer.statusCode, answer.headers['www-authenticate']]
    }
    const metadata =
      'Bearer resource_metadata="http://localhost/.well-known/oauth-protected-resource/api/mcp", scope="mcp:tools"'
    expect(await asked({})).toEqual([401, metadata])
    expect(await asked({ 'x-api-key': secret })).toEqual([403, `${metadata}, error="insufficient_scope"`])
    expect(await asked({ 'x-api-key': key, origin: 'https://evil.example.test' })).toEqual([403, undefined])
    await app.close()
  })

  test('401 AUTH_001: without a credential nothing is read', async () => {
    const { status, body } = await ask(rpc('tools/list'), { 'x-api-key': '' })
    expect([status, body.error.code]).toEqual([401, 'AUTH_001'])
  })
})

/** What the library answers whom only events please. */
async function byLibrary(body: unknown, headers: Record<string, string> = {}) {
  const { text } = await ask(body, { ...headers, accept: 'text/event-stream' })
  return JSON.parse([...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1] ?? text)
}

describe('tools', () => {
  test('a call in the plain form is answered as the library answers it, in both eras', async () => {
    const version = '2026-07-28'
    const meta = 'io.modelcontextprotocol/'
    const _meta = {
      ...{ [`${meta}protocolVersion`]: version, [`${meta}clientCapabilities`]: { elicitation: {} } },
    }
    for (const [name, args] of [
      ['get_score', { product_id: 'MUG-1' }],
      ['get_score', { product_id: 'NO-SUCH' }],
      ['get_score', {}],
      ['get_score', 'MUG-1' as never],
      ['get_score', ['MUG-1'] as never],
      ['list_catalogs', {}],
      ['list_catalogs', null as never],
      ['list_catalogs', JSON.parse('{"__proto__":{"limit":1}}')],
    ] as const) {
      const former = rpc('tools/call', { name, arguments: args })
      const plain = await ask(former)
      expect(plain.headers['content-type']).toContain('application/json')
      expect(plain.body).toEqual(await byLibrary(former))
      const headers = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': name }
      const present = rpc('tools/call', { name, arguments: args, _meta })
      expect((await ask(present, headers)).body).toEqual(await byLibrary(present, headers))
    }
  })

  test('MCP_001: a tool that there is not, or that is narrowed out, as an error of the protocol', async () => {
    expect((await tool('no_such_tool', {})).error).toMatchObject({ code: -32_602, data: { code: 'MCP_001' } })
    expect((await tool('optimize_product', { product_id: 'MUG-1' }, '?tools=scores')).error.data.code).toBe('MCP_001')
    const { body } = await ask(rpc('tools/list'), {}, '?tools=scores')
    expect(body.result.tools.map((one: { name: string }) => one.name)).toEqual([
      ...['get_score', 'compare_scores', 'explain_score', 'list_gaps'],
    ])
  })

  test('MCP_002: arguments that are wrong, with the field', async () => {
    for (const [args, field] of [
      [{}, 'product_id'],
      [{ product_id: 5 }, 'product_id'],
      [{ product_id: 'MUG-1', more: 1 }, 'more'],
    ] as const) {
      const { result } = await tool('get_score', args)
      expect(result.isError).toBe(true)
      expect(JSON.parse(result.content[0].text).error).toMatchObject({ code: 'MCP_002', field })
    }
  })

  test('DATA_001: a product that there is not', async () => {
    const { result } = await tool('get_score', { product_id: 'NO-SUCH' })
    expect(JSON.parse(result.content[0].text).error).toMatchObject({ code: 'DATA_001', field: 'product_id' })
  })

  test('a preview shows what would come of it, and changes nothing', async () => {
    const { result } = await tool('optimize_product', { product_id: 'MUG-1', target_platform: 'search-shopping' })
    const { original, optimized, score_before, score_after, applied } = result.structuredContent
    expect(original.title).toBe('Enamel mug')
    expect(optimized.title).toBe('Lumo Enamel mug, Red, Enamelled steel')
    expect(optimized.description).not.toContain('SHIPPING')
    expect(score_after).toBeGreaterThan(score_before)
    expect(applied).toBe(false)
    const [product] = await assay.products(catalog, { sku: 'MUG-1' })
    expect(product?.title).toBe('Enamel mug')
  })

  test('put in force, the product has the texts and the score that was told; a repeat changes nothing more', async () => {
    const first = (await tool('optimize_product', { product_id: 'MUG-1', apply: true })).result.structuredContent
    expect(first.applied).toBe(true)
    const now = (await tool('get_score', { product_id: 'MUG-1' })).result.structuredContent
    expect(now.score).toBe(first.score_after)
    const again = (await tool('optimize_product', { product_id: 'MUG-1', apply: true })).result.structuredContent
    expect(again.original).toEqual(first.optimized)
    expect(again.optimized).toEqual(first.optimized)
    const { entries } = (await assay.call('GET', `${base}/audit?action=product.optimize`)).body
    expect(entries).toHaveLength(1)
    expect(entries[0].after).toMatchObject({ title: first.optimized.title, agent: 'ChatGPT-User/1.0' })
  })

  test('of a batch each product has its own outcome, and progress is told to who asks', async () => {
    const params = {
      name: 'batch_optimize',
      arguments: { product_ids: ['MUG-1', 'NO-SUCH', 'MUG-2'] },
      _meta: { progressToken: 'p' },
    }
    const { text } = await ask(rpc('tools/call', params), { accept: 'application/json, text/event-stream' })
    const told = [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json))
    expect(told.slice(0, -1).map(({ params }) => params.progress)).toEqual([1, 2, 3])
    const { results } = told.at(-1).result.structuredContent
    expect(results.map((one: { status: string }) => one.status)).toEqual(['success', 'error', 'success'])
    expect(results[1]).toMatchObject({ product_id: 'NO-SUCH', code: 'DATA_001' })
  })

  test('scores side by side, gaps with what they cost, an explanation, catalogs and a job', async () => {
    const compared = (await tool('compare_scores', { product_ids: ['MUG-2', 'MUG-1'], sort_by: 'score_asc' })).result
    const scores = compared.structuredContent.products.map((one: { score: number }) => one.score)
    expect(scores).toEqual([...scores].sort((a, b) => a - b))
    const gaps = (await tool('list_gaps', { limit: 1 })).result.structuredContent
    expect(gaps.gaps).toHaveLength(1)
    const next = (await tool('list_gaps', { limit: 1, cursor: gaps.next_cursor })).result.structuredContent
    expect(next.gaps[0].field).not.toBe(gaps.gaps[0].field)
    expect((await tool('list_gaps', { cursor: 'x' })).result._meta['assay/error'].code).toBe('MCP_002')
    const why = (await tool('explain_score', { product_id: 'MUG-2' })).result.structuredContent
    expect(why.lost.length).toBeGreaterThan(0)
    const { catalogs } = (await tool('list_catalogs', {})).result.structuredContent
    expect(catalogs.map((one: { catalog_id: string }) => one.catalog_id)).toContain(catalog)
    const jobs = (await assay.call('GET', `${base}/jobs`)).body.jobs
    const status = (await tool('import_status', { job_id: jobs[0].id })).result.structuredContent
    expect(status.status).toBe('completed')
  })

  test('a platform’s refusals, of the published catalog, each with its fix', async () => {
    expect((await tool('get_product', { product_id: 'MUG-2' })).result._meta['assay/error'].code).toBe('DATA_001')
    await assay.publish(catalog)
    const report = (await tool('validate_feed', { platform: 'search-shopping', limit: 1 })).result.structuredContent
    expect(report.counts).toEqual({ valid: 1, refused: 2 })
    expect(report.products[0].problems[0]).toMatchObject({ field: expect.any(String), fix: expect.any(String) })
    const rest = (await tool('validate_feed', { platform: 'google', cursor: report.next_cursor })).result
    expect(rest.structuredContent.products).toHaveLength(1)
    expect((await tool('validate_feed', { platform: 'nobody' })).result._meta['assay/error'].code).toBe('FEED_001')
  })

  test('what is published is found and read', async () => {
    const found = (await tool('search_products', { query: 'enamel mugs', limit: 1 })).result.structuredContent
    expect(found.total).toBe(2)
    expect(found.products[0]).toMatchObject({ brand: 'Lumo', currency: 'EUR', score: expect.any(Number) })
    const rest = { query: 'enamel mugs', limit: 1, cursor: found.next_cursor }
    const next = (await tool('search_products', rest)).result.structuredContent
    expect(next.products[0].product_id).not.toBe(found.products[0].product_id)
    const cheap = (await tool('search_products', { price_max: 1_300 })).result.structuredContent
    expect(cheap.products.map(({ sku }: { sku: string }) => sku)).toEqual(['MUG-1'])
    const [place, seal] = found.next_cursor.split('.')
    for (const wrong of [
      { ...rest, cursor: place },
      { ...rest, cursor: `${place?.replace(/.$/, 'A')}.${seal}` },
      { attributes: ['red'] },
      { price_min: Number.MAX_SAFE_INTEGER },
    ])
      expect((await tool('search_products', wrong)).result._meta['assay/error'].code).toBe('MCP_002')
    const long = (await tool('search_products', { query: 'x'.repeat(600) })).result
    expect(long._meta['assay/error'].code).toBe('SEARCH_002')
    const read = (await tool('get_product', { product_id: 'MUG-2' })).result.structuredContent
    expect(read).toMatchObject({ sku: 'MUG-2', images: ['https://cdn.example.test/b.jpg'] })
    expect((await tool('get_product', { product_id: read.product_id })).result.structuredContent).toEqual(read)
  })

  test('what agents did, and which gaps it touched', async () => {
    const ask = { group_by: 'event_type', aggregation: 'count', time_window_days: 1 }
    await expect
      .poll(async () => (await tool('query_events', ask)).result.structuredContent?.rows, { timeout: 20_000 })
      .toContainEqual(expect.objectContaining({ key: 'tool_call', value: expect.any(Number) }))
    const wrong = await tool('query_events', { ...ask, aggregation: 'sum' })
    expect(wrong.result._meta['assay/error']).toMatchObject({ code: 'MCP_002', field: 'value_field' })
    const { gaps } = (await tool('demand_gaps', { days: 7 })).result.structuredContent
    expect(gaps).toEqual([])
  })

  test('every call is an event with its tool, its outcome, its agent and how long it took', async () => {
    const told = async (): Promise<AgentEvent[]> => {
      const { log } = assay.system
      const ends = await log.ends(topics.events)
      const read = await Promise.all(ends.map((_, partition) => log.read(topics.events, partition, 0, 1_000)))
      return read.flat().map(({ value }) => JSON.parse(value.toString()))
    }
    const { product_id } = (await tool('get_score', { product_id: 'MUG-2' })).result.structuredContent
    const of = async (outcome: string) =>
      (await told()).filter(({ type, metadata }) => type === 'tool_call' && metadata?.outcome === outcome)
    await expect
      .poll(async () =>
        (await of('ok')).some(({ product, metadata }) => product === product_id && metadata?.tool === 'get_score'),
      )
      .toBe(true)
    const [event] = (await of('ok')).filter(
      ({ product, metadata }) => product === product_id && metadata?.tool === 'get_score',
    )
    expect(event).toMatchObject({
      agent: { name: 'ChatGPT' },
      metadata: { tool: 'get_score', outcome: 'ok' },
    })
    expect(Number(event?.numbers?.duration_ms)).toBeGreaterThan(0)
    expect((await of('MCP_002')).length).toBeGreaterThan(0)
    expect((await of('DATA_001')).length).toBeGreaterThan(0)
  })
})

describe('resources and prompts', () => {
  test('the rubric, the profiles and the catalogs can be read, and what is not there is told', async () => {
    const { resources } = (await ask(rpc('resources/list'))).body.result
    expect(resources.map((one: { uri: string }) => one.uri)).toContain('assay://rubric')
    const read = async (uri: string) => (await ask(rpc('resources/read', { uri }))).body
    expect((await read('assay://rubric')).result.contents[0].text).toContain('The rubric')
    expect((await read('assay://feeds/google')).result.contents[0].text).toContain('image_link')
    expect((await read(`assay://catalogs/${catalog}`)).result.contents[0].text).toContain(catalog)
    expect((await read('assay://catalogs/../x')).error.code).toBe(-32_602)
  })

  test('names of platforms are completed', async () => {
    const params = {
      ref: { type: 'ref/resource', uri: 'assay://feeds/{name}' },
      argument: { name: 'name', value: 'goo' },
    }
    expect((await ask(rpc('completion/complete', params))).body.result.completion.values).toEqual(['google'])
  })

  test('a prompt names the tools to use', async () => {
    const { prompts } = (await ask(rpc('prompts/list'))).body.result
    expect(prompts.map((one: { name: string }) => one.name)).toEqual(['improve_catalog', 'why_not_feed_ready'])
    const got = (await ask(rpc('prompts/get', { name: 'why_not_feed_ready', arguments: { product_id: 'MUG-1' } }))).body
    expect(got.result.messages[0].content.text).toContain('explain_score')
    expect((await ask(rpc('prompts/get', { name: 'why_not_feed_ready', arguments: {} }))).body.error.code).toBe(-32_602)
  })
})

test('the official Inspector lists every tool, and calls each', async () => {
  if (!assay.app.server.listening) await assay.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = assay.app.server.address() as AddressInfo
  const run = promisify(execFile)
  const program = '@modelcontextprotocol/inspector/clients/cli/build/index.js'
  const inspector = createRequire(import.meta.url).resolve(program)
  const env = { ...childEnvironment, MCP_INSPECTOR_SECRET_STORE: 'memory' }
  const inspect = async (method: string, ...how: string[]) => {
    const asked = [`http://127.0.0.1:${port}/api/mcp/sse`, '--transport', 'http', '--method', method, ...how]
    const said = ['--format', 'json', '--header', `X-API-Key: ${key}`]
    const { stdout } = await run(process.execPath, [inspector, ...asked, ...said], { env })
    return JSON.parse(stdout).result
  }
  const { tools } = await inspect('tools/list')
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(toolList.map(({ name }) => name))
  const job = (await assay.call('GET', `${base}/jobs`)).body.jobs[0].id
  const args: Readonly<Record<string, object>> = {
    optimize_product: { product_id: 'MUG-1' },
    batch_optimize: { product_ids: ['MUG-1', 'MUG-2'], target_platform: 'google' },
    get_score: { product_id: 'MUG-1' },
    compare_scores: { product_ids: ['MUG-1', 'MUG-2'] },
    explain_score: { product_id: 'MUG-1' },
    get_product: { product_id: 'MUG-2' },
    validate_feed: { platform: 'google' },
    search_products: { query: 'mug', limit: 1 },
    import_status: { job_id: job },
    query_events: { group_by: 'day', aggregation: 'count', time_window_days: 1 },
  }
  const calls = toolList.map(({ name }, place) => async () => {
    const given = ['--tool-name', name, '--tool-args-json', JSON.stringify(args[name] ?? {})]
    const answer = await inspect('tools/call', ...given, '--protocol-era', place % 2 === 0 ? 'legacy' : 'modern')
    expect(answer.isError, JSON.stringify(answer)).toBeUndefined()
    expect(JSON.parse(answer.content[0].text)).toEqual(answer.structuredContent)
  })
  while (calls.length > 0) await Promise.all(calls.splice(0, 3).map((call) => call()))
}, 120_000)
