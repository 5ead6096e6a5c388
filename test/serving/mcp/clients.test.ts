import { execFile } from 'node:child_process'
import { createServer, request } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enough } from '../../enough.ts'
import { type Running, startAssay } from '../../running.ts'
import { fixtures } from './fixtures.ts'

const suite = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')
const run = promisify(execFile)

let assay: Running
let url: string
/** The suite has no way to bring a credential along: this adds one. */
const proxy = createServer((asked, answer) => {
  const { port } = assay.app.server.address() as AddressInfo
  const headers = { ...asked.headers, authorization: `Bearer ${token}` }
  const through = request({ port, host: '127.0.0.1', path: asked.url, method: asked.method, headers }, (from) => {
    answer.writeHead(from.statusCode ?? 502, from.headers)
    from.pipe(answer)
  })
  through.on('error', () => answer.destroy())
  asked.pipe(through)
})
let token: string
beforeAll(async () => {
  assay = await startAssay({}, { fixtures })
  token = await assay.token('admin')
  await assay.app.listen({ port: 0, host: '127.0.0.1' })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api/mcp`
})
afterAll(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await assay?.close()
})

test.each(['2025-11-25', '2026-07-28'])(
  'the server scenarios of %s pass, but for those that are explained',
  async (version) => {
    const expected = join(import.meta.dirname, `expected-failures-${version}.yml`)
    const args = [
      suite,
      'server',
      '--url',
      url,
      '--suite',
      'all',
      '--spec-version',
      version,
      '--expected-failures',
      expected,
    ]
    const { code, stdout, stderr } = await run(process.execPath, args, { maxBuffer: 1 << 26 }).then(
      (said) => ({ code: 0, ...said }),
      (error) => error,
    )
    expect(code, `${stdout}\n${stderr}`.slice(-6_000)).toBe(0)
  },
  120_000,
)

const named = { name: 'test', version: '1' }

test('the official client of the present major lists, calls, reads and is told of progress', async () => {
  const client = new Client(named)
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('get_score')
  const { structuredContent } = await client.callTool({ name: 'list_catalogs', arguments: {} })
  expect(structuredContent).toMatchObject({ catalogs: [{ is_default: true }] })
  const seen: number[] = []
  const onprogress = ({ progress }: { progress: number }) => void seen.push(progress)
  await client.callTool({ name: 'test_tool_with_progress', arguments: {} }, { onprogress })
  expect(seen).toEqual([0, 50, 100])
  const { contents } = await client.readResource({ uri: 'assay://rubric' })
  expect(contents[0]).toMatchObject({ uri: 'assay://rubric' })
  await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({
    code: -32_602,
    data: { code: 'MCP_001' },
  })
  await client.close()
})

test('the official client of the former major lists and calls', async () => {
  const client = new FormerClient(named)
  // Its own types differ from what it asks of its transports.
  await client.connect(new FormerTransport(new URL(url)) as never)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('get_score')
  const answer = await client.callTool({ name: 'list_catalogs', arguments: {} })
  expect(answer.structuredContent).toMatchObject({ catalogs: [{ is_default: true }] })
  const wrong = await client.callTool({ name: 'get_score', arguments: {} })
  expect(wrong).toMatchObject({ isError: true, _meta: { 'assay/error': { code: 'MCP_002', field: 'product_id' } } })
  await client.close()
})

const post = (body: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body,
  })

test('of many who call at once with the same id each has its own answer', async () => {
  const tools = [
    ['json_schema_2020_12_tool', 'name'],
    ['get_score', 'product_id'],
  ] as const
  const calls = Array.from({ length: 40 }, async (_, n) => {
    for (const [name, field] of tools) {
      const params = { name, arguments: { [field]: `caller ${n}.` } }
      const answer = await (await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))).text()
      expect(answer).toContain(`caller ${n}.`)
    }
  })
  await Promise.all(calls)
})

/** Near misses of messages, and anything at all. */
const nearMiss = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '1.0', 2, null),
    id: fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.double(), fc.object()),
    method: fc.constantFrom(
      ...['tools/call', 'tools/list', 'ping', 'initialize', 'resources/read', 'notifications/initialized', 'x', '', 5],
    ),
    params: fc.oneof(
      fc.record(
        {
          name: fc.constantFrom('get_score', 'batch_optimize', '__proto__', ''),
          arguments: fc.jsonValue(),
          cursor: fc.string(),
        },
        { requiredKeys: [] },
      ),
      fc.jsonValue(),
    ),
  },
  { requiredKeys: [] },
)
const message = fc.oneof(
  { weight: 6, arbitrary: nearMiss },
  { weight: 2, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.array(nearMiss, { maxLength: 3 }) },
)

test('no message at all is a 500; a request is answered, a notification is not', async () => {
  await fc.assert(
    fc.asyncProperty(message, async (sent) => {
      const answer = await post(JSON.stringify(sent))
      const text = await answer.text()
      const said = `${JSON.stringify(sent)}: ${answer.status} ${text}`
      expect(answer.status, said).toBeLessThan(500)
      expect(text, said).not.toMatch(/\bat \S+ \(/)
      const { jsonrpc, id, method, params } = (sent ?? {}) as Readonly<Record<string, unknown>>
      const isMessage =
        params === undefined || (typeof params === 'object' && params !== null && !Array.isArray(params))
      const isRequest =
        isMessage && jsonrpc === '2.0' && (typeof id === 'string' || Number.isInteger(id)) && typeof method === 'string'
      const isNotification =
        isMessage &&
        jsonrpc === '2.0' &&
        id === undefined &&
        typeof method === 'string' &&
        method.startsWith('notifications/')
      if (isRequest) expect(text, said).toContain(`"id":${JSON.stringify(id)}`)
      if (isNotification) expect([answer.status, text], said).toEqual([202, ''])
    }),
    { numRuns: enough(300, 3_000) },
  )
}, 120_000)
