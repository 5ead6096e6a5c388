import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { topics } from '../../schemas/topics.ts'
import { computeBatch } from '../../transforms/batch.ts'
import type { ProductStore } from '../../transforms/ports.ts'
import { products as topology } from '../../transforms/topology.ts'
import { storedAndRefolded } from '../ingest/refolded.ts'
import { digest, type LogAndSink, openLogAndSink, writer } from './log-and-sink.ts'

let sink: LogAndSink
beforeAll(async () => {
  sink = await openLogAndSink()
})
afterAll(() => sink.close())

let write: ReturnType<typeof writer>
let importId: string
beforeEach(() => {
  write = writer()
  importId = randomUUID()
})

const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => write.row(randomUUID(), importId, from + i, { title: `Mug ${from + i}` }))

async function batchOf(store: ProductStore, trusting = true) {
  const from = (await store.claim(0)) ?? 0
  const records = await sink.log.read(topics.bronze, 0, from, 1_000)
  return computeBatch(topology, 0, from, records, { store, digest, log: sink.log }, trusting)
}

async function revs(): Promise<number[]> {
  const sql = 'select rev from products where catalog_id = $1 order by rev'
  return (await sink.catalog.pipeline.query<{ rev: number }>(sql, [write.catalog])).rows.map(({ rev }) => rev)
}

async function expectWhole(products: number) {
  const { stored, refolded } = await storedAndRefolded(sink, write.catalog)
  expect(Object.keys(stored)).toHaveLength(products)
  expect(stored).toEqual(refolded)
}

test('a worker whose partition another has taken can commit nothing, and nothing is done twice (KF-46)', async () => {
  await sink.append(...rows(10))
  const [slow, quick] = [sink.store(), sink.store()]
  const inHand = await batchOf(slow)
  const taken = await batchOf(quick)
  expect(await slow.commit(inHand)).toBe('lost')
  expect(await revs()).toEqual([])
  expect(await quick.commit(taken)).toBe('done')
  expect(await slow.commit(inHand)).toBe('lost')
  expect(await quick.commit(taken)).toBe('lost')
  expect(await revs()).toEqual(new Array(10).fill(1))
  expect(await sink.results(importId)).toEqual({ created: 10, updated: 0, unchanged: 0, rejected: 0 })
})

test('two workers that take a partition from each other again and again do everything once', async () => {
  const [first, second] = [sink.store(), sink.store()]
  const commits: string[] = []
  const watched = (store: ProductStore): ProductStore => ({
    ...store,
    async commit(batch) {
      const outcome = await store.commit(batch)
      commits.push(outcome)
      return outcome
    },
  })
  const all = rows(60)
  await sink.append(...all.slice(0, 20))
  const both = Promise.all([sink.work(watched(first)), sink.work(watched(second))])
  await sink.append(...all.slice(20))
  await both
  await sink.work(first)
  expect(commits).toContain('done')
  expect(await revs()).toEqual(new Array(60).fill(1))
  expect(await sink.results(importId)).toEqual({ created: 60, updated: 0, unchanged: 0, rejected: 0 })
  await expectWhole(60)
})

test('a row that another writer has moved since it was read is read and computed again', async () => {
  const [one] = rows(1)
  if (!one) return
  await sink.append(one)
  await sink.work()
  await sink.append(write.edit(one.product, { title: 'Mug as edited' }))
  const own = sink.store()
  const outcomes: string[] = []
  await sink.work({
    ...own,
    async commit(batch) {
      // A job writes the row between this worker's reading and writing, twice.
      if (outcomes.length < 2)
        await sink.catalog.pipeline.query('update products set rev = rev + 1 where product_id = $1', [one.product])
      outcomes.push(await own.commit(batch))
      return outcomes.at(-1) as 'done'
    },
  })
  expect(outcomes).toEqual(['stale', 'stale', 'done'])
  expect(await revs()).toEqual([4])
  await expectWhole(1)
})

test('a record that calls its product new is not believed where the row exists', async () => {
  const product = randomUUID()
  const row = (seq: number, title: string) => write.row(product, importId, seq, { title }, { fresh: true })
  await sink.append(row(0, 'Mug'))
  await sink.work()
  await sink.append(row(1, 'Mug no. 2'))
  expect(await sink.store().commit(await batchOf(sink.store()))).toBe('lost')
  const store = sink.store()
  expect(await store.commit(await batchOf(store))).toBe('stale')
  await sink.work()
  expect(await sink.results(importId)).toEqual({ created: 1, updated: 1, unchanged: 0, rejected: 0 })
  expect(await revs()).toEqual([2])
  await expectWhole(1)
})

test('what an import appends again at higher offsets is neither applied nor counted, in the same batch or later', async () => {
  const all = rows(30)
  const [again, later] = [all.slice(5, 15), all.slice(10, 30)]
  await sink.append(...all.slice(0, 15), ...again)
  await sink.work()
  const touched = await revs()
  await sink.append(...later)
  await sink.work()
  await sink.append(...all)
  await sink.work()
  expect(touched).toEqual(new Array(15).fill(1))
  expect(await revs()).toEqual(new Array(30).fill(1))
  expect(await sink.results(importId)).toEqual({ created: 30, updated: 0, unchanged: 0, rejected: 0 })
  await expectWhole(30)
})

test('a store that is away for a while gives batches back, and everything is done once when it answers', async () => {
  const own = sink.store()
  const errors: unknown[] = []
  let away = 3
  await sink.append(...rows(5))
  await sink.work(
    {
      ...own,
      async commit(batch) {
        if (away-- > 0) throw Object.assign(new Error('connection lost'), { code: 'ECONNRESET' })
        return own.commit(batch)
      },
    },
    { onError: (error) => errors.push(error) },
  )
  expect(errors).toHaveLength(3)
  expect(await revs()).toEqual(new Array(5).fill(1))
})

test('a history that cannot be read stops the batch and buries nothing', async () => {
  const [one] = rows(1)
  if (!one) return
  await sink.append(one, write.undo(one.product, importId))
  const own = sink.store()
  let away = 2
  await sink.work({
    ...own,
    histories: async (...asked) => {
      if (away-- > 0) throw new Error('connection lost')
      return own.histories(...asked)
    },
  })
  const { rowCount } = await sink.catalog.pipeline.query('select 1 from dead_record')
  expect(rowCount).toBe(0)
  await expectWhole(1)
})
