import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { topics } from '../../schemas/topics.ts'
import { computeBatch } from '../../transforms/batch.ts'
import type { ProductStore, SinkBatch } from '../../transforms/ports.ts'
import { products as topology } from '../../transforms/topology.ts'
import { enough } from '../enough.ts'
import { storedAndRefolded } from '../ingest/refolded.ts'
import { differences } from '../verified.ts'
import { events, tell } from './any-story.ts'
import { digest, type LogAndSink, openLogAndSink, writer } from './log-and-sink.ts'

let sink: LogAndSink
beforeAll(async () => {
  sink = await openLogAndSink()
})
afterAll(() => sink.close())

/** Consumes what is new in batches of these many records; what is left is one more. */
async function consume(sizes: readonly number[], store: ProductStore = sink.store()): Promise<SinkBatch[]> {
  const batches: SinkBatch[] = []
  let next = (await store.claim(0)) ?? 0
  for (let i = 0; ; i++) {
    const records = await sink.log.read(topics.bronze, 0, next, sizes[i] ?? 1_000)
    if (records.length === 0) return batches
    const batch = await computeBatch(topology, 0, next, records, { store, digest, log: sink.log }, true)
    expect(await store.commit(batch)).toBe('done')
    batches.push(batch)
    next = batch.to
  }
}

/** Every cut of four records into batches. */
const cuts = [[4], [1, 3], [2, 2], [3, 1], [1, 1, 2], [1, 2, 1], [2, 1, 1], [1, 1, 1, 1]]

async function only(catalog: string) {
  const { stored, refolded } = await storedAndRefolded(sink, catalog)
  expect(stored).toEqual(refolded)
  const [told] = Object.values(stored)
  return told
}
const cellsOf = (told: Awaited<ReturnType<typeof only>>) =>
  Object.fromEntries((told?.layers.layers ?? []).map(({ source, live, cells }) => [source, live ? cells : null]))

describe.each(cuts)('in batches of %s, %s, %s, %s', (...sizes) => {
  const cut = sizes.filter((size) => size !== undefined)

  test('a record whose precondition fails is refused once, and left out when its product is folded anew', async () => {
    const { catalog, row, edit, undo } = writer()
    const [product, first] = [randomUUID(), randomUUID()]
    const at = await sink.position()
    await sink.append(
      edit(product, { title: 'Mug', brand: 'Lumo' }, { create: true, ifAbsent: true }),
      row(product, first, 0, { title: 'Mug of the file' }),
      edit(product, { title: 'never', brand: 'never' }, { ifRev: at }),
      undo(product, first),
    )
    const batches = await consume(cut)
    expect(batches.flatMap(({ refused }) => refused)).toMatchObject([
      { product, code: 'CONFLICT', position: { offset: at + 2 } },
    ])
    expect(cellsOf(await only(catalog))).toEqual({ api: { title: 'Mug', brand: 'Lumo' }, 'file:a': null })
    const { rows } = await sink.catalog.pipeline.query('select code from refused where product_id = $1', [product])
    expect(rows).toEqual([{ code: 'CONFLICT' }])
  })

  test('a second create is refused while the product is there, and is one when it was deleted', async () => {
    const { catalog, edit } = writer()
    const product = randomUUID()
    const create = (title: string) => edit(product, { title }, { create: true, ifAbsent: true })
    await sink.append(create('one'), create('two'), edit(product, { deleted: 'now' }), create('three'))
    expect((await consume(cut)).flatMap(({ refused }) => refused)).toMatchObject([{ code: 'DATA_003' }])
    expect(await only(catalog)).toMatchObject({ alive: true })
    expect(cellsOf(await only(catalog))).toMatchObject({ api: { title: 'three' } })
  })

  test('a record that nobody can read is dead, its neighbours are not, and a fold anew leaves it out', async () => {
    const { catalog, row, undo } = writer()
    const [product, first, second] = [randomUUID(), randomUUID(), randomUUID()]
    const poison = { ...row(product, second, 0, { title: 'never' }), v: 2 }
    await sink.append(
      row(product, first, 0, { title: 'Mug' }),
      { key: product, value: JSON.stringify(poison) },
      row(product, second, 1, { title: 'Cup' }),
      undo(product, second),
    )
    expect((await consume(cut)).flatMap(({ dead }) => dead)).toMatchObject([{ attempts: 1 }])
    expect(cellsOf(await only(catalog))).toEqual({ 'file:a': { title: 'Mug' } })
  })

  test('a record whose context is unknown is dead and counted as rejected, and its repeat is nothing', async () => {
    const { catalog, row, undo } = writer()
    const [product, first] = [randomUUID(), randomUUID()]
    const lost = row(product, first, 1, { title: 'never' }, { context: 999_999 })
    await sink.append(row(product, first, 0, { title: 'Mug' }), lost, lost, undo(product, randomUUID()))
    expect((await consume(cut)).flatMap(({ dead }) => dead)).toHaveLength(1)
    expect(await sink.results(first)).toEqual({ created: 1, updated: 0, unchanged: 0, rejected: 1 })
    expect(cellsOf(await only(catalog))).toEqual({ 'file:a': { title: 'Mug' } })
  })

  test('records that an import appends again are neither applied nor counted, not even after an edit', async () => {
    const { catalog, row, edit, undo } = writer()
    const [product, first] = [randomUUID(), randomUUID()]
    const said = row(product, first, 0, { title: 'Mug', brand: 'Lumo' }, { source: 'api' })
    await sink.append(said, edit(product, { title: 'Mug as edited' }), said, undo(product, randomUUID()))
    await consume(cut)
    expect(await sink.results(first)).toMatchObject({ unchanged: 0, updated: 0, rejected: 0 })
    expect(await sink.rowsOf(first)).toEqual([{ row: 1, result: 'created' }])
    expect(cellsOf(await only(catalog))).toEqual({ api: { title: 'Mug as edited', brand: 'Lumo' } })
  })
})

