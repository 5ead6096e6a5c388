import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const path = `/api/workspace/${workspace}/catalog/products`
const one = (id: string) => `${path}/${id}`

const full = {
  title: 'Mug',
  price: 4,
  description: 'A mug of enamel.',
  brand: 'Lumo',
  mpn: 'M-1',
  gtin: '4006381333931',
  item_group_id: 'G-1',
  link: 'https://shop.example.test/mug',
  condition: 'new',
  availability: 'in_stock',
  category_path: ['Kitchen', 'Mugs'],
  image_urls: ['https://cdn.example.test/mug.jpg'],
}

/** Each blank in another way that a client may say it. */
const blanks = {
  description: '',
  brand: ' ',
  mpn: '\u00a0',
  gtin: '\u200b',
  item_group_id: '\u0085',
  link: '\t',
  condition: '',
  availability: '',
  category_path: [] as string[],
  image_urls: [] as string[],
}
const cleared = {
  description: null,
  brand: null,
  mpn: null,
  gtin: null,
  itemGroupId: null,
  link: null,
  condition: null,
  availability: null,
  categoryPath: [],
  images: [],
}
const listed =
  'sku,title,description,brand,category,image\nF-1,Mug,Old,Lumo,Kitchen > Mugs,https://cdn.example.test/f.jpg\n'

async function made(body: object) {
  const answer = await assay.call('POST', path, body)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.product
}

describe('a blank field', () => {
  test('200: of a change clears, as null does, one field or all of them', async () => {
    const catalog_id = await assay.newCatalog()
    const { id } = await made({ ...full, catalog_id })
    for (const [name, value] of Object.entries(blanks)) {
      const { status, body } = await assay.call('PATCH', one(id), { [name]: value })
      expect({ name, status }).toEqual({ name, status: 200 })
      const key = name
        .replace('image_urls', 'images')
        .replace(/_(\w)/g, (_, c) => c.toUpperCase()) as keyof typeof cleared
      expect(body.product[key], name).toEqual(cleared[key])
    }
  })

  test('200: of a change clears what a file says, lists of blanks too, and a SKU', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, listed)
    const [row] = await assay.products(catalog)
    const lists = { category_path: ['', ' '], image_urls: ['', '\u200b'], description: '', brand: '', sku: '' }
    expect(await assay.call('PATCH', one(row?.id ?? ''), lists)).toMatchObject({
      status: 200,
      body: { product: { categoryPath: [], images: [], description: null, brand: null, sku: null } },
    })
  })

  test('202: of a bulk change clears, and counts what it cleared', async () => {
    const catalog_id = await assay.newCatalog()
    const [first, second] = [await made({ ...full, catalog_id }), await made({ title: 'Cup', price: 1, catalog_id })]
    const body = { catalog_id, filter: {}, changes: blanks }
    const { job } = (await assay.call('POST', `${path}/bulk`, body)).body
    expect((await assay.job(job.id)).result).toMatchObject({ matched: 2, changed: 1, unchanged: 1 })
    expect((await assay.call('GET', one(first.id))).body.product).toMatchObject({ title: 'Mug', ...cleared })
    expect((await assay.call('GET', one(second.id))).body.product).toMatchObject({ title: 'Cup' })
  })

  test('201: of a create is as if left out', async () => {
    const catalog_id = await assay.newCatalog()
    expect(await made({ title: 'Mug', price: 1, sku: '', ...blanks, catalog_id })).toMatchObject({
      ...cleared,
      sku: null,
    })
    // What comes back with it keeps what its file says.
    await assay.ingest(catalog_id, listed)
    const row = (await assay.products(catalog_id, { sku: 'F-1' }))[0]
    await assay.call('DELETE', one(row?.id ?? ''))
    const back = await made({ title: 'Mug', price: 1, sku: 'F-1', ...blanks, catalog_id })
    expect(back).toMatchObject({ id: row?.id, description: 'Old', brand: 'Lumo', categoryPath: ['Kitchen', 'Mugs'] })
    expect(back.images).toEqual(['https://cdn.example.test/f.jpg'])
  })
})

describe('400', () => {
  test.each(['', ' \u00a0', '\u200b', '\u0085', '\u3164', '\u{e0041}', '\ufffd', '...', '<p> </p>', 'n/a', '#REF!'])(
    'a title that shows nothing: %j',
    async (title) => {
      const { id } = await made({ title: 'Mug', price: 1 })
      for (const answer of [
        await assay.call('POST', path, { title, price: 1 }),
        await assay.call('PATCH', one(id), { title }),
      ])
        expectSamplesForm(answer, 400, 'INVALID_REQUEST', 'title')
    },
  )

  test.each([
    'title',
    'sku',
    'brand',
    'description',
    'gtin',
    'mpn',
    'link',
    'primary_image_url',
    'category_path',
    'image_urls',
  ])("the files' word for clearing, as %s", async (name) => {
    const { id } = await made({ title: 'Mug', price: 1 })
    for (const word of ['__CLEAR__', ' __CLEAR__\u200b', '<b>__CLEAR__</b>']) {
      const isList = name === 'category_path' || name === 'image_urls'
      const body = { [name]: isList ? [word] : word }
      for (const answer of [
        await assay.call('POST', path, { title: 'Mug', price: 1, ...body }),
        await assay.call('PATCH', one(id), body),
      ]) {
        expectSamplesForm(answer, 400, 'INVALID_REQUEST', isList ? `${name}.0` : name)
        expect(answer.body.details.message).toContain('null clears')
      }
    }
  })

  test('but a text may speak of that word', async () => {
    expect(await made({ title: 'How __CLEAR__ clears', price: 1 })).toMatchObject({ title: 'How __CLEAR__ clears' })
  })
})
