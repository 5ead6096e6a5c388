import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import { bandOf, bands, dimensions, score } from '../../../schemas/score.ts'
import type { ProductResource } from '../../../serving/workspace/product-resource.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'
import { readSettings, saveSettings, settled } from './pipeline.ts'

let assay: Running
let catalog: string
beforeAll(async () => {
  assay = await sharedAssay()
  catalog = await assay.newCatalog()
  await assay.ingest(catalog, file)
})
afterAll(() => assay.close())

/** Each lacks other things. */
const file = [
  'sku,title,price,currency,gtin,brand,image,link,availability,description',
  ...Array.from({ length: 60 }, (_, n) => {
    const has = (bit: number, cell: string) => ((n >> bit) & 1 ? cell : '')
    const cells = [
      ...[`S-${n}`, `Oak stool ${'for bars '.repeat(n % 4)}${n}`, has(0, '9.50'), has(0, 'EUR'), '', has(1, 'Lumo')],
      ...[has(2, `https://cdn.example.test/${n}.jpg`), has(3, `https://shop.example.test/${n}`)],
      ...[has(4, 'in stock'), has(5, `Made of oak number ${n}. ${'Sturdy. '.repeat(n % 9)}`)],
    ]
    return cells.join(',')
  }),
  '',
].join('\n')

const path = `/api/workspace/${workspace}/settings/pipeline`
const weigh = (given: Partial<Record<(typeof dimensions)[number], number>>) =>
  Object.fromEntries(dimensions.map((name) => [name, given[name] ?? 0])) as Record<(typeof dimensions)[number], number>
const preview = (weights: object, more: object = {}, headers: Record<string, string> = {}) =>
  assay.call('POST', `${path}/preview`, { weights, ...more }, headers)

const count = (products: readonly ProductResource[], of: (value: number, one: ProductResource) => boolean) =>
  products.filter((one) => of(one.optimizationScore ?? -1, one)).length

describe('a preview of weights', () => {
  test('200: changes nothing, and is to the last digit what saving them brings', async () => {
    const before = await assay.products(catalog)
    const wanted = weigh({ media: 2, content: 1, availability: 1 })
    const settings = await readSettings(assay)
    const { status, body } = await preview(wanted)
    expect(status).toBe(200)
    const said = body.preview
    expect(await readSettings(assay)).toEqual(settings)
    const { weights } = await saveSettings(assay, { weights: wanted })
    expect(said.weights).toEqual(weights)
    await settled(assay)
    const after = await assay.products(catalog)
    const was = new Map(before.map((one) => [one.id, one]))
    for (const [side, products] of [
      ['before', before],
      ['after', after],
    ] as const) {
      const sum = products.reduce((total, one) => total + (one.optimizationScore ?? 0), 0)
      expect(said[side]).toEqual({
        average_score: Math.round((sum * 100) / products.length) / 100,
        distribution: Object.fromEntries(
          bands.map((band) => [band, count(products, (value) => bandOf(value) === band)]),
        ),
        feed_ready: count(products, (_, { feedReady }) => feedReady),
      })
    }
    for (const from of bands)
      for (const to of bands)
        expect(said.moves[from][to]).toBe(
          count(after, (value, { id }) => bandOf(value) === to && bandOf(was.get(id)?.optimizationScore ?? 0) === from),
        )
    expect(said.feed_ready).toEqual({
      gained: count(after, (_, { id, feedReady }) => feedReady && !was.get(id)?.feedReady),
      lost: count(after, (_, { id, feedReady }) => !feedReady && was.get(id)?.feedReady === true),
    })
    expect(said.products).toBe(60)
    expect(said.examples.length).toBeGreaterThan(3)
    const now = new Map(after.map((one) => [one.id, one.optimizationScore]))
    for (const { product_id: id, before: had, after: has } of said.examples)
      expect([had, has]).toEqual([was.get(id)?.optimizationScore, now.get(id)])
  })

  test('200: of the weights in force nothing moves', async () => {
    const { body } = await preview((await readSettings(assay)).weights)
    expect(body.preview).toMatchObject({
      products: 60,
      unchanged: 60,
      examples: [],
      feed_ready: { gained: 0, lost: 0 },
    })
    expect(body.preview.after).toEqual(body.preview.before)
  })

  test('200: a brand previews its own products, another workspace none of ours', async () => {
    const made = await assay.call('POST', `/api/workspace/${workspace}/brands`, { name: 'Second' })
    const equal = weigh(Object.fromEntries(dimensions.map((name) => [name, 1])))
    expect((await preview(equal, { brand_id: made.body.brand.id })).body.preview.products).toBe(0)
    await ensureWorkspace(assay.system.catalog.pipeline, 'ws_other', 'Other')
    const as = { authorization: `Bearer ${await assay.token('owner', { workspace: 'ws_other' })}` }
    const theirs = await assay.call('POST', '/api/workspace/ws_other/settings/pipeline/preview', { weights: equal }, as)
    expect(theirs.body.preview).toMatchObject({ products: 0, examples: [] })
  })

  test('400: weights that could not be saved cannot be previewed', async () => {
    expectSamplesForm(await preview(weigh({})), 400, 'INVALID_REQUEST', 'weights')
    expectSamplesForm(await preview({ identity: 1 }), 400, 'INVALID_REQUEST', 'weights.content')
    expectSamplesForm(await preview(weigh({ seo: 1 }), { locale: 'de' }), 400, 'INVALID_REQUEST', 'locale')
  })
})

