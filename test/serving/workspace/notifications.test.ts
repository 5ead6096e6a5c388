import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { completeJob, insertJob, startJob } from '../../../infra/catalog/job-table.ts'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import { buildServer } from '../../../serving/server.ts'
import { notificationEvents } from '../../../serving/workspace/notification-stream.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let brand: string
let other: string
beforeAll(async () => {
  assay = await startAssay()
  brand = (await assay.call('GET', `${base}/brands`)).body.brands[0].id
  other = (await assay.call('POST', `${base}/brands`, { name: 'Second' })).body.brand.id
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const pool = () => assay.system.catalog.pipeline
const as = async (subject: string, brandId: string | null = null) => ({
  authorization: `Bearer ${await assay.system.tokens.sign({ subject, workspace, role: 'editor', brand: brandId, scope: '' }, 600)}`,
})

/** A job of this person that ends. */
async function end(by: string, brandId = brand): Promise<string> {
  const id = randomUUID()
  await insertJob(pool(), { id, workspace, brand: brandId, catalog: null, kind: 'bulk', input: {}, by })
  await startJob(pool(), id)
  await completeJob(pool(), id, { updated: 2 })
  return id
}
const list = async (headers: Record<string, string>, query = '') =>
  (await assay.call('GET', `${base}/notifications?${query}`, undefined, headers)).body
const jobsOf = ({ notifications }: { notifications: { jobId: string }[] }) => notifications.map(({ jobId }) => jobId)

test('200: who started a job is told of its end, and nobody else is', async () => {
  const id = await end('ann')
  const { notifications, next } = await list(await as('ann'))
  expect(notifications).toEqual([
    {
      id: expect.any(String),
      brandId: brand,
      kind: 'job.completed',
      jobId: id,
      title: 'Bulk change completed',
      text: '2 updated.',
      createdAt: expect.stringMatching(/Z$/),
      readAt: null,
    },
  ])
  expect(next).toBeNull()
  expect((await list(await as('bob'))).notifications).toEqual([])
})

test('200: an import that failed tells why', async () => {
  const failed = await assay.ingest(await assay.newCatalog(), 'colour,weight\nred,3\n')
  const [told] = (await list({}, 'limit=1')).notifications
  expect(told).toMatchObject({ kind: 'job.failed', title: 'Import failed', text: failed.error?.message })
})

test('200: a job of any kind that is given up is told of', async () => {
  const id = randomUUID()
  await insertJob(pool(), { id, workspace, brand, catalog: null, kind: 'bulk', input: {}, by: 'kim' })
  await assay.system.imports.giveUp('bulk', id)
  expect((await list(await as('kim'))).notifications).toMatchObject([
    { jobId: id, kind: 'job.failed', title: 'Bulk change failed', text: expect.stringContaining('again and again') },
  ])
})

test('200: a person of one brand is not told of another, though they started it', async () => {
  const [mine, theirs] = [await end('cat', brand), await end('cat', other)]
  expect(jobsOf(await list(await as('cat', other)))).toEqual([theirs])
  expect(jobsOf(await list(await as('cat')))).toEqual([theirs, mine])
  expect(jobsOf(await list(await as('cat'), `brand_id=${brand}`))).toEqual([mine])
})

test('200: newest first, page by page; what is read is no longer among the unread', async () => {
  const headers = await as('dan')
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.unshift(await end('dan'))
  const first = await list(headers, 'limit=2')
  const second = await list(headers, `limit=2&after=${first.next}`)
  expect([...jobsOf(first), ...jobsOf(second)]).toEqual(ids)
  const path = `${base}/notifications/${first.notifications[0].id}/read`
  const read = await assay.call('POST', path, undefined, headers)
  expect(read.body.notification.readAt).toEqual(expect.any(String))
  expect((await assay.call('POST', path, undefined, headers)).body).toEqual(read.body)
  expect(jobsOf(await list(headers, 'unread=true'))).toEqual(ids.slice(1))
  expectSamplesForm(await assay.call('POST', path, undefined, await as('eva')), 404, 'NOT_FOUND', 'notificationId')
  expect((await assay.call('POST', `${base}/notifications/read-all`, {}, headers)).body).toEqual({ read: 2 })
  expect((await list(headers, 'unread=true')).notifications).toEqual([])
})

describe('GET …/notifications/stream', () => {
  interface Event {
    readonly id: string
    readonly job: string
  }

  async function serve(streams: { pollMs?: number; heartbeatMs?: number; endsAfterMs?: number }) {
    const app = await buildServer({ ...serverPorts(assay.system), logger: null, streams })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    return { app, url: `http://127.0.0.1:${port}${base}/notifications/stream` }
  }

  /** Reads on in the background; `text` is what has come so far. */
  async function follow(url: string, headers: Record<string, string>) {
    const answer = await fetch(url, { headers })
    const seen = { status: answer.status, type: answer.headers.get('content-type'), text: '', ended: false }
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    const done = (async () => {
      for (;;) {
        const part = await reader?.read()
        if (!part || part.done) break
        seen.text += part.value
      }
    })().then(
      () => {
        seen.ended = true
      },
      () => {},
    )
    return { seen, done, stop: () => reader?.cancel() }
  }

  const eventsOf = (text: string): Event[] =>
    [...text.matchAll(/id: (\S+)\nevent: notification\ndata: (.*)\n\n/g)].map(([, id = '', data = '{}']) => ({
      id,
      job: JSON.parse(data).jobId,
    }))
  const soon = { timeout: 5_000, interval: 20 }

  test('what comes is told while it comes, from whatever node; and after the last event where one was missed', async () => {
    const { app, url } = await serve({ pollMs: 50 })
    const headers = await as('fay')
    await end('fay')
    const stream = await follow(url, headers)
    expect(stream.seen).toMatchObject({ status: 200, type: 'text/event-stream; charset=utf-8' })
    await vi.waitFor(() => expect(stream.seen.text).toContain('retry: '), soon)
    const [first, , second] = [await end('fay'), await end('gus'), await end('fay')]
    await vi.waitFor(() => expect(eventsOf(stream.seen.text).map(({ job }) => job)).toEqual([first, second]), soon)
    await stream.stop()
    const missed = await end('fay')
    const last = eventsOf(stream.seen.text)[0]?.id ?? ''
    const again = await follow(url, { ...headers, 'last-event-id': last })
    await vi.waitFor(() => expect(eventsOf(again.seen.text).map(({ job }) => job)).toEqual([second, missed]), soon)
    await again.stop()
    await app.close()
  })

  test('it breathes while nothing comes, ends by itself for the reader to come again, and at once when the server closes', async () => {
    const { app, url } = await serve({ pollMs: 20, heartbeatMs: 60, endsAfterMs: 2_000 })
    const headers = await as('hal')
    const short = await follow(url, headers)
    await short.done
    expect(short.seen.text.match(/^: /gm)?.length).toBeGreaterThanOrEqual(2)
    await app.close()

    const closing = await serve({ pollMs: 20 })
    const long = await follow(closing.url, headers)
    await vi.waitFor(() => expect(long.seen.text).toContain('retry: '), soon)
    const began = Date.now()
    await closing.app.close()
    await long.done
    expect(long.seen.ended).toBe(true)
    expect(Date.now() - began).toBeLessThan(3_000)
  })

  test('nothing is looked for while its reader takes nothing, nor once the reader is gone', async () => {
    let asked = 0
    const gone = new AbortController()
    const read = async () => {
      asked++
      return []
    }
    const times = { pollMs: 5, heartbeatMs: 20, endsAfterMs: 60_000 }
    const events = notificationEvents(0, read, times, gone.signal)
    await events.next()
    await sleep(50)
    expect(asked).toBe(0)
    expect((await events.next()).value).toMatch(/^: /)
    expect(asked).toBeGreaterThan(0)
    const waiting = events.next()
    gone.abort()
    expect(await waiting).toMatchObject({ done: true })
  })

  test('400: an event that is none, or is of another person', async () => {
    const headers = await as('jan')
    const id = (await list(await as('fay'))).notifications[0].id
    for (const last of ['7', id]) {
      const answer = await assay.call('GET', `${base}/notifications/stream`, undefined, {
        ...headers,
        'last-event-id': last,
      })
      expectSamplesForm(answer, 400, 'INVALID_REQUEST', 'last-event-id')
    }
  })
})

test('a key that is revoked reads on no longer than five seconds, though its stream is open', async () => {
  const base = `/api/workspace/${workspace}`
  const { key, secret } = (
    await assay.call('POST', `${base}/keys`, { name: 'Ears', scopes: ['jobs:read'], brand_id: null })
  ).body
  const ports = serverPorts(assay.system)
  const app = await buildServer({ ...ports, logger: null, streams: { endsAfterMs: 20_000, pollMs: 100 } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const answer = await fetch(`http://127.0.0.1:${port}${base}/notifications/stream`, {
    headers: { 'x-api-key': secret },
  })
  expect(answer.status).toBe(200)
  await assay.call('DELETE', `${base}/keys/${key.id}`)
  const began = Date.now()
  await answer.text()
  expect(Date.now() - began).toBeLessThan(6_500)
  await app.close()
}, 20_000)
