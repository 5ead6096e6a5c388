import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProductResource } from '../../../serving/workspace/product-resource.ts'
import type { Running } from '../../running.ts'
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

describe('read', () => {
  test('400 and 404: what is no product', async () => {
    expectSamplesForm(await assay.call('GET', `${path}/mug`), 400, 'INVALID_REQUEST', 'productId')
    expectSamplesForm(await assay.call('GET', `${path}/${nowhere}`), 404, 'NOT_FOUND', 'productId')
  })

  test('200: an id is found however its letters are written', async () => {
    const { id } = await made({})
    expect((await assay.call('GET', `${path}/${id.toUpperCase()}`)).body.product.id).toBe(id)
  })
})

describe('list', () => {
  test('200: pages hold every product of before once, while others are created and deleted', async () => {
    const own = await assay.newCatalog()
    const lines = Array.from({ length: 60 }, (_, i) => `L-${i},Mug number ${i},"${i + 1},00"`)
    await assay.ingest(own, `sku,title,price\n${lines.join('\n')}\n`)
    const before = (await assay.products(own)).map(({ id }) => id)
    expect(before).toHaveLength(60)
    const seen: string[] = []
    for (let after = ''; ; ) {
      const { body } = await assay.call('GET', `${path}?catalog_id=${own}&limit=7${after}`)
      seen.push(...body.products.map(({ id }: ProductResource) => id))
      await made({ catalog_id: own, sku: `new-${seen.length}` })
      // The product that the cursor names goes: the next page begins after its place all the same.
      if (seen.length === 7) await assay.call('DELETE', `${path}/${seen[6]}`)
      if (body.next === null) break
      after = `&after=${body.next}`
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(before))
  })

  test('200: twenty a page unless asked otherwise, and filters by SKU, kind and family', async () => {
    const own = await assay.newCatalog()
    const rows = ['Handle,Variant SKU,Title,Option1 Name,Option1 Value,Variant Price']
    for (const [i, size] of ['S', 'M', 'L'].entries()) rows.push(`tee,T-1-${size},${i ? '' : 'Tee'},Size,${size},10.00`)
    for (let i = 0; i < 20; i++) rows.push(`mug-${i},M-${i},Mug ${i},Title,Default Title,5.00`)
    await assay.ingest(own, `${rows.join('\n')}\n`)
    const ask = async (query: string) => (await assay.call('GET', `${path}?catalog_id=${own}&${query}`)).body
    expect((await ask('')).products).toHaveLength(20)
    const kinds = async (kind: string) => (await ask(`limit=200&kind=${kind}`)).products.length
    expect([await kinds('single'), await kinds('variant'), await kinds('parent')]).toEqual([20, 3, 1])
    const [variant] = (await ask('sku=T-1-M')).products
    expect(variant).toMatchObject({ kind: 'variant', options: { Size: 'M' } })
    expect((await ask(`family_id=${variant.familyId}`)).products).toHaveLength(4)
    expect(await ask('sku=nobody')).toEqual({ products: [], next: null })
  })

  test('400: bad ids, kinds, limits and cursors are named', async () => {
    for (const [query, field] of [
      ['catalog_id=spring', 'catalog_id'],
      ['kind=bundle', 'kind'],
      ['family_id=1', 'family_id'],
      ['limit=201', 'limit'],
      ['after=x', 'after'],
      ['after=a&after=b', 'after'],
    ] as const)
      expectSamplesForm(await assay.call('GET', `${path}?${query}`), 400, 'INVALID_REQUEST', field)
    expectSamplesForm(await assay.call('GET', `${path}?catalog_id=${nowhere}`), 404, 'CATALOG_NOT_FOUND', 'catalog_id')
  })
})

