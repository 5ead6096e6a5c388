import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'
import { readSettings, saveSettings, settled } from './pipeline.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay({ guardShare: 0.3 })
})
afterAll(() => assay.close())

const path = `/api/workspace/${workspace}/settings/pipeline`
const put = (body: unknown, headers: Record<string, string> = {}) => assay.call('PUT', path, body, headers)
const weigh = (identity: number, content: number) => ({
  identity,
  content,
  media: 0,
  pricing: 0,
  availability: 0,
  seo: 0,
  compliance: 0,
})

describe('read', () => {
  test('200: a workspace that never set anything has the defaults, triggers on', async () => {
    const { status, headers, body } = await assay.call('GET', path)
    expect({ status, etag: headers.etag }).toEqual({ status: 200, etag: '"1"' })
    expect(body.settings).toMatchObject({
      number: 1,
      mappings: { every_source: {}, by_source: {} },
      auto_silver: true,
      auto_gold: true,
      currency: null,
      auto_publish: 'off',
      mass_change_guard: 0.3,
      check_images: 'off',
    })
    expect(Object.values<number>(body.settings.weights).reduce((a, b) => a + b)).toBe(10_000)
    expect(body).toMatchObject({ weights_pending: false, refine_pending: false })
  })

  test('200 and 403: a viewer reads and does not write', async () => {
    const as = { authorization: `Bearer ${await assay.token('viewer')}` }
    const { status, body } = await assay.call('GET', path, undefined, as)
    expect(status).toBe(200)
    expectSamplesForm(await put(body.settings, as), 403, 'INSUFFICIENT_PERMISSIONS')
    const pinned = { authorization: `Bearer ${await assay.token('admin', { brand: await mainBrand() })}` }
    expectSamplesForm(await put(body.settings, pinned), 403, 'FORBIDDEN')
  })

  test('another workspace has its own, whatever this one saves', async () => {
    await ensureWorkspace(assay.system.catalog.pipeline, 'ws_other', 'Other')
    await saveSettings(assay, { locale: 'pt-BR' })
    const as = { authorization: `Bearer ${await assay.token('owner', { workspace: 'ws_other' })}` }
    const theirs = await assay.call('GET', '/api/workspace/ws_other/settings/pipeline', undefined, as)
    expect(theirs.body.settings).toMatchObject({ number: 1, locale: 'en' })
    expectSamplesForm(await assay.call('GET', path, undefined, as), 403, 'FORBIDDEN')
  })
})

const mainBrand = async () =>
  (await assay.call('GET', `/api/workspace/${workspace}/brands`)).body.brands[0].id as string

