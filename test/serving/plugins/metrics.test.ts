import { Writable } from 'node:stream'
import { type Span, SpanKind, type Tracer, type TracerProvider, trace } from '@opentelemetry/api'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import { buildServer, type ServerPorts } from '../../../serving/server.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

async function serve(more: Partial<ServerPorts>) {
  return buildServer({ ...serverPorts(assay.system), logger: null, ...more })
}

describe('GET /metrics', () => {
  test('200: from this machine, with requests by route, lag, work, pools and the process', async () => {
    await assay.call('GET', `/api/workspace/${workspace}/catalogs?limit=1`)
    const { status, text } = await assay.call('GET', '/metrics', undefined, { authorization: '' })
    expect(status).toBe(200)
    expect(text).toContain('route="/api/workspace/:workspaceId/catalogs",status="200"')
    for (const name of ['assay_log_lag_records{partition="0"}', 'assay_pool_connections', 'process_cpu_seconds_total'])
      expect(text).toContain(name)
    expect(text).toContain('# TYPE assay_work gauge')
    expect(text).not.toContain(workspace)
  })

  test('403: from elsewhere, or through a proxy that speaks for another', async () => {
    const far = await assay.app.inject({ method: 'GET', url: '/metrics', remoteAddress: '192.0.2.7' })
    expect(far.statusCode).toBe(403)
    expect((await assay.call('GET', '/metrics', undefined, { 'x-forwarded-for': '127.0.0.1' })).status).toBe(403)
  })

  test('401: where a token is set, nothing but that token opens it, from wherever', async () => {
    const token = 'a-token-for-metrics'
    const app = await serve({ metrics: { ...serverPorts(assay.system).metrics, token } })
    const ask = async (authorization: string, remoteAddress: string) =>
      (await app.inject({ method: 'GET', url: '/metrics', headers: { authorization }, remoteAddress })).statusCode
    expect(await ask('', '127.0.0.1')).toBe(401)
    expect(await ask(`Bearer ${await assay.token('owner')}`, '127.0.0.1')).toBe(401)
    expect(await ask(`Bearer ${token}x`, '192.0.2.7')).toBe(401)
    expect(await ask(`Bearer ${token}`, '192.0.2.7')).toBe(200)
    await app.close()
  })
})

test('a request is one line of the log: who, which route, how it ended; no value of its query, no credential', async () => {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  const app = await serve({ logger: pino({ level: 'info' }, stream) })
  const token = await assay.token('viewer')
  const url = `/api/workspace/${workspace}/catalogs?after=hidden-value&key=ask_live_hidden`
  const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'mine-2' }
  await app.inject({ method: 'GET', url, headers })
  await app.close()
  const lines = text.split('\n').filter((line) => line.includes('"mine-2"'))
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    msg: 'request',
    method: 'GET',
    route: '/api/workspace/:workspaceId/catalogs',
    status: 400,
    ms: expect.any(Number),
    workspace,
    subject: 'test:viewer',
  })
  expect(text).not.toMatch(/hidden/)
  expect(text).not.toContain(token)
})

test('a request is a span with its route and status', async () => {
  const begun: { name: string; kind: unknown; attributes: Record<string, unknown>; ended: boolean }[] = []
  const startSpan: Tracer['startSpan'] = (name, options = {}) => {
    const noted = { name, kind: options.kind, attributes: { ...options.attributes }, ended: false }
    begun.push(noted)
    const span = {
      setAttribute: (key: string, value: unknown) => Object.assign(noted.attributes, { [key]: value }),
      setStatus: () => {},
      spanContext: () => ({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }),
      end: () => Object.assign(noted, { ended: true }),
    }
    return span as unknown as Span
  }
  const provider: TracerProvider = { getTracer: () => ({ startSpan }) as unknown as Tracer }
  trace.setGlobalTracerProvider(provider)
  try {
    await assay.call('GET', '/health/live?key=hidden')
  } finally {
    trace.disable()
  }
  expect(begun).toEqual([
    {
      name: 'GET /health/live',
      kind: SpanKind.SERVER,
      ended: true,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/health/live',
        'http.response.status_code': 200,
        'assay.request_id': expect.any(String),
      },
    },
  ])
})
