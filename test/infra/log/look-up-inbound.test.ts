import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inboundEpoch } from '../../../infra/catalog/inbound-queries.ts'
import { LogRefused } from '../../../infra/log/kafka-errors.ts'
import { lookUpInbound, type Places } from '../../../infra/log/look-up-inbound.ts'
import { type Running, startAssay } from '../../running.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

const record = { partition: 0, offset: 3, key: 'A-1', value: Buffer.from('{') }
const read = async () => [record]
const find = async () => ({ id: 'of-kafka', partitions: 1 })
const places: Places = { embedded: async () => [], tenants: { find, read } }

/** A topic of which the first epoch was embedded, the second on brokers. */
async function moved() {
  const { pipeline } = assay.system.catalog
  const topic = `inbound.ws_${randomUUID().replaceAll('-', '')}`
  await inboundEpoch(pipeline, topic, 'postgres')
  await inboundEpoch(pipeline, topic, 'of-kafka')
  return (epoch: number, where: Places) => lookUpInbound(pipeline, { topic, epoch, partition: 0, offset: 3 }, where)
}

test('a message is read where its topic lay in its epoch', async () => {
  const of = await moved()
  expect(await of(1, places)).toEqual({ records: [record] })
  expect(await of(0, { embedded: read, tenants: null })).toEqual({ records: [record] })
})

test('what is not to be had is told with its reason, each with its own', async () => {
  const of = await moved()
  const refused = async () => {
    throw new LogRefused('no rights')
  }
  const told = [
    await of(0, places),
    await of(1, { ...places, tenants: null }),
    await of(1, { ...places, tenants: { read, find: async () => ({ id: 'another', partitions: 1 }) } }),
    await of(1, { ...places, tenants: { read: refused, find } }),
    await of(2, places),
  ]
  expect(told).toEqual([
    { missing: 'the log no longer has it' },
    { missing: 'it is on brokers that are not named here; set KAFKA_BROKERS' },
    { missing: 'its topic was deleted on the brokers, or made anew, or these are other brokers' },
    { missing: 'it cannot be read: no rights' },
    { missing: 'nothing is known of where its topic was' },
  ])
})

test('looking gives no topic a number: the next epoch is whose messages come next', async () => {
  const of = await moved()
  const count = async () => (await assay.system.catalog.pipeline.query('select from inbound_topic')).rowCount
  const before = await count()
  await of(7, places)
  expect(await count()).toBe(before)
})
