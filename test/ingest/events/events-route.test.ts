import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mostEvents } from '../../../schemas/event.ts'
import { topics } from '../../../schemas/topics.ts'
import { type Running, startAssay } from '../../running.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay({}, { roles: ['api'] })
})
afterAll(() => assay.close())

const send = (body: string | Buffer, headers: Record<string, string> = {}) =>
  assay.call('POST', '/api/v1/events', Buffer.from(body), { 'content-type': 'application/json', ...headers })
const stored = async () => (await assay.system.log.ends(topics.events)).reduce((sum, end) => sum + end)
const order = JSON.stringify({ type: 'order' })

test('under an Idempotency-Key events are taken once, with the first answer; another body needs another key', async () => {
  const before = await stored()
  const key = { 'idempotency-key': randomUUID() }
  const body = `[${order},{"type":1}]`
  const first = await send(body, key)
  expect([first.status, first.body.accepted, first.body.refused.length]).toEqual([202, 1, 1])
  const again = await send(body, key)
  expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([202, first.text, 'true'])
  expect((await send(order, key)).status).toBe(422)
  expect(await stored()).toBe(before + 1)
})

test('a refused body leaves its Idempotency-Key free', async () => {
  const key = { 'idempotency-key': randomUUID() }
  expect((await send('no JSON', key)).status).toBe(400)
  expect((await send(order, key)).status).toBe(202)
})

test.each([
  ['application/x-ndjson', undefined],
  ['application/ndjson', undefined],
  ['Application/X-NDJSON; charset=utf-8', undefined],
  ['application/jsonl', 'GZIP'],
  ['APPLICATION/JSONL', 'x-gzip'],
])('lines are lines as %s, packed as %s', async (type, encoding) => {
  const lines = `${order}\n${order}\n`
  const headers = { 'content-type': type, ...(encoding !== undefined && { 'content-encoding': encoding }) }
  const { status, body } = await send(encoding === undefined ? lines : gzipSync(lines), headers)
  expect([status, body]).toEqual([202, { accepted: 2, refused: [] }])
})

test('a body that is small and brings too many is refused at once', async () => {
  const body = gzipSync(Buffer.alloc(16 * 1024 * 1024 - 1, '{}\n'), { level: 9 })
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const { status, body: told } = await send(body, {
    'content-type': 'application/x-ndjson',
    'content-encoding': 'gzip',
  })
  delay.disable()
  expect([status, told.error.message]).toEqual([413, `A request brings at most ${mostEvents} events`])
  // It was eleven seconds.
  expect(delay.max / 1e6).toBeLessThan(500)
})

test.each([
  [{ time: '2026-11-27T10:00:00' }, 'time', /with its zone, like/],
  [{ time: 'today' }, 'time', /with its zone, like/],
  [{ value: { amount: 1 } }, 'value', /^is a number, or one as text/],
  [{ value: '0.1234567891' }, 'value', /at most nine behind it$/],
  [{ value: '1,5' }, 'value', /^is a number, or one as text/],
  [{ amount: 1e15 }, 'amount', /at most 15 digits before the point/],
  [{ metadata: { a: [1] } }, 'metadata.a', /^is text of at most 1000 characters, a number/],
  [{ metadata: { A: 1 } }, 'metadata.A', /^a key is small letters/],
  [{ session_id: 4 }, 'session_id', /^is text/],
  [{ id: 'x' }, 'id', /^is a UUID$/],
])('%j is refused in words that say what is right', async (more, field, says) => {
  const { status, body } = await send(`[${order},${JSON.stringify({ type: 'order', ...more })}]`)
  expect([status, body.refused]).toEqual([202, [{ index: 1, field, message: expect.stringMatching(says) }]])
})

test('numbers that would be rounded to one another are refused, and the largest that is not is taken', async () => {
  const { body } = await send(
    '[{"type":"a1","metadata":{"n":9007199254740993}},{"type":"a1","metadata":{"n":9007199254740991}}]',
  )
  expect(body).toEqual({
    accepted: 1,
    refused: [{ index: 0, field: 'metadata.n', message: expect.stringMatching(/send them as text$/) }],
  })
})