describe('saved weights', () => {
  test('come into force at once: no page mixes the old with the new, in whatever order and by whatever filter', async () => {
    const pool = assay.system.catalog.pipeline
    const { rows } = await pool.query<{ id: string; sub: number[] }>(
      'select product_id as id, array[s1, s2, s3, s4, s5, s6, s7] as sub from product_score where catalog_id = $1',
      [catalog],
    )
    const inForce = async () => dimensions.map((name) => weightsOf(name))
    let current = (await readSettings(assay)).weights
    const weightsOf = (name: (typeof dimensions)[number]) => current[name]
    for (const next of [
      weigh({ identity: 1, pricing: 3 }),
      weigh({ seo: 1, content: 1 }),
      weigh({ media: 1, pricing: 1 }),
    ]) {
      const old = await inForce()
      current = (await saveSettings(assay, { weights: next })).weights
      const fresh = await inForce()
      const scores = [old, fresh].map((weights) => new Map(rows.map(({ id, sub }) => [id, score(sub, weights)])))
      for (let over = false; !over; ) {
        const { rows: settled } = await pool.query(
          'select from workspace where workspace_id = $1 and weights_pending is null and rank_number = weights_number',
          [workspace],
        )
        over = settled.length > 0
        const sorted = await assay.products(catalog, { sort: '-score' })
        const shown = sorted.map(({ optimizationScore }) => optimizationScore ?? -1)
        expect(shown).toEqual(shown.toSorted((a, b) => b - a))
        const good = await assay.products(catalog, { band: 'warning' })
        for (const page of [sorted, good]) {
          const under = scores.filter((all) =>
            page.every(({ id, optimizationScore }) => all.get(id) === optimizationScore),
          )
          expect(under.length).toBeGreaterThan(0)
        }
        for (const { optimizationScore } of good) expect(bandOf(optimizationScore ?? -1)).toBe('warning')
        await sleep(20)
      }
    }
  })

  test('are one entry a catalog, through which the history of each of its products is read', async () => {
    const own = await assay.newCatalog()
    await assay.ingest(own, 'sku,title,price\nH-1,Oak stool,9.50\nH-2,Mug,\n')
    const [one] = await assay.products(own, { sku: 'H-1' })
    const history = async () =>
      (await assay.call('GET', `/api/workspace/${workspace}/catalog/products/${one?.id}/score-history`)).body.scores
    const [first] = await history()
    await saveSettings(assay, { weights: weigh({ identity: 1, content: 1, media: 1 }) })
    await settled(assay)
    await assay.call('PATCH', `/api/workspace/${workspace}/catalog/products/${one?.id}`, { brand: 'Lumo' })
    await saveSettings(assay, { weights: weigh({ pricing: 1, seo: 1 }) })
    await settled(assay)
    const { rows } = await assay.system.catalog.pipeline.query('select from weights_history where catalog_id = $1', [
      own,
    ])
    expect(rows).toHaveLength(2)
    const runs = await history()
    expect(runs.map(({ run, cause }: { run: number; cause: string }) => `${run} ${cause}`)).toEqual([
      '4 weights',
      '3 graded',
      '2 weights',
      '1 graded',
    ])
    expect(runs[3]).toEqual(first)
    expect(runs[2].dimensions).toEqual(runs[3].dimensions)
    expect(runs[2].score).not.toBe(runs[3].score)
    expect(runs[1].weightsNumber).toBe(runs[2].weightsNumber)
    expect(runs[0].dimensions).toEqual(runs[1].dimensions)
    const found = await assay.products(own, { sku: 'H-1' })
    expect(runs[0].score).toBe(found[0]?.optimizationScore)
    const numbers = runs.map(({ weightsNumber }: { weightsNumber: number }) => weightsNumber)
    expect(numbers[0]).toBe(numbers[1] + 1)
    expect(numbers[2]).toBe(numbers[3] + 1)
  })
})
