import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProductResource } from '../../../serving/workspace/product-resource.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'

let assay: Running
let catalog: string
beforeAll(async () => {
  assay = await sharedAssay()
  catalog = await assay.newCatalog()
})
afterAll(() => assay.close())

const path = `/api/workspace/${workspace}/catalog/products`
const create = (body: object) => assay.call('POST', path, { catalog_id: catalog, title: 'Mug', price: 1, ...body })
const read = (id: string) => assay.call('GET', `${path}/${id}`)
const patch = (id: string, body: object) => assay.call('PATCH', `${path}/${id}`, body)
const remove = (id: string) => assay.call('DELETE', `${path}/${id}`)

async function made(body: object): Promise<ProductResource> {
  const answer = await create(body)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.product
}

describe('a create after a delete', () => {
  const rich = {
    title: 'Enamel mug',
    description: 'A mug with a white rim.',
    brand: 'Lumo',
    mpn: 'EM-1',
    attributes: { litres: 0.3 },
    primary_image_url: 'https://cdn.example.test/mug.jpg',
    original_price: 15,
    currency: 'EUR',
  }
  const bare = {
    ...{ title: 'New', price: 5, description: null, brand: null, mpn: null, attributes: {}, images: [] },
    ...{ primaryImageUrl: null, originalPrice: null, currency: null },
  }

  test('201: has what was sent, and nothing of what edits said before; it is the same product', async () => {
    const before = await made({ sku: 'RV-1', ...rich })
    await remove(before.id)
    const { status, body } = await create({ sku: 'RV-1', title: 'New', price: 5 })
    expect(status).toBe(201)
    expect(body.product).toMatchObject({ id: before.id, sku: 'RV-1', ...bare })
  })

  test('201: keeps what files say', async () => {
    const own = await assay.newCatalog()
    await assay.ingest(own, 'sku,title,brand\nRV-2,Mug,Lumo\n')
    const [{ id } = { id: '' }] = await assay.products(own, { sku: 'RV-2' })
    await patch(id, { brand: 'Edited', mpn: 'EM-2' })
    await remove(id)
    const { body } = await create({ catalog_id: own, sku: 'RV-2', title: 'New', brand: 'Sent' })
    expect(body.product).toMatchObject({ id, title: 'New', brand: 'Sent', mpn: null })
    await patch(id, { mpn: 'EM-3' })
    await assay.ingest(own, 'sku,title,brand\nRV-2,Mug,Lumina\n')
    expect((await read(id)).body.product).toMatchObject({ title: 'New', brand: 'Lumina', mpn: 'EM-3' })
  })

  test('201: by another identifier, gives the SKU free that it no longer has', async () => {
    const gtin = '4006381333931'
    const own = await assay.newCatalog()
    const before = await made({ catalog_id: own, gtin })
    await patch(before.id, { sku: 'RV-3' })
    await remove(before.id)
    const { body } = await create({ catalog_id: own, gtin })
    expect(body.product).toMatchObject({ id: before.id, sku: null })
    expect((await create({ catalog_id: own, sku: 'RV-3' })).status).toBe(201)
  })

  test('a row of a file of edits that makes a deleted product anew does as a create', async () => {
    const own = await assay.newCatalog()
    const { id } = await made({ catalog_id: own, sku: 'RV-4', ...rich })
    await remove(id)
    const file = 'assay_id,sku,title,price\n,RV-4,New,5\n'
    expect((await assay.ingest(own, file)).result).toMatchObject({ updated: 1, rejected: 0 })
    expect((await read(id)).body.product).toMatchObject({ id, ...bare })
  })
})

describe('a SKU', () => {
  test('201: that an edit replaced is free although the title, or a column of no SKU, says the same', async () => {
    const { id } = await made({ sku: 'SX-A', title: 'SX-A' })
    await patch(id, { sku: 'SX-C' })
    expect((await create({ sku: 'SX-A' })).status).toBe(201)
    const own = await assay.newCatalog()
    await assay.ingest(own, 'ean,name,note\n4006381333931,SX-B,SX-B\n')
    const [product] = await assay.products(own)
    await patch(product?.id ?? '', { sku: 'SX-B' })
    await patch(product?.id ?? '', { sku: 'SX-D' })
    expect((await create({ catalog_id: own, sku: 'SX-B' })).status).toBe(201)
  })
})
