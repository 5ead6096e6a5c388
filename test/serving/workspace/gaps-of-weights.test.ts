import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { saveSettings, settled } from './pipeline.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

/** Complete in all dimensions but compliance, which asks for a condition. */
const row = {
  sku: 'OS-1',
  gtin: '9520000000080',
  brand: 'Lumo',
  title: 'Lumo oak stool for kitchen and bar',
  description: 'A sturdy stool of oiled oak that fits under any counter. '.repeat(10).trim(),
  link: 'https://shop.example.test/p/os-1',
  price: '79.00',
  currency: 'EUR',
  availability: 'in_stock',
  quantity: '4',
  category: 'Furniture > Stools',
  google_product_category: '1463',
  images: ['a', 'b', 'c', 'd', 'e'].map((name) => `https://cdn.example.test/${name}.jpg`),
  color: 'Oak',
  material: 'Wood',
  weight: '4.5 kg',
  attributes: { height: '70 cm' },
}

async function weigh(compliance: number) {
  const all = { identity: 15, content: 15, media: 15, pricing: 15, availability: 15, seo: 15 }
  await saveSettings(assay, { weights: { ...all, compliance } })
  await settled(assay)
}

test('200: gaps are those of the last run under the weights of today: none, then the field, then none (KF-22)', async () => {
  const catalog = await assay.newCatalog()
  const base = `/api/workspace/${workspace}`
  const sent = await assay.call(
    'POST',
    `${base}/datasets/ingest?catalog_id=${catalog}&source=s`,
    Buffer.from(`${JSON.stringify(row)}\n`),
    {
      'content-type': 'application/x-ndjson',
    },
  )
  expect((await assay.job(sent.body.job.id)).status).toBe('completed')
  const gold = async () => {
    const { body } = await assay.call('POST', `${base}/catalogs/${catalog}/batch/gold`, { scope: 'all' })
    const [{ score, gaps, missingFields }] = body.results
    return { score, gaps, missingFields }
  }
  await weigh(0)
  expect(await gold()).toEqual({ score: 100, gaps: [], missingFields: [] })
  await weigh(10)
  const asked = await gold()
  expect(asked).toMatchObject({ gaps: ['condition'], missingFields: ['condition'] })
  expect(asked.score).toBeLessThan(100)
  const [product] = await assay.products(catalog)
  const edited = await assay.call('PATCH', `${base}/catalog/products/${product?.id}`, { condition: 'new' })
  expect(edited.body.product.optimizationScore).toBe(100)
  expect(await gold()).toEqual({ score: 100, gaps: [], missingFields: [] })
})
