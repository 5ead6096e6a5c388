import { randomBytes, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openCatalog } from '../../../infra/catalog/postgres.ts'
import { sendAgain } from '../../../infra/catalog/webhook-turns.ts'
import { endSecret, insertSecret, updateWebhook } from '../../../infra/catalog/webhooks.ts'
import { openSealing } from '../../../infra/seal.ts'
import { sealAnew } from '../../../infra/system/seal-anew.ts'
import { tellEvents } from '../../../infra/system/telling.ts'
import { retryAfterMs } from '../../../schemas/webhook.ts'
import { isSigned } from '../../../serving/webhooks/sign.ts'
import { type Receiver, receiver, type WebhookGround, webhookGround } from './webhook-ground.ts'

let ground: WebhookGround
const open: Receiver[] = []
beforeAll(async () => {
  ground = await webhookGround()
})
beforeEach(async () => {
  for (const one of open.splice(0)) await one.close()
  await ground.pool.query('delete from webhook')
  ground.errors.length = 0
})
afterAll(async () => {
  for (const one of open) await one.close()
  await ground.close()
})

async function listening(...answer: Parameters<typeof receiver>): Promise<Receiver> {
  const one = await receiver(...answer)
  open.push(one)
  return one
}
const status = (code: number) => (reply: Parameters<NonNullable<Parameters<typeof receiver>[0]>>[0]) =>
  reply.writeHead(code).end('what the receiver says')
const mails = async () =>
  (await ground.pool.query('select recipient, subject, body, job_id from mail order by recipient')).rows
const sql = (text: string, ...values: unknown[]) => ground.pool.query(text, values)

describe('an event', () => {
  test('is sent to whoever wants it, once, signed in both ways, with its place in the order', async () => {
    const host = await listening()
    const wanted = await ground.webhook(`${host.url}/wanted`, { events: ['job.completed', 'job.failed'] })
    await ground.webhook(`${host.url}/other-event`, { events: ['import.held'] })
    await ground.webhook(`${host.url}/feed`, { events: ['feed.generated'], platform: 'google' })
    const told = { title: 'Ünïcode 🧦 \u2028', job_id: randomUUID() }
    await ground.happen('job.completed', told, { position: '7' })
    await ground.happen('job.failed', {})
    await ground.deliverer().idle()
    expect(host.received.map(({ path }) => path)).toEqual(['/wanted', '/wanted'])
    const [{ headers, body }, second] = host.received as [(typeof host.received)[0], (typeof host.received)[0]]
    expect(JSON.parse(body)).toMatchObject({
      type: 'job.completed',
      workspace_id: ground.workspace,
      brand_id: ground.brand,
      data: told,
    })
    expect(isSigned(ground.secret, Buffer.from(body), String(headers['x-service-signature']))).toBe(true)
    expect(new Webhook(ground.secret, { format: 'raw' }).verify(body, headers as Record<string, string>)).toEqual(
      JSON.parse(body),
    )
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'job.completed',
      'x-service-sequence': '1',
      'x-service-position': '7',
    })
    expect(second.headers).toMatchObject({ 'x-service-event': 'job.failed', 'x-service-sequence': '2' })
    expect(second.headers).not.toHaveProperty('x-service-position')
    expect(second.headers['webhook-id']).not.toBe(headers['webhook-id'])
    expect(await ground.states(wanted.id)).toEqual([
      { sequence: 1, state: 'delivered', attempts: 1 },
      { sequence: 2, state: 'delivered', attempts: 1 },
    ])
  })

  test("of a feed is the contract's payload and nothing else, in its order", async () => {
    const host = await listening()
    await ground.webhook(host.url, { events: ['feed.generated'], platform: 'google' })
    const payload = {
      event: 'feed.generated',
      workspace_id: ground.workspace,
      platform: 'google',
      feed_url: 'https://assay.example/api/v1/feeds/google?catalog_id=a&b',
      product_count: 2,
      generated_at: '2026-11-29T10:00:00.000Z',
    }
    await ground.happen('feed.generated', payload, { platform: 'google', position: '3' })
    await ground.deliverer().idle()
    expect(host.received.map(({ body }) => body)).toEqual([JSON.stringify(payload)])
  })

  test('of another brand, or from before the webhook was made, is none of its own', async () => {
    const host = await listening()
    const other = randomUUID()
    await sql('insert into brand (brand_id, workspace_id, name) values ($1, $2, $3)', other, ground.workspace, other)
    await sql(
      `insert into outbox (subscription, kind, cause, workspace_id, brand_id, body, created_at)
       values ('*', 'job.completed', $1, $2, $3, '{}', now() - interval '1 minute')`,
      randomUUID(),
      ground.workspace,
      ground.brand,
    )
    await ground.webhook(host.url)
    await ground.happen('job.completed', {}, { of: other })
    await ground.deliverer().idle()
    expect(host.received).toEqual([])
  })

  test('that two tell at once is told once', async () => {
    const host = await listening()
    const { id } = await ground.webhook(host.url)
    for (let i = 0; i < 20; i++)
      await sql(
        `insert into outbox (subscription, kind, cause, workspace_id, brand_id, body) values ('*', 'job.completed', $1, $2, $3, $4)`,
        ...[randomUUID(), ground.workspace, ground.brand, JSON.stringify({ i })],
      )
    await Promise.all(Array.from({ length: 6 }, () => tellEvents(ground.catalog, ground.now)))
    while (await tellEvents(ground.catalog, ground.now));
    await ground.deliverer().idle()
    expect(host.received.map(({ body }) => JSON.parse(body).data.i)).toEqual(Array.from({ length: 20 }, (_, i) => i))
    expect((await ground.states(id)).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    )
  })
})