test('undo of a record that was never there is dead, once a product, and counts in no import', async () => {
  const { undo } = writer()
  const none = randomUUID()
  await sink.append(undo(randomUUID(), none), undo(randomUUID(), none))
  for (const size of [[1], [1]]) await consume(size)
  const { rows } = await sink.catalog.pipeline.query('select 1 from import_outcome where import_id = $1', [none])
  expect(rows).toEqual([])
})

test('histories of many products are read at once, however many undos a batch has', async () => {
  const { row, undo } = writer()
  const first = randomUUID()
  const products = Array.from({ length: 700 }, () => randomUUID())
  const records = [
    ...products.map((product, seq) => row(product, first, seq, { title: `Mug ${seq}` })),
    ...products.map((product) => undo(product, first)),
  ]
  await sink.log.append(
    topics.bronze,
    records.map((one) => ({ key: one.product, value: JSON.stringify(one) })),
  )
  const own = sink.store()
  let reads = 0
  const histories: ProductStore['histories'] = (...asked) => {
    reads++
    return own.histories(...asked)
  }
  await consume([], { ...own, histories })
  expect(reads).toBeLessThanOrEqual(3)
  const { rows } = await sink.catalog.pipeline.query(
    'select alive, count(*)::int as n from products where product_id = any ($1) group by 1',
    [products],
  )
  expect(rows).toEqual([{ alive: false, n: 700 }])
})

test('any story in batches cut anywhere leaves the rows that the whole log tells', async () => {
  await fc.assert(
    fc.asyncProperty(events, fc.array(fc.integer({ min: 1, max: 8 })), async (happened, cut) => {
      const { catalog, sent, rows } = tell(happened, await sink.position())
      await sink.append(...sent)
      await consume(cut)
      const { stored, refolded } = await storedAndRefolded(sink, catalog)
      expect(stored).toEqual(refolded)
      const compared = Object.keys(stored).length
      expect(await differences(sink, catalog)).toEqual({ compared, stale: 0, differing: [] })
      for (const [importId, count] of rows) {
        const { created, updated, unchanged, rejected } = await sink.results(importId)
        expect(created + updated + unchanged + rejected).toBe(count)
      }
    }),
    { numRuns: enough(12, 30) },
  )
})
