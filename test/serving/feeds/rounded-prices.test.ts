import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const ndjson = { accept: 'application/x-ndjson' }

test('KF-14: a price that Google would round is no line and a gap, and never another price', async () => {
  const made = await assay.newCatalog()
  const shown = ['9.50 EUR', '1500 JPY', '250.00 TWD', '12.345 KWD']
  const rounded = ['0.004 EUR', '1500.5 JPY', '12.3456 KWD', '0.300000000000004 EUR']
  for (const [i, money] of [...shown, ...rounded].entries()) {
    const [amount, currency] = money.split(' ')
    const sku = `${i < shown.length ? 'SHOWN' : 'ROUNDED'}-${i}`
    const { status } = await assay.call('POST', `/api/workspace/${workspace}/catalog/products`, {
      catalog_id: made,
      ...{ sku, title: `Title of ${sku}`, description: 'A description that says enough.' },
      ...{ price: Number(amount), currency, availability: 'in_stock', condition: 'new' },
      ...{ link: `https://shop.example.test/${sku}`, primary_image_url: `https://cdn.example.test/${sku}.jpg` },
    })
    expect({ money, status }).toEqual({ money, status: 201 })
  }
  await assay.publish(made)
  const lines = (await assay.call('GET', `/api/mcp/feed/google?catalog_id=${made}`, undefined, ndjson)).text
    .trimEnd()
    .split('\n')
  expect(lines.map((one) => JSON.parse(one).price).sort()).toEqual([...shown].sort())
  const gaps = (await assay.products(made, { gap: 'price' })).map(({ sku }) => sku)
  expect(gaps.sort()).toEqual(rounded.map((_, i) => `ROUNDED-${shown.length + i}`))
  for (const { feedReady, sku } of await assay.products(made, { gap: 'price' }))
    expect({ sku, feedReady }).toEqual({ sku, feedReady: false })
})
