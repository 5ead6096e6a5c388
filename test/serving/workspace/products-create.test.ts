import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProductResource } from '../../../serving/workspace/product-resource.ts'
import type { Answer, Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let catalog: string
beforeAll(async () => {
  assay = await sharedAssay()
  catalog = await assay.newCatalog()
})
afterAll(() => assay.close())

const path = `/api/workspace/${workspace}/catalog/products`
const nowhere = '00000000-0000-4000-8000-000000000001'
const create = (body: object) => assay.call('POST', path, { catalog_id: catalog, title: 'Mug', price: 1, ...body })

async function made(body: object): Promise<ProductResource> {
  const answer = await create(body)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.product
}

describe('create', () => {
  test('201: what tells variants apart, dates and measures come back, and a change moves or clears them', async () => {
    const fields = {
      color: 'Ink blue',
      size: 'M',
      material: 'Cotton',
      pattern: 'Striped',
      gender: 'Damen',
      age_group: 'adult',
      availability_date: '2027-01-15',
      expiration_date: '2027-03-01',
      sale_price_effective_date: '2026-12-01/2026-12-24',
      unit_pricing_measure: '750 ml',
      unit_pricing_base_measure: '100 ml',
      weight: '0.34 kg',
      length: '30 cm',
      width: '20 cm',
      height: '9 cm',
      seo_title: 'Striped shirt',
      seo_description: 'A striped shirt of cotton.',
      tags: ['shirts, striped', 'summer'],
    }
    const product = await made(fields)
    expect(product).toMatchObject({
      color: 'Ink blue',
      size: 'M',
      material: 'Cotton',
      pattern: 'Striped',
      gender: 'female',
      ageGroup: 'adult',
      availabilityDate: '2027-01-15',
      expirationDate: '2027-03-01',
      salePriceEffectiveDate: '2026-12-01/2026-12-24',
      unitPricingMeasure: '750 ml',
      unitPricingBaseMeasure: '100 ml',
      weight: '0.34 kg',
      length: '30 cm',
      width: '20 cm',
      height: '9 cm',
      seoTitle: 'Striped shirt',
      seoDescription: 'A striped shirt of cotton.',
      tags: ['shirts, striped', 'summer'],
    })
    const changed = await assay.call('PATCH', `${path}/${product.id}`, {
      gender: 'unisex',
      age_group: null,
      pattern: '',
      tags: [],
    })
    expect(changed).toMatchObject({ status: 200 })
    expect(changed.body.product).toMatchObject({ gender: 'unisex', ageGroup: null, pattern: null, tags: [], size: 'M' })
  })

  test.each([
    ['gender', 'pilots'],
    ['age_group', 'elderly-ish'],
    ['availability_date', 'soon'],
    ['expiration_date', '03/04/2027'],
    ['sale_price_effective_date', '2027-03-01'],
    ['weight', 'heavy'],
    ['height', '9 stone throws'],
    ['unit_pricing_measure', 'a glass'],
  ])('400: a %s that nobody can read is refused in words, and not taken for none', async (field, value) => {
    const answer = await create({ [field]: value })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(value.replace(/^\d /, ''))
  })

  test('201: every field of the contract comes back, graded and ready to be read', async () => {
    const { status, body } = await create({
      title: 'Enamel mug with a white rim',
      price: 12.5,
      description: 'A mug with a white rim that keeps coffee warm for a long while.',
      brand: 'Lumo',
      category_path: ['Home', 'Kitchen', 'Mugs'],
      original_price: 15,
      currency: 'eur',
      primary_image_url: 'https://cdn.example.test/mug.jpg',
      sku: 'FULL-1',
      gtin: '4006381333931',
      availability: 'in_stock',
      attributes: { dishwasher: true, litres: 0.3, marks: ['CE'] },
    })
    expect(status).toBe(201)
    expect(body.product).toMatchObject({
      workspaceId: workspace,
      catalogId: catalog,
      title: 'Enamel mug with a white rim',
      price: 12.5,
      originalPrice: 15,
      currency: 'EUR',
      availability: 'in_stock',
      brand: 'Lumo',
      categoryPath: ['Home', 'Kitchen', 'Mugs'],
      primaryImageUrl: 'https://cdn.example.test/mug.jpg',
      sku: 'FULL-1',
      gtin: '4006381333931',
      attributes: { dishwasher: true, litres: 0.3, marks: ['CE'] },
      kind: 'single',
      stage: 'gold',
      optimizationScore: expect.any(Number),
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(await assay.call('GET', `${path}/${body.product.id}`)).toMatchObject({ status: 200, body })
  })

  test("201: title and price are enough, and go to the brand's default catalog where none is named", async () => {
    const { status, body } = await assay.call('POST', path, { title: 'Mug', price: 0 })
    expect(status).toBe(201)
    expect(body.product).toMatchObject({ title: 'Mug', price: 0, currency: null, sku: null, feedReady: false })
    const { catalogs } = (await assay.call('GET', `/api/workspace/${workspace}/catalogs`)).body
    expect(catalogs.find((one: { isDefault: boolean }) => one.isDefault).id).toBe(body.product.catalogId)
  })

  test('201: two products without any identifier are two', async () => {
    const [a, b] = [await made({}), await made({})]
    expect(a.id).not.toBe(b.id)
  })

  test('201: lengths are counted in characters, up to the last one', async () => {
    const product = await made({ title: '🧦'.repeat(500), description: '🧦'.repeat(5_000) })
    expect([...(product.title ?? '')]).toHaveLength(500)
    expect([...(product.description ?? '')]).toHaveLength(5_000)
  })

  const rules: readonly (readonly [string, object, string])[] = [
    ['a title is needed', { title: undefined }, 'title'],
    ['a title has at least one character', { title: '' }, 'title'],
    ['a title has at least one that can be seen', { title: ' \u00a0\t' }, 'title'],
    ['a title has at most 500', { title: 'x'.repeat(501) }, 'title'],
    ['a title has at most 500, whatever their width', { title: '🧦'.repeat(501) }, 'title'],
    ['a title is text', { title: 7 }, 'title'],
    ['a title is not null', { title: null }, 'title'],
    ['a price is needed', { price: undefined }, 'price'],
    ['a price is not below zero', { price: -0.01 }, 'price'],
    ['a price is a number', { price: '12.50' }, 'price'],
    ['a price can be written out', { price: 1e16 }, 'price'],
    ['a price has no noise of a float', { price: 0.1 + 0.2 }, 'price'],
    ['a former price is not below zero', { original_price: -1 }, 'original_price'],
    ['a description has at most 5000 characters', { description: 'x'.repeat(5_001) }, 'description'],
    ['a currency has three letters', { currency: 'EURO' }, 'currency'],
    ['a currency is no sign', { currency: '€' }, 'currency'],
    ['a category path is a list', { category_path: 'Home > Mugs' }, 'category_path'],
    ['every level of it is text', { category_path: ['Home', 7] }, 'category_path.1'],
    ['attributes are an object', { attributes: ['red'] }, 'attributes'],
    ['a SKU is text', { sku: 4711 }, 'sku'],
    ['a catalog is named by its id', { catalog_id: 'spring' }, 'catalog_id'],
    ['a brand is named by its id', { brand_id: 'main' }, 'brand_id'],
    ['unknown fields are refused', { categoryPath: ['Home'] }, 'categoryPath'],
  ]
  test.each(rules)('400: %s', async (_, body, field) => {
    expectSamplesForm(await create(body), 400, 'INVALID_REQUEST', field)
  })

  test('404: a catalog that is not there', async () => {
    expectSamplesForm(await create({ catalog_id: nowhere }), 404, 'CATALOG_NOT_FOUND', 'catalog_id')
  })

  test('409: a second product with the same SKU, also with space around it; another case is another SKU', async () => {
    const first = await made({ sku: 'TWICE-1' })
    for (const sku of ['TWICE-1', ' TWICE-1 ', 'TWICE-1\u00a0']) {
      const { status, body } = await create({ sku, title: 'Second' })
      expect({ status, error: body.error }).toEqual({ status: 409, error: 'DATA_003' })
    }
    expect(await made({ sku: 'twice-1' })).toMatchObject({ sku: 'twice-1' })
    expect((await assay.call('GET', `${path}/${first.id}`)).body.product.title).toBe('Mug')
  })

  test('409: names the field that is taken, and the product that has it', async () => {
    const catalog_id = await assay.newCatalog()
    const has = { gtin: '9520000000080', mpn: 'M-1', brand: 'Lumo', link: 'https://shop.example.test/taken' }
    const { id } = await made({ ...has, catalog_id })
    for (const [body, field] of [
      [{ gtin: has.gtin }, 'gtin'],
      [{ mpn: has.mpn, brand: has.brand }, 'mpn'],
      [{ link: has.link }, 'link'],
      [{ gtin: has.gtin, link: has.link }, 'gtin'],
    ] as const) {
      const answer = await create({ ...body, catalog_id })
      expectSamplesForm(answer, 409, 'DATA_003', field)
      expect(answer.body.details.message).toContain(id)
    }
    await made({ sku: 'MINE-1', catalog_id })
    expectSamplesForm(await create({ sku: ' MINE-1\u00a0', catalog_id }), 409, 'DATA_003', 'sku')
  })

  test('409: of creates with one SKU that race, exactly one wins and the product is as it said', async () => {
    for (let round = 0; round < 5; round++) {
      const sku = `RACE-${round}`
      const answers = await Promise.all([1, 2, 3, 4].map((n) => create({ sku, title: `Number ${n}` })))
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
      const won = answers.find(({ status }) => status === 201) as Answer
      for (const answer of answers) if (answer !== won) expect(answer.body.error).toBe('DATA_003')
      const found = await assay.products(catalog, { sku })
      expect(found).toHaveLength(1)
      expect(found[0]).toMatchObject({ id: won.body.product.id, title: won.body.product.title })
    }
  })

  test('201: the same SKU in another catalog, and in this one once the first was deleted', async () => {
    const other = await assay.newCatalog()
    const first = await made({ sku: 'AGAIN-1', title: 'First' })
    expect(await made({ sku: 'AGAIN-1', catalog_id: other })).toMatchObject({ catalogId: other })
    expect((await assay.call('DELETE', `${path}/${first.id}`)).status).toBe(200)
    expect(await made({ sku: 'AGAIN-1', title: 'Anew' })).toMatchObject({ title: 'Anew' })
  })

  test('400: text that a store cannot keep as it is, in a field or deep in the attributes, makes no product', async () => {
    for (const text of ['nul \u0000 inside', 'half \ud83e of a pair'])
      for (const body of [
        { title: text },
        { description: text },
        { attributes: { note: text } },
        { attributes: { [text]: 1 } },
      ]) {
        const { status, body: answer } = await create(body)
        expect({ status, error: answer.error }).toEqual({ status: 400, error: 'INVALID_REQUEST' })
      }
  })
})

test('201: a product says who made it, also after others changed it; one of a file says nobody', async () => {
  const base = `/api/workspace/${workspace}`
  const made = await assay.call('POST', `${base}/catalog/products`, { title: 'Mug', price: 1 })
  expect(made.body.product.createdBy).toBe('test:admin')
  const other = { authorization: `Bearer ${await assay.token('editor')}` }
  const changed = await assay.call('PATCH', `${base}/catalog/products/${made.body.product.id}`, { price: 2 }, other)
  expect(changed.body.product).toMatchObject({ price: 2, createdBy: 'test:admin' })
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, 'sku,title,price\nA,Mug,1\n')
  expect((await assay.products(catalog))[0]?.createdBy).toBeNull()
})
