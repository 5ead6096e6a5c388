import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type AssayFolder, assayFolder, demo } from '../../faults/assay-process.ts'
import { sentence } from './sentence.ts'

// Processes start and stop; on a busy machine each takes seconds.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let ground: AssayFolder
/** The same folder, once its log has been moved. */
let later: AssayFolder | undefined
beforeAll(async () => {
  ground = await assayFolder()
})
afterAll(async () => {
  await later?.clear()
  await ground.clear()
})

const base = `/api/workspace/${demo}`
const move = (...args: string[]) => ground.run(['migrate-log', ...args])

test('beside an Assay that lives it moves the log, and that one reads on and takes nothing new until it is started anew', async () => {
  const first = await ground.start()
  const sent = await first.call('POST', `${base}/datasets/ingest?source=one`, 'sku,title\nP-1,Mug\nP-2,Jar\n')
  expect(sent.status).toBe(202)
  const moved = await move('--to', 'postgres', '--partitions', '2')
  expect(moved, moved.err).toMatchObject({ code: 0, err: '' })
  expect(moved.out).toMatch(/^The log goes on in epoch 2, kept by postgres in 2 partitions\.$/m)
  expect(moved.out).toMatch(/^Start every Assay of this database anew, with ASSAY_LOG_PARTITIONS=2\.$/m)
  expect((await first.call('GET', `${base}/catalog/products`)).body.products).toHaveLength(2)
  await vi.waitFor(async () => {
    const refused = await first.call('POST', `${base}/catalog/products`, { title: 'Lamp', price: 9, sku: 'P-3' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  })
  first.signal('SIGTERM')
  expect(await first.ended).toBe(0)
})

test('where none lives it works off by itself what waits, and the next start goes on with all that was there', async () => {
  expect(sentence(await ground.run(['serve', '--no-sample']))).toMatch(
    /^The log is kept in 2 partitions; set ASSAY_LOG_PARTITIONS=2, or move the log with assay migrate-log --to postgres --partitions 4\.$/,
  )
  expect((await move('--to', 'postgres', '--partitions', '3')).code).toBe(0)
  later = await assayFolder(ground.folder, { ASSAY_LOG_PARTITIONS: '3' })
  const next = await later.start()
  const { body } = await next.call('GET', `${base}/catalog/products`)
  expect(body.products.map(({ sku }: { sku: string }) => sku).sort()).toEqual(['P-1', 'P-2'])
  expect((await next.call('POST', `${base}/catalog/products`, { title: 'Lamp', price: 9, sku: 'P-3' })).status).toBe(
    201,
  )
  next.signal('SIGTERM')
  expect(await next.ended).toBe(0)
})

describe('ends with 1 and one sentence on', () => {
  test.each<[string, string[], RegExp]>([
    ['no word of where to', [], /assay migrate-log --to kafka, or --to postgres/],
    ['an engine that there is not', ['--to', 'paper'], /assay migrate-log --to kafka, or --to postgres/],
    ['Kafka without brokers', ['--to', 'kafka'], /Set KAFKA_BROKERS/],
    ['no number of partitions', ['--to', 'postgres', '--partitions', 'many'], /--partitions takes a number/],
    ['the log that there is', ['--to', 'postgres', '--partitions', '3'], /in 3 partitions already/],
  ])('%s', async (_, args, says) => {
    expect(sentence(await move(...args))).toMatch(says)
  })
})
