import { setTimeout as sleep } from 'node:timers/promises'
import kafkajs from 'kafkajs'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ensureWorkspace } from '../../infra/catalog/tenants.ts'
import { startInbound } from '../../infra/system/inbound.ts'
import { largestMessageBytes } from '../../schemas/inbound.ts'
import { topics } from '../../schemas/topics.ts'
import { allLanes } from '../infra/system/all-lanes.ts'
import { type Running, startAssay } from '../running.ts'
import { loseAnswer } from './cut-off.ts'
import { onKafka, startsWithinMs } from './on-kafka.ts'
import { password } from './secure-listener.ts'
import { type SharedBroker, sharedBroker } from './shared-broker.ts'

const {
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  CompressionTypes,
  Kafka,
  logLevel,
  ResourcePatternTypes,
} = kafkajs
vi.setConfig({ testTimeout: 60_000 })

interface Said {
  readonly key?: string | Buffer | null
  readonly value: unknown
  readonly headers?: Record<string, string>
}

onKafka('a topic of tenants', () => {
  let broker: SharedBroker
  let assay: Running
  beforeAll(async () => {
    broker = await sharedBroker()
    assay = await startAssay({
      KAFKA_BROKERS: broker.addresses,
      ASSAY_KAFKA_PREFIX: broker.prefix,
      ASSAY_KAFKA_SESSION_MS: '2000',
    })
  }, startsWithinMs)
  afterAll(async () => {
    await assay?.close()
  })

  const client = () =>
    new Kafka({ clientId: 'operator', brokers: broker.addresses.split(','), logLevel: logLevel.NOTHING })
  const asTenant = () =>
    new Kafka({
      ...{ clientId: 'tenant', brokers: [broker.secure.address], logLevel: logLevel.NOTHING, retry: { retries: 0 } },
      ssl: { ca: [broker.secure.ca] },
      sasl: { mechanism: 'plain', username: 'mugs', password },
    })

  let count = 0
  let id: string
  let catalog: string
  let topic: string
  beforeEach(async () => {
    id = `ws_tenant${++count}`
    await ensureWorkspace(assay.system.catalog.pipeline, id, 'Tenant')
    catalog = (await ask('POST', '/catalogs', { name: 'Inbound' })).body.catalog.id
    const made = await ask('PUT', '/inbound', { partitions: 2 })
    expect(made).toMatchObject({ status: 200, body: { partitions: 2 } })
    topic = made.body.topic
  })
  const ask = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown) =>
    assay.call(method, `/api/workspace/${id}${path}`, body, {
      authorization: `Bearer ${await assay.token('admin', { workspace: id })}`,
    })
  async function send(said: readonly Said[], from = client(), to = topic) {
    const producer = from.producer()
    await producer.connect()
    try {
      const messages = said.map(({ key = null, value, headers }) => ({
        ...{ key, partition: 0, headers: { 'assay-catalog': catalog, ...headers } },
        value: typeof value === 'string' || value === null ? value : JSON.stringify({ v: 1, product: value }),
      }))
      await producer.send({ topic: to, messages })
    } finally {
      await producer.disconnect()
    }
  }
  const position = async () => {
    const { rows } = await assay.system.catalog.pipeline.query<{ next: number }>(
      `select next_offset as next from sink_position where consumer_group = 'inbound' and topic = $1 and partition = 0
        order by epoch desc limit 1`,
      [`inbound.${id}`],
    )
    return rows[0]?.next ?? 0
  }
  async function resolved(next: number) {
    for (const until = Date.now() + 30_000; (await position()) < next && Date.now() < until; ) await sleep(20)
    const { pipeline } = assay.system.catalog
    const unsent = `select 1 from unsent where workspace_id = $1 and payload is not null`
    while ((await pipeline.query(unsent, [id])).rows.length > 0) await sleep(20)
    expect(await position()).toBe(next)
    await assay.system.bulk.settled()
  }
  const products = async () =>
    (await ask('GET', `/catalog/products?limit=200&catalog_id=${catalog}`)).body.products
      .map(({ sku, title }: { sku: string; title: string }) => `${sku} ${title}`)
      .sort()
  const counted = async () => {
    const sql = `select sum(created)::int as created, sum(updated)::int as updated, sum(unchanged)::int as unchanged
      from import_outcome where workspace_id = $1`
    return (await assay.system.catalog.pipeline.query(sql, [id])).rows[0]
  }

  test('is made once, and its name is told with the prefix', async () => {
    expect(topic).toBe(`${broker.prefix}inbound.${id}`)
    expect((await ask('GET', '/inbound')).body.topic).toBe(topic)
    expect((await ask('PUT', '/inbound', { partitions: 5 })).body).toEqual({ topic, partitions: 2 })
    expect((await ask('PUT', '/inbound', { partitions: 0 })).status).toBe(400)
  })

  test("takes a plain client's records; foreign, unreadable and too large ones are dead with reason and offset (KF-47)", async () => {
    await send([
      { value: { sku: 'A-1', title: 'Mug' } },
      { value: { sku: 'A-2', title: 'Theirs' }, headers: { 'assay-workspace': 'ws_other' } },
      { value: '{"', key: 'torn' },
      { value: { sku: 'A-3', title: 'Book', description: 'x'.repeat(largestMessageBytes) } },
      { value: { title: 'Any' }, key: Buffer.from([0xff, 0xfe]) },
      { value: { sku: 'A-4', title: 'Jug' }, headers: { 'assay-workspace': id, traceparent: '00-1-2-03' } },
    ])
    await resolved(6)
    expect(await products()).toEqual(['A-1 Mug', 'A-4 Jug'])
    const { body } = await ask('GET', '/dead-letters')
    const found = body.deadLetters.map((one: Record<string, never>) => [one.position, one.kind, one.attempts]).reverse()
    const at = (offset: number) => ({ epoch: 0, partition: 0, offset })
    expect(found).toEqual([
      [at(1), 'wrong_workspace', 1],
      [at(2), 'not_json', 1],
      [at(3), 'too_large', 1],
      [at(4), 'invalid_record', 1],
    ])
    const torn = await ask('GET', `/dead-letters/${body.deadLetters[2].id}`)
    expect(torn.body).toMatchObject({ deadLetter: { topic: `inbound.${id}`, key: 'torn' }, attempts: [{ attempt: 1 }] })
  })

  const cutOff = (meanwhile?: () => Promise<void>) => loseAnswer(assay, 'topic:inbound', meanwhile)

  test('is cut off between append and acknowledgement: what it sends again has its effect once, and an edit since stays', async () => {
    const cut = cutOff(async () => {
      const { body } = await ask('GET', `/catalog/products?catalog_id=${catalog}&sku=A-1`)
      const edited = await ask('PATCH', `/catalog/products/${body.products[0].id}`, { title: 'Edited' })
      expect(edited.status).toBe(200)
    })
    await send([
      { value: { sku: 'A-1', title: 'One' } },
      { value: '[]' },
      { value: { sku: 'A-1', title: 'Two' } },
      { value: { sku: 'A-2', title: 'Three' } },
    ])
    await resolved(4)
    expect(cut.happened).toBe(true)
    expect(await products()).toEqual(['A-1 Edited', 'A-2 Three'])
    expect(await counted()).toEqual({ created: 2, updated: 1, unchanged: 0 })
    expect((await ask('GET', '/dead-letters')).body.deadLetters).toHaveLength(1)
  })

  test('is cut off, and what was sent is sent again as it was, though its catalog is gone by then', async () => {
    const { pipeline } = assay.system.catalog
    const cut = cutOff(async () => {
      await pipeline.query('update catalog set deleted_at = now() where catalog_id = $1', [catalog])
    })
    await send([{ value: { sku: 'A-1', title: 'One' } }, { value: { sku: 'A-2', title: 'Two' } }])
    await resolved(2)
    expect(cut.happened).toBe(true)
    await pipeline.query('update catalog set deleted_at = null where catalog_id = $1', [catalog])
    expect(await products()).toEqual(['A-1 One', 'A-2 Two'])
    expect(await counted()).toEqual({ created: 2, updated: 0, unchanged: 0 })
    expect((await ask('GET', '/dead-letters')).body.deadLetters).toEqual([])
  })

  test('withdraws what a key without a value names; an empty value is none that could be read', async () => {
    const named = (key: string) => ({ key, value: { sku: key, title: 'Mug' } })
    await send([named('A-1'), named('A-2'), { key: 'A-1', value: '' }, { key: 'A-2', value: null }])
    await resolved(4)
    expect(await products()).toEqual(['A-1 Mug'])
    const { body } = await ask('GET', '/dead-letters')
    expect(body.deadLetters).toMatchObject([{ kind: 'not_json', position: { offset: 2 } }])
  })

  test('is read by several at once, of which each message has one: the others write nothing', async () => {
    const { catalog: store, log, inbound, bulk } = assay.system
    const errors: unknown[] = []
    const parts = {
      catalog: store,
      log,
      inbound,
      bulk,
      share: allLanes,
      onError: (error: unknown) => errors.push(error),
    }
    const more = [startInbound(parts), startInbound(parts)]
    try {
      await send(Array.from({ length: 600 }, (_, i) => ({ value: { sku: `A-${i % 150}`, title: `Mug ${i}` } })))
      await resolved(600)
    } finally {
      await Promise.all(more.map((one) => one.leave()))
    }
    expect(await products()).toHaveLength(150)
    const { created, updated, unchanged } = await counted()
    expect([created, created + updated + unchanged]).toEqual([150, 600])
  })

  test('is written to in transactions: what was aborted was never said', async () => {
    const producer = client().producer({ transactionalId: id, maxInFlightRequests: 1, idempotent: true })
    await producer.connect()
    const write = async (sku: string, end: 'commit' | 'abort') => {
      const transaction = await producer.transaction()
      const value = JSON.stringify({ v: 1, product: { sku, title: end } })
      await transaction.send({ topic, messages: [{ partition: 0, value, headers: { 'assay-catalog': catalog } }] })
      await transaction[end]()
    }
    await write('A-1', 'abort')
    await write('A-2', 'commit')
    await write('A-3', 'abort')
    await write('A-4', 'abort')
    await producer.disconnect()
    await send([{ value: { sku: 'A-5', title: 'plain' } }])
    await resolved(9)
    expect(await products()).toEqual(['A-2 commit', 'A-5 plain'])
    expect((await ask('GET', '/dead-letters')).body.deadLetters).toEqual([])
  })

  test('takes what is packed, but nothing that unpacks to more than a batch may have', async () => {
    const producer = client().producer()
    await producer.connect()
    const packed = (title: string) => {
      const value = JSON.stringify({ v: 1, product: { sku: 'A-1', title } })
      const messages = [{ partition: 0, value, headers: { 'assay-catalog': catalog } }]
      return producer.send({ topic, compression: CompressionTypes.GZIP, messages })
    }
    await expect(packed('x'.repeat(20_000_000))).rejects.toThrow(/max message size/)
    await packed('Mug')
    await producer.disconnect()
    await resolved(1)
    expect(await products()).toEqual(['A-1 Mug'])
  })

  test('is deleted and made anew: what is written to it then is other messages', async () => {
    await send([{ value: { sku: 'A-1', title: 'One' } }, { value: '[]' }])
    await resolved(2)
    const admin = client().admin()
    await admin.connect()
    await admin.deleteTopics({ topics: [topic] })
    while ((await admin.listTopics()).includes(topic)) await sleep(50)
    await admin.disconnect()
    expect((await ask('PUT', '/inbound', { partitions: 2 })).status).toBe(200)
    await send([{ value: { sku: 'A-1', title: 'Two' } }, { value: '{' }, { value: { sku: 'A-2', title: 'Three' } }])
    await resolved(3)
    expect(await products()).toEqual(['A-1 Two', 'A-2 Three'])
    const { body } = await ask('GET', '/dead-letters')
    expect(body.deadLetters.map((one: { position: object }) => one.position)).toEqual([
      { epoch: 1, partition: 0, offset: 1 },
      { epoch: 0, partition: 0, offset: 1 },
    ])
  })

  test('takes records of whom the operator lets write to it, and of nobody else', async () => {
    const theirs = topic
    const admin = client().admin()
    await admin.connect()
    const of = { resourceType: AclResourceTypes.TOPIC, resourceName: theirs, principal: 'User:mugs', host: '*' }
    const allowed = {
      ...of,
      permissionType: AclPermissionTypes.ALLOW,
      resourcePatternType: ResourcePatternTypes.LITERAL,
    }
    await admin.createAcls({ acl: [{ ...allowed, operation: AclOperationTypes.WRITE }] })
    await admin.disconnect()
    await send([{ value: { sku: 'A-1', title: 'Mug' } }], asTenant())
    await resolved(1)
    expect(await products()).toEqual(['A-1 Mug'])

    id = `ws_tenant${++count}`
    await ensureWorkspace(assay.system.catalog.pipeline, id, 'Another')
    const other = (await ask('PUT', '/inbound', {})).body.topic
    for (const to of [other, `${broker.prefix}${topics.bronze}`])
      await expect(send([{ value: { sku: 'A-9', title: 'Not theirs' } }], asTenant(), to)).rejects.toThrow(
        /not authorized/i,
      )
  })
})
