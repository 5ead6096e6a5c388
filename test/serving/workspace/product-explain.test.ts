import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rubric, rubricVersion } from '../../../transforms/gold/rubric.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'
import { saveSettings, settled } from './pipeline.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const path = `/api/workspace/${workspace}/catalog/products`
const explain = async (id: string) => (await assay.call('GET', `${path}/${id}/explain`)).body.explanation
const create = async (body: object) =>
  (await assay.call('POST', path, { title: 'Oak stool', price: 79, ...body })).body.product
type Rule = { rule: string; given: number; lost: number; saw: { name: string; value: unknown }[]; refusals: string[] }
const ruleOf = (rules: Rule[], name: string) => rules.find(({ rule }) => rule === name)

describe('an explanation', () => {
  test('200: every rule with what it saw, gave and took; platforms in their words; gaps, numbers and records', async () => {
    const product = await create({ sku: 'E-1', currency: 'EUR' })
    const said = await explain(product.id)
    expect(said).toMatchObject({
      ...{ productId: product.id, state: 'graded', stale: false, score: product.optimizationScore },
      ...{
        explained: product.optimizationScore,
        feedReady: false,
        rubricVersion,
        weightsNumber: 1,
        weightsPending: null,
      },
    })
    expect(said.rules.map(({ rule }: Rule) => rule)).toEqual(rubric.map(({ id }) => id))
    expect(ruleOf(said.rules, 'title')).toMatchObject({ percent: 100, possible: 4, given: 4, lost: 0 })
    expect(ruleOf(said.rules, 'title')?.saw).toEqual([{ name: 'title', value: 'Oak stool', size: 9 }])
    expect(ruleOf(said.rules, 'feed.link')?.refusals).toEqual([
      'The link is missing; send the address of the product page',
    ])
    const google = said.platforms.find(({ platform }: { platform: string }) => platform === 'google')
    expect(google).toMatchObject({ required: true, valid: false, feedReady: false })
    expect(google.problems).toContainEqual({
      field: 'link',
      reason: 'The link is missing; send the address of the product page',
    })
    expect(said.gaps.map(({ points }: { points: number }) => points)).toEqual(
      said.gaps.map(({ points }: { points: number }) => points).toSorted((a: number, b: number) => b - a),
    )
    const given = said.rules.reduce((sum: number, rule: Rule) => sum + rule.given, 0)
    expect(Math.abs(given - said.score)).toBeLessThan(1)
    expect(said.dimensions.reduce((sum: number, one: { given: number }) => sum + one.given, 0)).toBeCloseTo(given, 0)
    expect(said.positions).toEqual([
      {
        ...{ source: 'api', importId: null, fields: expect.arrayContaining(['sku', 'title', 'price', 'currency']) },
        position: { epoch: 1, partition: expect.any(Number), offset: said.revision.offset },
      },
    ])
  })

  test('200: names the file beside the edit, each with the fields that it gave', async () => {
    const catalog = await assay.newCatalog()
    const { result } = await assay.ingest(catalog, 'sku,title,price\nF-1,Oak stool,9.50\n')
    const [product] = await assay.products(catalog)
    await assay.call('PATCH', `${path}/${product?.id}`, { brand: 'Lumo' })
    const { positions, revision } = await explain(product?.id ?? '')
    const named = Object.fromEntries(positions.map((one: { importId: string | null }) => [one.importId ?? 'edit', one]))
    expect(named[result.importId].fields).toEqual(['sku', 'title', 'price'])
    expect(named.edit).toMatchObject({ source: 'api', fields: ['brand'], position: { offset: revision.offset } })
  })

  test('200: a dimension without weight gives and takes nothing; weights that wait are named', async () => {
    const product = await create({ sku: 'W-1' })
    const dimensions = { identity: 1, content: 0, media: 0, pricing: 0, availability: 0, seo: 0, compliance: 0 }
    const pool = assay.system.catalog.pipeline
    await saveSettings(assay, { weights: dimensions })
    await settled(assay)
    const said = await explain(product.id)
    expect(said.weightsNumber).toBe(2)
    expect(ruleOf(said.rules, 'image')).toMatchObject({ percent: 0, possible: 0, given: 0, lost: 0 })
    expect(said.gaps.map(({ field }: { field: string }) => field)).not.toContain('image')
    await pool.query(
      `insert into weights_version (workspace_id, number, w) select $1, 9, w from weights_version where workspace_id = $1 limit 1`,
      [workspace],
    )
    await pool.query('update workspace set weights_pending = 9, deleted_at = null where workspace_id = $1', [workspace])
    const waiting = await explain(product.id)
    expect([null, 9]).toContain(waiting.weightsPending)
    await settled(assay)
  })

  test('200: what was not graded, not refined or not graded by these rules says so', async () => {
    const pool = assay.system.catalog.pipeline
    const old = await create({ sku: 'O-1' })
    await pool.query('update product_score set rubric_version = 1 where product_id = $1', [old.id])
    const outdated = await explain(old.id)
    expect(outdated).toMatchObject({ state: 'outdated', rubricVersion: 1, score: outdated.explained })

    await saveSettings(assay, { auto_gold: false })
    const silver = await create({ sku: 'O-2' })
    const ungraded = await explain(silver.id)
    expect(ungraded).toMatchObject({
      state: 'ungraded',
      score: null,
      band: null,
      feedReady: false,
      rubricVersion: null,
    })
    expect(ungraded.explained).toEqual(expect.any(Number))

    await saveSettings(assay, { auto_silver: false })
    const bronze = await create({ sku: 'O-3' })
    const unrefined = await explain(bronze.id)
    expect(unrefined).toMatchObject({ state: 'unrefined', explained: null, rules: [], gaps: [], settingsNumber: 0 })
    await assay.call('PATCH', `${path}/${old.id}`, { brand: 'Lumo' })
    expect(await explain(old.id)).toMatchObject({ state: 'outdated', stale: true, score: outdated.score })
    await saveSettings(assay, { auto_silver: true, auto_gold: true })
    await settled(assay)
  })

  test('200: a parent has no score, and its variants have', async () => {
    const catalog = await assay.newCatalog()
    const rows = ['P-1-S,S', 'P-1-M,M'].map((row) => `${row},P-1,T-shirt,9.50`)
    await assay.ingest(catalog, ['sku,size,item_group_id,title,price', ...rows, ''].join('\n'))
    const [parent] = await assay.products(catalog, { kind: 'parent' })
    expect(await explain(parent?.id ?? '')).toMatchObject({ state: 'parent', score: null, rules: [] })
    const [variant] = await assay.products(catalog, { kind: 'variant' })
    expect(await explain(variant?.id ?? '')).toMatchObject({ state: 'graded', score: variant?.optimizationScore })
  })

  test('404: what is no product', async () => {
    const nowhere = '00000000-0000-4000-8000-000000000001'
    expectSamplesForm(await assay.call('GET', `${path}/${nowhere}/explain`), 404, 'NOT_FOUND', 'productId')
  })
})
