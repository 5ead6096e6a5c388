import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bandOf } from '../../../schemas/score.ts'
import type { GoldResult } from '../../../serving/workspace/gold.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let catalog: string
beforeAll(async () => {
  assay = await sharedAssay()
  catalog = await assay.newCatalog()
  const head = 'Handle,Variant SKU,Title,Body (HTML),Vendor,Option1 Name,Option1 Value,Variant Price,Image Src'
  const rows = [
    'tee,T-S,Tee,A tee of heavy cotton that keeps its shape.,Lumo,Size,S,10.00,https://cdn.example.test/t.jpg',
    'tee,T-M,,,,Size,M,10.00,',
    'mug,M-1,Mug,,,Title,Default Title,5.00,',
  ]
  await assay.ingest(catalog, `${head}\n${rows.join('\n')}\n`)
})
afterAll(() => assay.close())

const pathOf = (id: string) => `/api/workspace/${workspace}/catalogs/${id}/batch/gold`
const gold = (body: unknown, id = catalog) => assay.call('POST', pathOf(id), body)
const nowhere = '00000000-0000-4000-8000-000000000001'
const idOf = async (sku: string) => (await assay.products(catalog, { sku }))[0]?.id ?? ''
const parent = async () => (await assay.products(catalog, { kind: 'parent' }))[0]?.id ?? ''

interface Graded {
  readonly productId: string
  readonly status: string
  readonly score: number
  readonly gaps: string[]
  readonly missingFields: string[]
}

describe('scope', () => {
  test('200: all grades every product that has a score, parents not, and sums it up', async () => {
    const { status, headers, body } = await gold({ scope: 'all' })
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/json; charset=utf-8' })
    const results: Graded[] = body.results
    const graded = (await assay.products(catalog)).filter(({ kind }) => kind !== 'parent')
    expect(results.map(({ productId }) => productId).sort()).toEqual(graded.map(({ id }) => id).sort())
    for (const result of results) {
      expect(Object.keys(result)).toEqual(['productId', 'status', 'score', 'gaps', 'missingFields'])
      expect(result.status).toBe('success')
      expect(result.gaps).toEqual(expect.arrayContaining(result.missingFields))
      expect(graded.find(({ id }) => id === result.productId)?.optimizationScore).toBe(result.score)
    }
    const scores = results.map(({ score }) => score)
    const { avgScore, scoreDistribution, topGaps } = body.catalogSummary
    expect(avgScore).toBeCloseTo(scores.reduce((a, b) => a + b, 0) / scores.length, 2)
    for (const band of ['excellent', 'good', 'warning', 'poor'])
      expect(scoreDistribution[band]).toBe(scores.filter((score) => bandOf(score) === band).length)
    expect(topGaps.length).toBeGreaterThan(0)
    expect(Object.keys(body)).toEqual(['results', 'catalogSummary'])
  })

  test('200: all ignores productIds, whatever they are', async () => {
    const { body: wanted } = await gold({ scope: 'all' })
    for (const productIds of [[], [nowhere], ['x'.repeat(1_000)], [7], null, 'T-S', {}])
      expect(await gold({ scope: 'all', productIds })).toMatchObject({ status: 200, body: wanted })
  })

  test('200: a selection answers each id once, in the order asked', async () => {
    const ids = [await idOf('T-M'), nowhere, await idOf('M-1'), await idOf('T-M')]
    const { body } = await gold({ scope: 'selection', productIds: ids })
    expect(body.results.map(({ productId }: GoldResult) => productId)).toEqual(ids.slice(0, 3))
  })

  test('200: an id that is no product, or no id, is an entry of its own and no failure of the call', async () => {
    const error = 'Product not in Silver stage — run Silver first'
    const { status, body } = await gold({ scope: 'selection', productIds: [nowhere, 'T-S', await idOf('T-S')] })
    expect(status).toBe(200)
    expect(body.results).toEqual([
      { productId: nowhere, status: 'error', error },
      { productId: 'T-S', status: 'error', error },
      expect.objectContaining({ status: 'success' }),
    ])
    const { scoreDistribution } = body.catalogSummary
    expect(Object.values<number>(scoreDistribution).reduce((a, b) => a + b)).toBe(1)
  })

  test('200: a parent asked for by id says where the scores are', async () => {
    const id = await parent()
    const { body } = await gold({ scope: 'selection', productIds: [id] })
    const error = 'A parent has no score; its variants have'
    expect(body).toEqual({
      results: [{ productId: id, status: 'error', error }],
      catalogSummary: {
        avgScore: 0,
        scoreDistribution: { excellent: 0, good: 0, warning: 0, poor: 0 },
        topGaps: [],
      },
    })
  })

  test('200: a product of another catalog and a deleted one are not in it', async () => {
    const other = await assay.newCatalog()
    await assay.ingest(other, 'sku,title,price\nO-1,Stool,"9,00"\nO-2,Lamp,"9,00"\n')
    const [elsewhere, gone] = await assay.products(other)
    await assay.call('DELETE', `/api/workspace/${workspace}/catalog/products/${gone?.id}`)
    const answers = [
      await gold({ scope: 'selection', productIds: [elsewhere?.id] }),
      await gold({ scope: 'selection', productIds: [gone?.id] }, other),
    ]
    for (const { body } of answers) expect(body.results).toMatchObject([{ status: 'error' }])
  })

  test('200: an empty catalog has no results and a summary of nothing', async () => {
    const { status, body } = await gold({ scope: 'all' }, await assay.newCatalog())
    expect({ status, results: body.results }).toEqual({ status: 200, results: [] })
    expect(body.catalogSummary).toMatchObject({ avgScore: 0, topGaps: [] })
  })
})

describe('refusals', () => {
  test('400: the scope is missing or none, a selection names nothing, a field is unknown', async () => {
    for (const [body, field] of [
      [{}, 'scope'],
      [{ scope: null }, 'scope'],
      [{ scope: 'ALL' }, 'scope'],
      [{ scope: 'selection' }, 'productIds'],
      [{ scope: 'selection', productIds: [] }, 'productIds'],
      [{ scope: 'selection', productIds: [7] }, 'productIds.0'],
      [{ scope: 'all', dryRun: true }, 'dryRun'],
    ] as const)
      expectSamplesForm(await gold(body), 400, 'VALIDATION_ERROR', field)
    expectSamplesForm(await gold({ scope: 'all' }, 'spring'), 400, 'VALIDATION_ERROR', 'catalogId')
  })

  test('400: a body that is no JSON, or none, is a validation error too', async () => {
    const json = { 'content-type': 'application/json' }
    expectSamplesForm(await assay.call('POST', pathOf(catalog), '{', json), 400, 'VALIDATION_ERROR')
    expectSamplesForm(await assay.call('POST', pathOf(catalog)), 400, 'VALIDATION_ERROR')
  })

  test('404: a catalog that is not there', async () => {
    expectSamplesForm(await gold({ scope: 'all' }, nowhere), 404, 'CATALOG_NOT_FOUND', 'catalogId')
  })
})