describe('edit', () => {
  const patch = (id: string, body: unknown) => assay.call('PATCH', `${path}/${id}`, body)

  test('200: named fields change, null clears, all else stays', async () => {
    const before = await made({ sku: 'EDIT-1', brand: 'Lumo', gtin: '4006381333931', currency: 'EUR' })
    const { status, body } = await patch(before.id, { title: 'Large mug', brand: null, price: 2.5 })
    expect(status).toBe(200)
    // The edit is one more record behind its score.
    const { updatedAt, optimizationScore, feedReady, scoredWith, ...rest } = before
    expect(body.product).toMatchObject({ ...rest, title: 'Large mug', brand: null, price: 2.5 })
    expect(body.product.updatedAt > updatedAt).toBe(true)
  })

  test('200: the same again changes nothing, not even the time', async () => {
    const { id } = await made({ sku: 'EDIT-2' })
    const { product } = (await patch(id, { brand: 'Lumo' })).body
    expect((await patch(id, { brand: 'Lumo' })).body.product).toEqual(product)
  })

  test('200: a variant that is edited stays a variant of its family', async () => {
    const own = await assay.newCatalog()
    const head = 'Handle,Variant SKU,Title,Option1 Name,Option1 Value,Variant Price'
    await assay.ingest(own, `${head}\ncap,C-S,Cap,Size,S,10.00\ncap,C-M,,Size,M,10.00\n`)
    const [before] = await assay.products(own, { sku: 'C-M' })
    const { body } = await patch(before?.id ?? '', { title: 'Cap, medium' })
    expect(body.product).toMatchObject({ kind: 'variant', familyId: before?.familyId, title: 'Cap, medium', price: 10 })
  })

  test('400: no field, an unknown field, a value against the rules', async () => {
    const { id } = await made({ sku: 'EDIT-3' })
    for (const [body, field] of [
      [{}, undefined],
      [{ colour: 'red' }, 'colour'],
      [{ catalog_id: nowhere }, 'catalog_id'],
      [{ title: '' }, 'title'],
      [{ price: -1 }, 'price'],
      [{ description: 'x'.repeat(5_001) }, 'description'],
    ] as const)
      expectSamplesForm(await patch(id, body), 400, 'INVALID_REQUEST', field)
  })

  test("400: a currency alone does not relabel a file's amount; with its price, or after it, it is taken", async () => {
    const own = await assay.newCatalog()
    await assay.ingest(own, 'sku,title,price,currency\nCUR-1,Mug,"1,50",EUR\n')
    const id = (await assay.products(own))[0]?.id ?? ''
    expectSamplesForm(await patch(id, { currency: 'USD' }), 400, 'INVALID_REQUEST')
    expect((await patch(id, { currency: 'USD', price: 2 })).body.product).toMatchObject({ price: 2, currency: 'USD' })
    expect((await patch(id, { currency: 'GBP' })).body.product).toMatchObject({ price: 2, currency: 'GBP' })
  })

  test('409: a SKU that another product has; its own is no other', async () => {
    const [a, b] = [await made({ sku: 'HAS-1' }), await made({ sku: 'HAS-2' })]
    const { status, body } = await patch(b.id, { sku: 'HAS-1', title: 'Never' })
    expect({ status, error: body.error }).toEqual({ status: 409, error: 'DATA_003' })
    expect((await assay.call('GET', `${path}/${b.id}`)).body.product).toMatchObject({ sku: 'HAS-2', title: 'Mug' })
    expect((await patch(a.id, { sku: 'HAS-1', title: 'Own' })).body.product).toMatchObject({
      sku: 'HAS-1',
      title: 'Own',
    })
  })

  test('404: what is no product', async () => {
    expectSamplesForm(await patch(nowhere, { title: 'Mug' }), 404, 'NOT_FOUND', 'productId')
  })
})

describe('delete', () => {
  test('200, then 404: a deleted product is in no read, no list, and cannot be deleted or edited again', async () => {
    const { id } = await made({ sku: 'GONE-1' })
    const one = `${path}/${id}`
    expect(await assay.call('DELETE', one)).toMatchObject({ status: 200, body: { productId: id, deleted: true } })
    for (const answer of [
      await assay.call('GET', one),
      await assay.call('DELETE', one),
      await assay.call('PATCH', one, { title: 'Back' }),
    ])
      expectSamplesForm(answer, 404, 'NOT_FOUND', 'productId')
    expect(await assay.products(catalog, { sku: 'GONE-1' })).toEqual([])
  })
})

test('200: a list of images is taken whole, also where a file named a first one', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, 'sku,title,price,image\nA,Mug,1,https://shop.example/old.jpg\n')
  const [{ id } = { id: '' }] = await assay.products(catalog)
  const images = ['https://shop.example/a.jpg', 'https://shop.example/b.jpg']
  const changed = await assay.call('PATCH', `${path}/${id}`, { image_urls: images })
  expect(changed.body.product).toMatchObject({ images, primaryImageUrl: images[0] })
})
