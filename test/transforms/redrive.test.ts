import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readWhole } from '../../infra/catalog/histories.ts'
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import { computeBatch } from '../../transforms/batch.ts'
import { refoldRecords } from '../../transforms/bronze/refold.ts'
import type { ProductStore } from '../../transforms/ports.ts'
import { type ProductTopology, products as topology } from '../../transforms/topology.ts'
import { enough } from '../enough.ts'
import { storedAndRefolded } from '../ingest/refolded.ts'
import { digest, type LogAndSink, openLogAndSink, writer } from './log-and-sink.ts'

let sink: LogAndSink
beforeAll(async () => {
  sink = await openLogAndSink()
})
afterAll(() => sink.close())

/** A step with a fault: it cannot read records that have this cell. Redrives go past it, as after a fix. */
const faulty: ProductTopology = {
  ...topology,
  apply: (state, record, ...rest) => {
    if (record.cells.poison !== undefined) throw new Error('a fault of this step')
    return topology.apply(state, record, ...rest)
  },
}
const unmended: ProductTopology = {
  ...faulty,
  settle: (state, layers, lookups, record) => {
    if (record?.cells.poison !== undefined) throw new Error('the same fault')
    return topology.settle(state, layers, lookups, record)
  },
}

async function consume(by = faulty, sizes: readonly number[] = [], store: ProductStore = sink.store()) {
  let next = (await store.claim(0)) ?? 0
  for (let i = 0; ; i++) {
    const records = await sink.log.read(topics.bronze, 0, next, sizes[i] ?? 1_000)
    if (records.length === 0) return
    const batch = await computeBatch(by, 0, next, records, { store, digest, log: sink.log }, true)
    expect(await store.commit(batch)).toBe('done')
    next = batch.to
  }
}

const redriveOf = (dead: BronzeRecord, offset: number): BronzeRecord => {
  const { import: _, ...rest } = dead
  const origin = { epoch: sink.log.epoch, partition: 0, offset }
  return { ...rest, op: 'redrive', origin, seq: -1, rows: [], cells: {}, at: '2026-02-01T00:00:00.000Z', by: 'test' }
}

async function layersOf(catalog: string, product: string) {
  const { stored, refolded } = await storedAndRefolded(sink, catalog)
  expect(stored).toEqual(refolded)
  return Object.fromEntries((stored[product]?.layers.layers ?? []).map(({ source, cells }) => [source, cells]))
}

async function letter(offset: number) {
  const { rows } = await sink.catalog.pipeline.query(
    'select state, attempts, kind, reason from dead_record where topic = $1 and partition = 0 and "offset" = $2',
    [topics.bronze, offset],
  )
  return rows[0]
}
async function attempts(offset: number) {
  const { rows } = await sink.catalog.pipeline.query(
    'select attempt, effect, by from dead_attempt where topic = $1 and partition = 0 and "offset" = $2 order by 1',
    [topics.bronze, offset],
  )
  return rows
}

const cuts = [[9], [1, 1, 1, 1, 1], [3, 2], [2, 1, 2]]

