import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { bandOf } from '../../../schemas/score.ts'
import type { ProductResource } from '../../../serving/workspace/product-resource.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { differences } from '../../verified.ts'
import { withoutGroups } from '../../without-groups.ts'
import { readSettings, saveSettings, settled } from './pipeline.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
beforeEach(async () => {
  await saveSettings(assay, { ...plain, weights: even })
  await settled(assay)
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const even = { identity: 1, content: 1, media: 1, pricing: 1, availability: 1, seo: 1, compliance: 1 }
const plain = { currency: null, mappings: { every_source: {}, by_source: {} }, auto_silver: true, auto_gold: true }
const priced = { identity: 0, content: 0, media: 0, pricing: 1, availability: 0, seo: 0, compliance: 0 }

const file = `sku,title,price,Note
R-1,Enamel mug,12.50,White and round with a handle
R-2,Oak stool,99.00,Stands on three legs
R-3,Linen towel,8.00,Soft
`
async function filled(rows = file): Promise<string> {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, rows)
  return catalog
}

const ask = (path: string, body: unknown = {}) => assay.call('POST', `${base}/replays${path}`, body)
async function replay(body: object) {
  const answer = await ask('', { share: 1, ...body })
  expect(answer.status, answer.text).toBe(202)
  const job = await assay.job(answer.body.job.id)
  expect(job.status, JSON.stringify(job.error)).toBe('completed')
  return (await assay.call('GET', `${base}/replays/${answer.body.replay.id}`)).body.replay
}
async function promote(id: string) {
  const answer = await ask(`/${id}/promote`)
  expect(answer.status, answer.text).toBe(202)
  const job = await assay.job(answer.body.job.id)
  expect(job.status, JSON.stringify(job.error)).toBe('completed')
  await settled(assay)
  return job.result as unknown as { changed: number; recomputed: number }
}
const idOf = async (catalog: string, sku: string) => (await assay.products(catalog, { sku }))[0]?.id ?? ''
const byId = (list: readonly ProductResource[]) => new Map(list.map((one) => [one.id, one]))

/** What the verdict must say, counted from the products as they are read before and after. */
function counted(before: readonly ProductResource[], after: readonly ProductResource[]) {
  const then = byId(after)
  const pairs = before.flatMap((one) => {
    const [was, is] = [one.optimizationScore, then.get(one.id)?.optimizationScore ?? null]
    return was === null || is === null ? [] : [{ was, is, ready: [one.feedReady, then.get(one.id)?.feedReady] }]
  })
  const count = (is: (pair: (typeof pairs)[number]) => boolean) => pairs.filter(is).length
  return {
    compared: before.length,
    up: count(({ was, is }) => is > was),
    down: count(({ was, is }) => is < was),
    unchanged: count(({ was, is }) => is === was),
    bandUp: count(({ was, is }) => is > was && bandOf(is) !== bandOf(was)),
    bandDown: count(({ was, is }) => is < was && bandOf(is) !== bandOf(was)),
    feedReady: {
      gained: count(({ ready: [was, is] }) => !was && is === true),
      lost: count(({ ready: [was, is] }) => was === true && !is),
    },
  }
}

describe('a replay changes nothing, its verdict says what promoting it then does', () => {
  test.each<[string, object, string]>([
    ['other weights', { weights: priced }, 'weights'],
    ['a column that is mapped', { mappings: { every_source: { Note: 'description' }, by_source: {} } }, 'silver'],
    ['a setting of silver', { currency: 'EUR' }, 'silver'],
  ])('%s', async (_, settings, step) => {
    const catalog = await filled()
    const before = await assay.products(catalog)
    const { number } = await readSettings(assay)
    const made = await replay({ catalog_id: catalog, settings })
    expect(withoutGroups(await assay.products(catalog))).toEqual(withoutGroups(before))
    expect((await readSettings(assay)).number).toBe(number)
    expect(made.state).toBe('ready')
    expect(made.verdict.differing[step]).toBeGreaterThan(0)

    await promote(made.id)
    const after = await assay.products(catalog)
    expect(after).not.toEqual(before)
    expect(made.verdict).toMatchObject(counted(before, after))
    expect((await readSettings(assay)).number).toBe(made.settingsNumber)
    const { differing, compared, stale } = await differences(assay.system, catalog)
    expect({ differing, compared, stale }).toEqual({ differing: [], compared: 3, stale: 0 })
  })

  test('under the settings of now everything is as it is', async () => {
    const catalog = await filled()
    const { verdict, settingsNumber, formerSettingsNumber } = await replay({ catalog_id: catalog })
    expect(settingsNumber).toBe(formerSettingsNumber)
    expect(verdict).toMatchObject({ compared: 3, up: 0, down: 0, unchanged: 3, gaps: [], examples: [], leftOut: 0 })
    expect(verdict.differing).toEqual({ merge: 0, silver: 0, gold: 0, weights: 0 })
  })

  test('a value that was changed behind Assay’s back is told, and put right by promoting', async () => {
    const catalog = await filled()
    const id = await idOf(catalog, 'R-1')
    await assay.system.catalog.pipeline.query(
      `update products set refined = jsonb_set(refined, '{title}', '"Tin mug"'), title = 'Tin mug' where product_id = $1`,
      [id],
    )
    const { id: replayId, verdict } = await replay({ catalog_id: catalog })
    expect(verdict.places).toEqual([{ step: 'silver', place: 'title', products: 1 }])
    expect(verdict.examples).toMatchObject([{ productId: id, sku: 'R-1', step: 'silver', place: 'title' }])
    expect(await promote(replayId)).toMatchObject({ changed: 1, recomputed: 0 })
    expect((await assay.products(catalog, { sku: 'R-1' }))[0]?.title).toBe('Enamel mug')
  })
})

describe('the range chooses products, which are folded from their whole history', () => {
  test('by import, by time, by offset and by id', async () => {
    const catalog = await filled()
    const id = await idOf(catalog, 'R-2')
    const since = new Date().toISOString()
    const second = await assay.ingest(catalog, 'sku,title,price,Note\nR-2,Oak stool,89.00,\n')
    const { log } = assay.system
    const partition = log.partitionOf(id)
    const [from = 0] = [((await log.ends('products.bronze'))[partition] ?? 1) - 1]
    const ranges = [
      { range: { import_id: second.result.importId } },
      { catalog_id: catalog, range: { from: since } },
      { catalog_id: catalog, range: { offsets: [{ partition, from }] } },
      { catalog_id: catalog, product_ids: [id] },
      { catalog_id: catalog, range: { from: since }, product_ids: [id, await idOf(catalog, 'R-1')] },
    ]
    for (const range of ranges) {
      const { verdict } = await replay({ ...range, settings: { currency: 'EUR' } })
      expect(verdict, JSON.stringify(range)).toMatchObject({ compared: 1, leftOut: 0 })
      expect(verdict.differing.merge).toBe(0)
      expect(verdict.examples).toMatchObject([{ productId: id, step: 'silver' }])
    }
    const { verdict } = await replay({ catalog_id: catalog, range: { to: '2020-01-01T00:00:00Z' } })
    expect(verdict.compared).toBe(0)
  })

  test('that nothing can be in is 400, and says where and what there is', async () => {
    const { epoch, partitions } = assay.system.log
    for (const [range, field, says] of [
      [{ from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00+00:00' }, 'range.from', 'from must be before to'],
      [{ offsets: [{ partition: 0 }, { partition: partitions }] }, 'range.offsets', `it has ${partitions}, from 0 on`],
      [{ offsets: [{ epoch: epoch + 7, partition: 0 }] }, 'range.offsets', `no epoch ${epoch + 7}; it has 1`],
    ] as const) {
      const refused = await ask('', { range })
      expect(refused.status, JSON.stringify(range)).toBe(400)
      expect(refused.text).toContain(says)
      expect(refused.text).toContain(field)
    }
  })

  test('products outside it become stale by promoting, and are refined then', async () => {
    const catalog = await filled()
    const id = await idOf(catalog, 'R-1')
    const made = await replay({ catalog_id: catalog, product_ids: [id], settings: { currency: 'EUR' } })
    expect(await promote(made.id)).toMatchObject({ changed: 1 })
    const products = await assay.products(catalog)
    expect(products.map(({ currency }) => currency)).toEqual(['EUR', 'EUR', 'EUR'])
  })
})

describe('promoting', () => {
  test('computes a product again that was edited since, and keeps the edit', async () => {
    const catalog = await filled()
    const made = await replay({ catalog_id: catalog, settings: { currency: 'EUR' } })
    const id = await idOf(catalog, 'R-1')
    await assay.call('PATCH', `${base}/catalog/products/${id}`, { title: 'Large mug' })
    expect(await promote(made.id)).toMatchObject({ changed: 2, recomputed: 1 })
    expect((await assay.products(catalog, { sku: 'R-1' }))[0]).toMatchObject({ title: 'Large mug', currency: 'EUR' })
    expect((await differences(assay.system, catalog)).differing).toEqual([])
  })

  test('is one version for readers, in which all of it stands, and leaves an entry in the histories', async () => {
    const catalog = await filled()
    await assay.publish(catalog)
    const made = await replay({ catalog_id: catalog, settings: { currency: 'EUR' } })
    await promote(made.id)
    const { body } = await assay.call('GET', `${base}/catalogs/${catalog}/versions`)
    expect(body.versions[0]).toMatchObject({ version: 2, modified: 3 })
    const id = await idOf(catalog, 'R-1')
    const history = await assay.call('GET', `${base}/catalog/products/${id}/score-history`)
    expect(history.body.history?.length ?? history.body.scores?.length).toBeGreaterThan(1)
    const audit = await assay.call('GET', `${base}/audit?action=replay.promote`)
    expect(audit.text).toContain(made.id)
  })

  test('is refused where the settings have changed since it began, or while a publish runs', async () => {
    const catalog = await filled()
    const made = await replay({ catalog_id: catalog, settings: { currency: 'EUR' } })
    await saveSettings(assay, { currency: 'USD' })
    expect(await ask(`/${made.id}/promote`)).toMatchObject({ status: 409 })
    await saveSettings(assay, { currency: null })
    expect(await ask(`/${made.id}/promote`)).toMatchObject({ status: 409 })
    expect((await ask(`/${made.id}/discard`)).body.replay.state).toBe('discarded')
  })

  test('twice is once, and what is promoted is not discarded', async () => {
    const catalog = await filled()
    const made = await replay({ catalog_id: catalog, settings: { currency: 'EUR' } })
    const answers = await Promise.all([1, 2, 3].map(() => ask(`/${made.id}/promote`)))
    expect(new Set(answers.map(({ body }) => body.job.id)).size).toBe(1)
    await assay.job(answers[0]?.body.job.id)
    expect((await ask(`/${made.id}/promote`)).body.job.id).toBe(answers[0]?.body.job.id)
    expect(await ask(`/${made.id}/discard`)).toMatchObject({ status: 409 })
    await settled(assay)
  })
})

test('two replays at once have shadows of their own, of which one can be promoted', async () => {
  const catalog = await filled()
  const [one, two] = await Promise.all([
    replay({ catalog_id: catalog, settings: { currency: 'EUR' } }),
    replay({ catalog_id: catalog, settings: { currency: 'USD' } }),
  ])
  expect(one.settingsNumber).not.toBe(two.settingsNumber)
  await promote(two.id)
  expect((await assay.products(catalog)).map(({ currency }) => currency)).toEqual(['USD', 'USD', 'USD'])
  expect(await ask(`/${one.id}/promote`)).toMatchObject({ status: 409 })
})

test('what is discarded leaves no row, and discarding again changes nothing', async () => {
  const catalog = await filled()
  const made = await replay({ catalog_id: catalog, settings: { currency: 'EUR' } })
  for (let again = 0; again < 2; again++) expect((await ask(`/${made.id}/discard`)).body.replay.state).toBe('discarded')
  expect(await ask(`/${made.id}/promote`)).toMatchObject({ status: 409 })
  const left = async () => {
    const { rows } = await assay.system.catalog.pipeline.query<{ n: number }>(
      `select (select count(*) from shadow_product where replay_id = $1) + (select count(*) from shadow_score where replay_id = $1)
            + (select count(*) from shadow_choice where replay_id = $1) as n`,
      [made.id],
    )
    return rows[0]?.n
  }
  await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 20_000, interval: 50 })
  expect((await assay.call('GET', `${base}/replays/${made.id}/verdict`)).body.compared).toBe(3)
})