describe('save', () => {
  test('200: what was read can be sent back and changes nothing, not even the number', async () => {
    const { number, ...rest } = await readSettings(assay)
    const { status, body } = await put({ number, ...rest })
    expect({ status, settings: body.settings }).toEqual({ status: 200, settings: { number, ...rest } })
  })

  test('200: each save is a number of its own, and the audit log has before and after', async () => {
    const before = await readSettings(assay)
    const after = await saveSettings(assay, { time_zone: 'Europe/Berlin' })
    expect(after.number).toBe(before.number + 1)
    const { entries } = (await assay.call('GET', `/api/workspace/${workspace}/audit`)).body
    const entry = entries.find(({ action }: { action: string }) => action === 'settings.update')
    expect(entry.before).toEqual(before)
    expect(entry.after).toEqual(after)
  })

  test('412: who read an older number saves nothing, by If-Match or by number; of two that race one does', async () => {
    const { number, ...rest } = await saveSettings(assay, { locale: 'fr' })
    const stale = { ...rest, locale: 'it' }
    expectSamplesForm(await put({ ...stale, number: number - 1 }), 412, 'CONFLICT', 'number')
    expectSamplesForm(await put(stale, { 'if-match': `"${number - 1}"` }), 412, 'CONFLICT')
    expect((await readSettings(assay)).locale).toBe('fr')
    const both = await Promise.all(
      ['de', 'es'].map((locale) => put({ ...rest, locale }, { 'if-match': `"${number}"` })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
  })

  test('400: weights all zero or negative, no time zone, no language, no currency, no share, an unknown field', async () => {
    const { number: _old, ...rest } = await readSettings(assay)
    const { locale: _gone, ...without } = rest
    for (const [body, field] of [
      [{ ...rest, weights: weigh(0, 0) }, 'weights'],
      [{ ...rest, weights: weigh(-1, 2) }, 'weights.identity'],
      [{ ...rest, weights: { identity: 1 } }, 'weights.content'],
      [{ ...rest, time_zone: 'Mars/Olympus' }, 'time_zone'],
      [{ ...rest, locale: 'not a language' }, 'locale'],
      [{ ...rest, currency: 'QQQ' }, 'currency'],
      [{ ...rest, mass_change_guard: 1.5 }, 'mass_change_guard'],
      [{ ...rest, link_template: 'https://shop.example/{slug}' }, 'link_template'],
      [{ ...rest, colour: 'red' }, 'colour'],
      [without, 'locale'],
    ] as const)
      expectSamplesForm(await put(body), 400, 'INVALID_REQUEST', field)
  })

  test('400: a field that does not exist, and two columns for a field that takes one, both named (KF-05)', async () => {
    const { number: _old, ...rest } = await readSettings(assay)
    const mapped = (columns: object) => [
      { ...rest, mappings: { every_source: columns, by_source: {} } },
      { ...rest, mappings: { every_source: {}, by_source: { nightly: columns } } },
    ]
    const places = ['mappings.every_source', 'mappings.by_source.nightly']
    for (const [i, body] of mapped({ title_a: 'headline' }).entries())
      expectSamplesForm(await put(body), 400, 'INVALID_REQUEST', `${places[i]}.title_a`)
    for (const [i, body] of mapped({ title_a: 'title', title_b: 'title' }).entries()) {
      const answer = await put(body)
      expectSamplesForm(answer, 400, 'INVALID_REQUEST', `${places[i]}.title_b`)
      expect(answer.body.details.message).toContain('title_a')
      expect(answer.body.details.message).toContain('title_b')
    }
    for (const body of mapped({ image_a: 'images', image_b: 'images' })) expect((await put(body)).status).toBe(200)
  })

  test('200 and 400: columns are compared exactly once they are trimmed, as headers are', async () => {
    const { number: _old, ...rest } = await readSettings(assay)
    const mapped = (columns: object) => ({ every_source: columns, by_source: { nightly: columns } })
    const { status, body } = await put({ ...rest, mappings: mapped({ ' foo\u00a0': 'brand', Foo: 'title' }) })
    expect({ status, mappings: body.settings.mappings }).toEqual({
      status: 200,
      mappings: mapped({ foo: 'brand', Foo: 'title' }),
    })
    const none = { every_source: {}, by_source: {} }
    for (const [columns, field] of [
      [{ foo: 'images', ' foo': 'images' }, ' foo'],
      [{ foo: 'brand', 'foo\u00a0': 'title' }, 'foo\u00a0'],
      [{ ' ': 'title' }, ' '],
    ] as const) {
      const every = await put({ ...rest, mappings: { ...none, every_source: columns } })
      expectSamplesForm(every, 400, 'INVALID_REQUEST', `mappings.every_source.${field}`)
      const own = await put({ ...rest, mappings: { ...none, by_source: { nightly: columns } } })
      expectSamplesForm(own, 400, 'INVALID_REQUEST', `mappings.by_source.nightly.${field}`)
    }
    await saveSettings(assay, { mappings: none })
  })

  test('200: a new catalog publishes itself where the workspace says so and the catalog does not', async () => {
    await saveSettings(assay, { auto_publish: 'after_gold' })
    const made = async (body: object) =>
      (await assay.call('POST', `/api/workspace/${workspace}/catalogs`, { name: 'New', ...body })).body.catalog
    expect((await made({})).autoPublish).toBe('after_gold')
    expect((await made({ auto_publish: 'off' })).autoPublish).toBe('off')
    await saveSettings(assay, { auto_publish: 'off' })
  })
})

describe('weights', () => {
  test('on any scale; in force for every reader, then ranked, with one row a catalog', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, 'sku,title,price\nW-1,Mug,"1,50"\nW-2,Stool of oak,"9,00"\n')
    const before = await assay.products(catalog)
    const { weights } = await saveSettings(assay, { weights: weigh(0.5, 1.5) })
    expect(weights).toMatchObject({ identity: 2_500, content: 7_500, media: 0 })
    await settled(assay)
    const pool = assay.system.catalog.pipeline
    const ranked = 'select from workspace where workspace_id = $1 and rank_number = weights_number'
    await expect.poll(async () => (await pool.query(ranked, [workspace])).rowCount, { timeout: 5_000 }).toBe(1)
    const { rows } = await pool.query(
      `select r.product_id as id, r.score, r.weights_number = w.weights_number as live
         from product_rank r join workspace w on w.workspace_id = r.workspace_id where r.catalog_id = $1`,
      [catalog],
    )
    const scores = async () => (await assay.products(catalog)).map(({ optimizationScore }) => optimizationScore)
    // Each node keeps the weights for a second.
    await expect.poll(scores, { timeout: 5_000 }).not.toEqual(before.map(({ optimizationScore }) => optimizationScore))
    const after = await assay.products(catalog)
    const live = rows.filter((row) => row.live)
    expect(new Map(live.map(({ id, score }) => [id, score]))).toEqual(
      new Map(after.map(({ id, optimizationScore }) => [id, optimizationScore])),
    )
    const history = await pool.query('select from weights_history where catalog_id = $1', [catalog])
    expect(history.rowCount).toBe(1)
    const ranks = async () => (await pool.query('select from product_rank where catalog_id = $1', [catalog])).rowCount
    await expect.poll(ranks, { timeout: 5_000 }).toBe(2)
  })

  test('make nothing stale and nothing dirty', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, 'sku,title,price\nW-1,Mug,"1,50"\n')
    await assay.publish(catalog)
    await saveSettings(assay, { weights: weigh(1, 1) })
    await settled(assay)
    expect((await assay.products(catalog))[0]?.stale).toBe(false)
    expect(await assay.publish(catalog)).toMatchObject({ changeCount: 0 })
  })
})