describe('KF-38: what counts as a failed delivery', () => {
  test('(a) a redirect fails and is not followed; (b) 204 succeeds', async () => {
    const host = await listening((reply, path) =>
      path === '/a' ? reply.writeHead(302, { location: '/elsewhere' }).end() : reply.writeHead(204).end(),
    )
    const [a, b] = [await ground.webhook(`${host.url}/a`), await ground.webhook(`${host.url}/b`)]
    await ground.happen()
    await ground.deliverer().idle()
    expect(host.received.map(({ path }) => path).sort()).toEqual(['/a', '/b'])
    expect(await ground.states(a.id)).toEqual([{ sequence: 1, state: 'waiting', attempts: 1 }])
    expect(await ground.states(b.id)).toEqual([{ sequence: 1, state: 'delivered', attempts: 1 }])
  })

  test('(c) an answer that comes too late fails; the retry is the same body under the same id', async () => {
    const host = await listening((reply, _, nth) => {
      if (nth > 1) reply.writeHead(200).end()
      else setTimeout(() => reply.writeHead(200).end(), 600).unref()
    })
    const { id } = await ground.webhook(host.url)
    await ground.happen()
    const deliverer = ground.deliverer({ acknowledgedWithinMs: 200 })
    await deliverer.idle()
    expect(await ground.states(id)).toEqual([{ sequence: 1, state: 'waiting', attempts: 1 }])
    const failed = await sql(
      'select code from webhook_attempt a join webhook_delivery d using (delivery_id) where d.webhook_id = $1',
      id,
    )
    expect(failed.rows).toEqual([{ code: 'timeout' }])
    ground.pass(retryAfterMs[0])
    await deliverer.idle()
    const [first, again] = host.received
    expect(again?.body).toBe(first?.body)
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(Number(again?.headers['webhook-timestamp'])).toBeGreaterThan(Number(first?.headers['webhook-timestamp']))
    expect(again?.headers['x-service-attempt']).toBe('2')
    expect(await ground.states(id)).toEqual([{ sequence: 1, state: 'delivered', attempts: 2 }])
  })

  test('the limit is ten seconds of real time', { timeout: 30_000 }, async () => {
    const host = await listening((reply) => void setTimeout(() => reply.writeHead(200).end(), 11_000).unref())
    const { id } = await ground.webhook(host.url)
    await ground.happen()
    await ground.deliverer().idle()
    const { rows } = await sql(
      'select code, ms from webhook_attempt a join webhook_delivery d using (delivery_id) where d.webhook_id = $1',
      id,
    )
    expect(rows).toEqual([{ code: 'timeout', ms: expect.any(Number) }])
    expect(rows[0].ms).toBeGreaterThanOrEqual(9_900)
    expect(rows[0].ms).toBeLessThan(11_000)
  })

  test('an acknowledgement counts whatever its body is: endless, packed in an unknown way, or said to be huge', async () => {
    const host = await listening((reply, path) => {
      if (path === '/endless') reply.writeHead(200).write('begins')
      if (path === '/packed') reply.writeHead(200, { 'content-encoding': 'zstd' }).end('?')
      if (path === '/huge') reply.writeHead(200, { 'content-length': '999999999999' }).write('x'.repeat(5_000))
    })
    const ids = []
    for (const path of ['/endless', '/packed', '/huge']) ids.push((await ground.webhook(`${host.url}${path}`)).id)
    await ground.happen()
    await ground.deliverer().idle()
    for (const id of ids) expect(await ground.states(id)).toEqual([{ sequence: 1, state: 'delivered', attempts: 1 }])
    const { rows } = await sql(
      'select length(answer) as n from webhook_attempt a join webhook_delivery d using (delivery_id) where d.webhook_id = $1',
      ids[2],
    )
    expect(rows).toEqual([{ n: 1_024 }])
  })

  test('(d) four failures and a success leave it active, and the next failure is its first', async () => {
    const host = await listening((reply, _, nth) => reply.writeHead(nth === 5 ? 200 : 500).end())
    const { id } = await ground.webhook(host.url)
    await ground.happen()
    const deliverer = ground.deliverer()
    await deliverer.idle()
    for (const ms of retryAfterMs.slice(0, 4)) {
      ground.pass(ms)
      await deliverer.idle()
    }
    expect(await ground.states(id)).toEqual([{ sequence: 1, state: 'delivered', attempts: 5 }])
    await ground.happen()
    await deliverer.idle()
    expect(await ground.find(id)).toEqual({ state: 'active', reason: null })
    ground.pass(retryAfterMs[0] - 1_000)
    await deliverer.idle()
    expect(host.received).toHaveLength(6)
    ground.pass(1_000)
    await deliverer.idle()
    expect(host.received).toHaveLength(7)
  })

  test('(e) a receiver that fails for ever is tried at once and after 1 min, 5 min, 30 min, 2 h and 8 h; then nothing more is sent, and a mail says why', async () => {
    await sql(
      `insert into member (workspace_id, subject, email, role, all_brands, created_by)
       values ($1, 'ada', 'ada@shop.example', 'admin', true, 'test'), ($1, 'bob', 'bob@shop.example', 'owner', true, 'test')`,
      ground.workspace,
    )
    const host = await listening(status(500))
    const { id } = await ground.webhook(`${host.url}/hook?token=hidden`)
    await ground.happen('job.completed', { n: 1 })
    await ground.happen('job.completed', { n: 2 })
    const deliverer = ground.deliverer()
    await deliverer.idle()
    const minutes = [1, 5, 30, 120, 480]
    for (const [i, each] of minutes.entries()) {
      expect(host.received).toHaveLength(i + 1)
      ground.pass(each * 60_000 - 2_000)
      await deliverer.idle()
      expect(host.received).toHaveLength(i + 1)
      ground.pass(2_000)
      await deliverer.idle()
    }
    expect(host.received).toHaveLength(6)
    expect(new Set(host.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(await ground.find(id)).toEqual({ state: 'inactive', reason: 'failed' })
    expect(await ground.states(id)).toEqual([
      { sequence: 1, state: 'failed', attempts: 6 },
      { sequence: 2, state: 'missed', attempts: 0 },
    ])
    await ground.happen('job.completed', { n: 3 })
    ground.pass(48 * 3_600_000)
    await deliverer.idle()
    expect(host.received).toHaveLength(6)
    // To who made it alone, and with nothing of what may be a secret in the address.
    expect(await mails()).toEqual([
      {
        recipient: 'ada@shop.example',
        subject: 'A webhook is inactive',
        body: expect.stringContaining('answered 500'),
        job_id: null,
      },
    ])
    expect(JSON.stringify(await mails())).not.toContain('hidden')
    const { rows } = await sql('select subject, kind, title from notification')
    expect(rows).toEqual([{ subject: 'ada', kind: 'webhook.inactive', title: 'A webhook is inactive' }])

    // By hand: what comes from then on, and of what was missed what is asked for, in order.
    await ground.catalog.inTransaction(ground.pool, (tx) => updateWebhook(tx, id, { active: true }))
    const back = await listening()
    await sql('update webhook set url = $2 where webhook_id = $1', id, back.url)
    await ground.happen('job.completed', { n: 4 })
    await deliverer.idle()
    expect(back.received.map(({ body }) => JSON.parse(body).data.n)).toEqual([4])
    const again = await ground.catalog.inTransaction(ground.pool, (tx) =>
      sendAgain(tx, id, { from: 1, to: 3 }, ground.now()),
    )
    await deliverer.idle()
    expect(again).toBe(3)
    expect(back.received.map(({ body }) => JSON.parse(body).data.n)).toEqual([4, 1, 2, 3])
    expect(back.received[1]?.headers['webhook-id']).toBe(host.received[0]?.headers['webhook-id'])
    expect((await ground.states(id)).map(({ state }) => state)).toEqual(Array(4).fill('delivered'))
  })

  test('without an address of who made it the owners are told by mail', async () => {
    await sql('delete from mail')
    await sql(`delete from member where subject = 'ada'`)
    const host = await listening(status(410))
    const { id } = await ground.webhook(host.url)
    await ground.happen()
    await ground.deliverer().idle()
    // 410 ends it at once.
    expect(await ground.find(id)).toEqual({ state: 'inactive', reason: 'gone' })
    expect(host.received).toHaveLength(1)
    expect((await mails()).map(({ recipient }) => recipient)).toEqual(['bob@shop.example'])
  })
})

test('order: what waits behind a failure is not sent before it', async () => {
  const host = await listening((reply, _, nth) => reply.writeHead(nth === 1 ? 503 : 200).end())
  const { id } = await ground.webhook(host.url)
  for (const n of [1, 2, 3]) await ground.happen('job.completed', { n })
  const deliverer = ground.deliverer()
  await deliverer.idle()
  await ground.happen('job.completed', { n: 4 })
  await deliverer.idle()
  expect(host.received).toHaveLength(1)
  ground.pass(retryAfterMs[0])
  await deliverer.idle()
  expect(host.received.map(({ body }) => JSON.parse(body).data.n)).toEqual([1, 1, 2, 3, 4])
  expect((await ground.states(id)).map(({ attempts }) => attempts)).toEqual([2, 1, 1, 1])
})

test('a webhook that is paused misses what waits, and a delivery that was under way is still noted', async () => {
  const gate = Promise.withResolvers<void>()
  const host = await listening((reply) => void gate.promise.then(() => reply.writeHead(200).end()))
  const { id } = await ground.webhook(host.url)
  for (const n of [1, 2]) await ground.happen('job.completed', { n })
  const deliverer = ground.deliverer()
  const all = deliverer.idle()
  await expect.poll(() => host.received.length).toBe(1)
  await ground.catalog.inTransaction(ground.pool, (tx) => updateWebhook(tx, id, { active: false }))
  gate.resolve()
  await all
  expect(await ground.states(id)).toEqual([
    { sequence: 1, state: 'delivered', attempts: 1 },
    { sequence: 2, state: 'missed', attempts: 0 },
  ])
  expect(await ground.find(id)).toEqual({ state: 'inactive', reason: 'paused' })
})

test('an event that is dealt while the one before it is being noted loses no turn', async () => {
  const host = await listening()
  const ids = []
  for (let i = 0; i < 40; i++) ids.push((await ground.webhook(`${host.url}/${i}`)).id)
  const deliverer = ground.deliverer()
  const events = 12
  for (let n = 0; n < events; n++) {
    await ground.happen('job.completed', { n })
    void deliverer.fill()
  }
  await deliverer.idle()
  expect(host.received).toHaveLength(ids.length * events)
})

test('a retry that was called off by a pause holds up nothing that happens after it', async () => {
  const host = await listening((reply, _, nth) => reply.writeHead(nth === 1 ? 500 : 200).end())
  const { id } = await ground.webhook(host.url)
  await ground.happen('job.completed', { n: 1 })
  const deliverer = ground.deliverer()
  await deliverer.idle()
  for (const active of [false, true])
    await ground.catalog.inTransaction(ground.pool, (tx) => updateWebhook(tx, id, { active }))
  await ground.happen('job.completed', { n: 2 })
  await deliverer.idle()
  expect(host.received.map(({ body }) => JSON.parse(body).data.n)).toEqual([1, 2])
})

test('a webhook that is deleted while it is asked is gone, and nobody is disturbed', async () => {
  const gate = Promise.withResolvers<void>()
  const host = await listening((reply) => void gate.promise.then(() => reply.writeHead(500).end()))
  const { id } = await ground.webhook(host.url)
  await ground.happen()
  const all = ground.deliverer().idle()
  await expect.poll(() => host.received.length).toBe(1)
  await sql('delete from webhook where webhook_id = $1', id)
  gate.resolve()
  await all
  expect(ground.errors).toEqual([])
  expect(await ground.states(id)).toEqual([])
})

describe('many', () => {
  const count = 1_000

  test('a thousand webhooks get each event once, and undelayed while a hundred receivers never answer and ten fail', {
    timeout: 120_000,
  }, async () => {
    const dead = await listening(() => {})
    const failing = await listening(status(500))
    const host = await listening()
    const of = randomUUID()
    await sql('insert into brand (brand_id, workspace_id, name) values ($1, $2, $3)', of, ground.workspace, of)
    for (let i = 0; i < count; i++) await ground.webhook(`${host.url}/${i}`, { of })
    // So long that the dead hold what they have got until the test is over.
    const deliverer = ground.deliverer({ acknowledgedWithinMs: 100_000, leaseMs: 200_000 })
    const happen = async (n: number, times: number) => {
      await ground.happen('job.completed', { n }, { of })
      const began = performance.now()
      void deliverer.idle().catch(() => {})
      await expect.poll(() => host.received.length, { timeout: 60_000, interval: 20 }).toBe(times * count)
      return performance.now() - began
    }
    const aloneMs = await happen(1, 1)
    for (let i = 0; i < 100; i++) await ground.webhook(`${dead.url}/${i}`, { of })
    for (let i = 0; i < 10; i++) await ground.webhook(`${failing.url}/${i}`, { of })
    const besideMs = await happen(2, 2)
    process.stdout.write(
      `${count} deliveries in ${Math.round(aloneMs)} ms, and in ${Math.round(besideMs)} ms beside a hundred dead receivers\n`,
    )
    expect(dead.received.length).toBeLessThanOrEqual(32)
    const seen = new Map<string, number[]>()
    for (const { path, body } of host.received) seen.set(path, [...(seen.get(path) ?? []), JSON.parse(body).data.n])
    expect(seen.size).toBe(count)
    for (const order of seen.values()) expect(order).toEqual([1, 2])
    await deliverer.stop()
  })

  test('three processes at once deliver each once, in order', { timeout: 60_000 }, async () => {
    const host = await listening()
    const ids = []
    for (let i = 0; i < 60; i++) ids.push((await ground.webhook(`${host.url}/${i}`)).id)
    for (let n = 0; n < 10; n++) await ground.happen('job.completed', { n })
    const others = [1, 2].map(() => openCatalog(ground.database.url, { maxConnections: 4 }))
    const all = [ground.catalog, ...others].map((on) => ground.deliverer({}, on))
    await Promise.all(all.map((one) => one.idle()))
    expect(host.received).toHaveLength(600)
    const seen = new Map<string, number[]>()
    for (const { path, body } of host.received) seen.set(path, [...(seen.get(path) ?? []), JSON.parse(body).data.n])
    for (const order of seen.values()) expect(order).toEqual(Array.from({ length: 10 }, (_, n) => n))
    for (const id of ids)
      expect((await ground.states(id)).every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(
        true,
      )
    await Promise.all(all.map((one) => one.stop()))
    await Promise.all(others.map((one) => one.close()))
  })

  test('one that died between sending and noting is followed when its claim has run out, under the same id', async () => {
    const host = await listening()
    const { id } = await ground.webhook(host.url)
    await ground.happen()
    const died = ground.deliverer({
      catalog: { ...ground.catalog, inTransaction: () => Promise.reject(new Error('killed')) },
    })
    await died.fill()
    await expect.poll(() => ground.errors.length).toBe(1)
    await died.stop()
    const other = ground.deliverer()
    await other.idle()
    expect(host.received).toHaveLength(1)
    ground.pass(31_000)
    await other.idle()
    expect(host.received).toHaveLength(2)
    expect(host.received[1]?.headers['webhook-id']).toBe(host.received[0]?.headers['webhook-id'])
    expect(host.received[1]?.body).toBe(host.received[0]?.body)
    expect(await ground.states(id)).toEqual([{ sequence: 1, state: 'delivered', attempts: 1 }])
  })

  test('one that is slower than its claim notes nothing, for another has the turn', async () => {
    const gate = Promise.withResolvers<void>()
    const host = await listening(
      (reply, _, nth) =>
        void (nth === 1 ? gate.promise.then(() => reply.writeHead(500).end()) : reply.writeHead(200).end()),
    )
    const { id } = await ground.webhook(host.url)
    await ground.happen()
    const slow = ground.deliverer().idle()
    await expect.poll(() => host.received.length).toBe(1)
    ground.pass(31_000)
    await ground.deliverer().idle()
    gate.resolve()
    await slow
    expect(await ground.states(id)).toEqual([{ sequence: 1, state: 'delivered', attempts: 1 }])
  })
})

describe('secrets', () => {
  test('while two overlap both sign, each header as it says; after that only the new one', async () => {
    const host = await listening()
    const row = await ground.webhook(host.url)
    await ground.catalog.inTransaction(ground.pool, async (tx) => {
      await endSecret(tx, row.id, 600)
      await insertSecret(tx, row, ground.sealing.seal('the-next-secret', row.id))
    })
    await sql(
      `update webhook_secret set until = $2 where webhook_id = $1 and until is not null`,
      row.id,
      new Date(ground.now().getTime() + 3_600_000),
    )
    await ground.happen()
    const deliverer = ground.deliverer()
    await deliverer.idle()
    ground.pass(3_600_001)
    await ground.happen()
    await deliverer.idle()
    const [during, after] = host.received as [(typeof host.received)[0], (typeof host.received)[0]]
    const signed = (secret: string, { body, headers }: typeof during, header: string) =>
      isSigned(secret, Buffer.from(body), String(headers[header]))
    expect(signed(ground.secret, during, 'x-service-signature')).toBe(true)
    expect(signed('the-next-secret', during, 'x-service-signature-next')).toBe(true)
    expect(String(during.headers['webhook-signature']).split(' ')).toHaveLength(2)
    expect(signed('the-next-secret', after, 'x-service-signature')).toBe(true)
    expect(after.headers).not.toHaveProperty('x-service-signature-next')
    expect(String(after.headers['webhook-signature']).split(' ')).toHaveLength(1)
  })

  test('under a key that this process lacks nothing is sent, and the attempt says so; sealed anew it is', async () => {
    const host = await listening()
    const { id } = await ground.webhook(host.url)
    await ground.happen()
    const [elsewhere, key] = [randomBytes(32), randomBytes(32)]
    const foreign = openSealing([elsewhere]).seal(ground.secret, id)
    await sql(
      'update webhook_secret set key_id = $2, sealed = $3 where webhook_id = $1',
      id,
      foreign.keyId,
      foreign.sealed,
    )
    await ground.deliverer().idle()
    expect(host.received).toEqual([])
    const { rows } = await sql(
      'select code, says from webhook_attempt a join webhook_delivery d using (delivery_id) where d.webhook_id = $1',
      id,
    )
    expect(rows).toEqual([{ code: 'sealed_secret', says: expect.stringContaining(foreign.keyId) }])
    const unknown: unknown[] = []
    await sealAnew(ground.pool, openSealing([key]), (error) => unknown.push(error))
    expect(String(unknown)).toContain(foreign.keyId)
    const present = openSealing([key, elsewhere])
    await sealAnew(ground.pool, present, (error) => unknown.push(error))
    expect(unknown).toHaveLength(1)
    const { rows: sealed } = await sql('select key_id from webhook_secret where webhook_id = $1', id)
    expect(sealed).toEqual([{ key_id: present.keyId }])
    ground.pass(retryAfterMs[0])
    await ground.deliverer({ sealing: openSealing([key]) }).idle()
    expect(
      isSigned(
        ground.secret,
        Buffer.from(host.received[0]?.body ?? ''),
        String(host.received[0]?.headers['x-service-signature']),
      ),
    ).toBe(true)
  })

  test('none stands in the database, in a delivery or in an attempt', async () => {
    const host = await listening(status(500))
    await ground.webhook(host.url)
    await ground.happen()
    await ground.deliverer().idle()
    for (const table of [
      'webhook',
      'webhook_secret',
      'webhook_event',
      'webhook_delivery',
      'webhook_attempt',
      'outbox',
      'mail',
      'notification',
    ]) {
      const { rows } = await sql(`select t::text as row from ${table} t`)
      for (const { row } of rows) {
        expect(row).not.toContain(ground.secret)
        expect(row).not.toContain(Buffer.from(ground.secret).toString('hex'))
      }
    }
  })
})