describe.each(cuts)('a dead record that is redriven, in batches of %s, %s, %s …', (...sizes) => {
  const cut = sizes.filter((size) => size !== undefined)

  test('counts at its original position: what its source and an edit said since stays', async () => {
    const { catalog, row, edit } = writer()
    const [product, first, second] = [randomUUID(), randomUUID(), randomUUID()]
    const at = await sink.position()
    const dead = row(product, first, 0, { title: 'Old', brand: 'Lumo', link: 'https://a.example/1', poison: 'x' })
    await sink.append(
      dead,
      row(product, second, 0, { title: 'Newer' }),
      edit(product, { link: 'https://a.example/edited' }),
      edit(product, { color: 'red' }),
    )
    await consume(faulty, cut)
    expect(await letter(at)).toMatchObject({ state: 'dead', attempts: 1, kind: 'failed' })
    await sink.append(redriveOf(dead, at), edit(product, { material: 'oak' }))
    await consume(faulty, cut)
    expect(await layersOf(catalog, product)).toEqual({
      'file:a': { title: 'Newer', brand: 'Lumo', link: 'https://a.example/1', poison: 'x' },
      api: { link: 'https://a.example/edited', color: 'red', material: 'oak' },
    })
    const sql = `select refined ->> 'link' as link, refined ->> 'title' as title from products where product_id = $1`
    const { rows } = await sink.catalog.pipeline.query(sql, [product])
    expect(rows).toEqual([{ link: 'https://a.example/edited', title: 'Newer' }])
    expect(await letter(at)).toMatchObject({ state: 'redriven', attempts: 2 })
    expect(await attempts(at)).toEqual([
      { attempt: 1, effect: null, by: null },
      { attempt: 2, effect: 'updated', by: 'test' },
    ])
  })

  test('moves its row from rejected to its new result, and the ledger stays balanced', async () => {
    const { catalog, row } = writer()
    const [product, first] = [randomUUID(), randomUUID()]
    const at = await sink.position()
    const dead = row(product, first, 1, { title: 'Mug', poison: 'x' })
    await sink.append(
      row(randomUUID(), first, 0, { title: 'Cup' }),
      dead,
      row(randomUUID(), first, 2, { title: 'Pan' }),
    )
    await consume(faulty, cut)
    expect(await sink.results(first)).toEqual({ created: 2, updated: 0, unchanged: 0, rejected: 1 })
    await sink.append(redriveOf(dead, at + 1))
    await consume(faulty, cut)
    expect(await sink.results(first)).toEqual({ created: 3, updated: 0, unchanged: 0, rejected: 0 })
    const told = (await sink.rowsOf(first)).toSorted((a, b) => a.row - b.row)
    expect(told).toEqual([1, 2, 3].map((one) => ({ row: one, result: 'created' })))
    const { rows } = await sink.catalog.pipeline.query('select 1 from import_row where import_id = $1', [first])
    expect(rows).toEqual([])
    expect(await layersOf(catalog, product)).toEqual({ 'file:a': { title: 'Mug', poison: 'x' } })
  })

  test('twice changes nothing', async () => {
    const { catalog, row } = writer()
    const [product, first] = [randomUUID(), randomUUID()]
    const at = await sink.position()
    const dead = row(product, first, 0, { title: 'Mug', poison: 'x' })
    await sink.append(dead)
    await consume(faulty, cut)
    await sink.append(redriveOf(dead, at), redriveOf(dead, at))
    await consume(faulty, cut)
    const once = await storedAndRefolded(sink, catalog)
    await sink.append(redriveOf(dead, at))
    await consume(faulty, cut)
    expect(await storedAndRefolded(sink, catalog)).toEqual(once)
    expect(once.stored).toEqual(once.refolded)
    expect(await sink.results(first)).toEqual({ created: 1, updated: 0, unchanged: 0, rejected: 0 })
    expect(await attempts(at)).toHaveLength(2)
  })

  test('before the fault is mended stays dead with another attempt, and comes back once it is', async () => {
    const { catalog, row } = writer()
    const [product, first] = [randomUUID(), randomUUID()]
    const at = await sink.position()
    const dead = row(product, first, 0, { title: 'Mug', poison: 'x' })
    await sink.append(dead, row(product, randomUUID(), 0, { brand: 'Lumo' }))
    await consume(faulty, cut)
    await sink.append(redriveOf(dead, at), redriveOf(dead, at))
    await consume(unmended, cut)
    expect(await letter(at)).toMatchObject({ state: 'dead', attempts: 3, reason: 'the same fault' })
    expect(await layersOf(catalog, product)).toEqual({ 'file:a': { brand: 'Lumo' } })
    await sink.append(redriveOf(dead, at))
    await consume(faulty, cut)
    expect(await layersOf(catalog, product)).toEqual({ 'file:a': { title: 'Mug', poison: 'x', brand: 'Lumo' } })
    expect(await sink.results(first)).toEqual({ created: 0, updated: 1, unchanged: 0, rejected: 0 })
  })

  test('is memory only where its import was undone meanwhile', async () => {
    const { catalog, row, undo } = writer()
    const [product, first] = [randomUUID(), randomUUID()]
    const at = await sink.position()
    const dead = row(product, first, 0, { title: 'Mug', poison: 'x' })
    await sink.append(dead, row(product, randomUUID(), 0, { title: 'Cup' }), undo(product, first))
    await consume(faulty, cut)
    await sink.append(redriveOf(dead, at))
    await consume(faulty, cut)
    expect(await layersOf(catalog, product)).toEqual({ 'file:a': { title: 'Cup' } })
    await sink.append(undo(product, first, 'unvoid'))
    await consume(faulty, cut)
    expect(await layersOf(catalog, product)).toEqual({ 'file:a': { title: 'Cup', poison: 'x' } })
  })

  test('whose precondition did not hold where it stood stays dead', async () => {
    const { catalog, edit } = writer()
    const product = randomUUID()
    const at = await sink.position()
    const dead = edit(product, { title: 'Second', poison: 'x' }, { create: true, ifAbsent: true })
    await sink.append(edit(product, { title: 'First' }, { create: true, ifAbsent: true }), dead)
    // The refusal itself is what cannot be judged.
    const blind = { ...faulty, refuse: () => null }
    await consume(blind, cut)
    await sink.append(redriveOf(dead, at + 1))
    await consume(faulty, cut)
    expect(await letter(at + 1)).toMatchObject({ state: 'dead', reason: expect.stringMatching(/precondition/) })
    expect(await layersOf(catalog, product)).toEqual({ api: { title: 'First' } })
  })
})

