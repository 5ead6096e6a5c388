import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const read = (catalog: string, query = '') => assay.call('GET', `${base}/catalogs/${catalog}/family-problems${query}`)
const problems = async (catalog: string) => {
  const { status, body } = await read(catalog)
  expect(status).toBe(200)
  return body.families as {
    familyId: string
    itemGroupId: string
    problems: { code: string; examples: { sku: string }[] }[]
  }[]
}
const codes = async (catalog: string) =>
  (await problems(catalog)).flatMap((one) => one.problems.map(({ code }) => code))

const header = 'sku,item_group_id,title,color,size,price'
const file = (...rows: readonly string[]) => [header, ...rows, ''].join('\n')
const even = file(
  'T-1,tee,Tee,red,S,10 EUR',
  'T-2,tee,Tee,red,M,10 EUR',
  'C-1,cap,Cap,,S,5 EUR',
  'C-2,cap,Cap,,M,5 EUR',
)
const uneven = file('T-1,tee,Tee,red,S,10 EUR', 'T-2,tee,Tee,,M,10 EUR', 'T-3,tee,Tee,,L,10 EUR', 'M-1,,Mug,,,3 EUR')

describe('families whose variants do not go together', () => {
  test('are none where all say the same attributes and no two the same values', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, even)
    expect((await read(catalog)).body).toEqual({ families: [], next: null })
  })

  test('are told with the variants that lack an attribute', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, uneven)
    const [family, ...others] = await problems(catalog)
    expect(others).toEqual([])
    expect(family).toMatchObject({
      itemGroupId: 'tee',
      variants: 3,
      problems: [{ code: 'attributes_differ', platforms: ['google', 'meta', 'openai'], variants: 2 }],
    })
    expect(family?.problems[0]?.examples.map(({ sku }) => sku).sort()).toEqual(['T-2', 'T-3'])
    const [variant] = await assay.products(catalog, { sku: 'T-1' })
    expect(family?.familyId).toBe(variant?.familyId)
  })

  test('are told where two variants have the same values, whatever their case, and with one GTIN for Google too', async () => {
    const catalog = await assay.newCatalog()
    const two = (gtin: string) => [
      `T-1,tee,Tee,red,S,10 EUR,${gtin}`,
      `T-2,tee,Tee,Red,S,10 EUR,${gtin}`,
      'T-3,tee,Tee,red,M,10 EUR,',
    ]
    await assay.ingest(catalog, [`${header},gtin`, ...two(''), ''].join('\n'))
    expect(await problems(catalog)).toMatchObject([
      { problems: [{ code: 'variants_alike', platforms: ['meta', 'openai'], variants: 2 }] },
    ])
    await assay.ingest(catalog, [`${header},gtin`, ...two('4006381333931'), ''].join('\n'))
    expect(await problems(catalog)).toMatchObject([
      { problems: [{ code: 'variants_alike', platforms: ['google', 'meta', 'openai'], variants: 2 }] },
    ])
  })

  test('are of one attribute, whether it is an option or a column', async () => {
    const catalog = await assay.newCatalog()
    const shopify = [
      'Handle,Title,Variant SKU,Option1 Name,Option1 Value,Variant Price',
      'tee,Tee,T-1,Größe,S,10.00',
      'tee,,T-2,,M,10.00',
      '',
    ]
    await assay.ingest(catalog, shopify.join('\n'))
    expect(await codes(catalog)).toEqual([])
  })

  test('are gone after the edit that mends them, and there again after one that breaks them', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, uneven)
    const edit = async (sku: string, body: object) => {
      const [product] = await assay.products(catalog, { sku })
      const { status } = await assay.call('PATCH', `${base}/catalog/products/${product?.id}`, body)
      expect(status).toBe(200)
    }
    await edit('T-2', { color: 'red' })
    expect(await codes(catalog)).toEqual(['attributes_differ'])
    await edit('T-3', { color: 'blue' })
    expect(await codes(catalog)).toEqual([])
    await edit('T-2', { size: 'S' })
    expect(await codes(catalog)).toEqual(['variants_alike'])
  })

  test('come and go with an import and its undo', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, even, { source: 'shop' })
    const second = file('T-8,tee,Tee,red,L,10 EUR', 'T-9,tee,Tee,red,M,10 EUR')
    const { result } = await assay.ingest(catalog, second, { source: 'shop' })
    expect(await codes(catalog)).toEqual(['variants_alike'])
    await assay.change(result.importId, 'undo')
    expect(await codes(catalog)).toEqual([])
  })

  test('are listed by pages that leave none out, and one alone', async () => {
    const catalog = await assay.newCatalog()
    const groups = Array.from({ length: 5 }, (_, i) => [
      `S-${i},g${i},Tee,red,S,10 EUR`,
      `M-${i},g${i},Tee,,M,10 EUR`,
    ]).flat()
    await assay.ingest(catalog, file(...groups))
    const seen: string[] = []
    for (let after = ''; ; ) {
      const { body } = await read(catalog, `?limit=2${after}`)
      seen.push(...body.families.map(({ familyId }: { familyId: string }) => familyId))
      if (body.next === null) break
      after = `&after=${body.next}`
    }
    expect(seen).toHaveLength(5)
    expect(new Set(seen).size).toBe(5)
    const { body } = await read(catalog, `?family_id=${seen[3]}`)
    expect(body.families.map(({ familyId }: { familyId: string }) => familyId)).toEqual([seen[3]])
  })

  test('400 and 404: a cursor of another list, what is no catalog', async () => {
    const catalog = await assay.newCatalog()
    expectSamplesForm(await read(catalog, '?after=x'), 400, 'INVALID_REQUEST', 'after')
    const nowhere = '00000000-0000-4000-8000-000000000001'
    expectSamplesForm(await read(nowhere), 404, 'CATALOG_NOT_FOUND', 'catalogId')
  })
})