test('a redrive of what never died, or of nothing, does nothing', async () => {
  const { catalog, row } = writer()
  const [product, first] = [randomUUID(), randomUUID()]
  const at = await sink.position()
  const said = row(product, first, 0, { title: 'Mug' })
  await sink.append(said, redriveOf(said, at), redriveOf(said, at + 900))
  await consume()
  expect(await layersOf(catalog, product)).toEqual({ 'file:a': { title: 'Mug' } })
  const { rows } = await sink.catalog.pipeline.query('select code from refused where product_id = $1', [product])
  expect(rows).toEqual([{ code: 'NOTHING_DEAD' }, { code: 'NOTHING_DEAD' }])
})

const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('row' as const),
      of: fc.nat(2),
      dies: fc.boolean(),
      title: fc.constantFrom('x', 'y', '__CLEAR__'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), dies: fc.boolean(), title: fc.constantFrom('x', 'z') }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('void' as const, 'unvoid' as const), of: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('redrive' as const), back: fc.nat(6) }) },
)

test('once all of any story is redriven, the product is as if nothing had died', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 2, maxLength: 14 }),
      fc.array(fc.integer({ min: 1, max: 6 })),
      async (happened, cut) => {
        const { catalog, row, edit, undo } = writer()
        const [product, imports] = [randomUUID(), [randomUUID(), randomUUID(), randomUUID()]]
        const start = await sink.position()
        const sent: BronzeRecord[] = []
        const died: { record: BronzeRecord; offset: number }[] = []
        const seqs = [0, 0, 0]
        const ended = new Set<number>()
        const send = (record: BronzeRecord) => {
          if (record.cells.poison !== undefined) died.push({ record, offset: start + sent.length })
          sent.push(record)
        }
        for (const one of happened) {
          const poison: Record<string, string> = 'dies' in one && one.dies ? { poison: 'x' } : {}
          if (one.kind === 'row') {
            // Only an import that has ended can be undone.
            if (ended.has(one.of)) continue
            const seq = seqs[one.of] ?? 0
            seqs[one.of] = seq + 1
            send(
              row(product, imports[one.of] ?? '', seq, { title: one.title, ...poison }, { source: `file:${one.of}` }),
            )
          } else if (one.kind === 'edit') send(edit(product, { title: one.title, ...poison }))
          else if (one.kind === 'redrive') {
            const past = died.at(-1 - one.back)
            if (past) send(redriveOf(past.record, past.offset))
          } else if (sent.some(({ op, cells }) => op === 'put' && cells.poison === undefined)) {
            ended.add(one.of)
            send(undo(product, imports[one.of] ?? '', one.kind))
          }
        }
        for (const { record, offset } of died) send(redriveOf(record, offset))
        await sink.append(...sent)
        await consume(faulty, cut)
        if (sent.length === 0 || !sent.some(({ op }) => op === 'put')) return
        const { stored, refolded } = await storedAndRefolded(sink, catalog)
        expect(stored).toEqual(refolded)
        for await (const [, history] of readWhole(
          sink.catalog.pipeline,
          sink.log,
          [product],
          await sink.log.ends(topics.bronze),
        )) {
          const whole = history.entries
            .filter(({ record }) => record.op !== 'redrive')
            .map((entry) => ({ ...entry, refused: false }))
          expect(stored[product]?.layers.layers).toEqual(refoldRecords(whole).layers?.layers)
        }
        for (const [at, id] of imports.entries()) {
          const { created, updated, unchanged, rejected } = await sink.results(id)
          expect([created + updated + unchanged, rejected ?? 0]).toEqual([seqs[at], 0])
        }
      },
    ),
    { numRuns: enough(15, 40) },
  )
}, 60_000)
