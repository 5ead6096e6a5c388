import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay } from '../../shared-assay.ts'
import { expectStandardForm } from '../envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const header = 'sku,title,description,price,currency,stock,image,link,condition'
const row = (sku: string, image = `https://cdn.example.test/${sku}.jpg`) =>
  `${sku},Title of ${sku},A description that says enough.,"12,50",EUR,5,${image},https://shop.example.test/${sku},new`

test('200: KF-26: what is left out of the feed is named with field, rule, reason and fix; the rest is counted', async () => {
  const made = await assay.newCatalog()
  await assay.ingest(made, `${header}\n${row('P-1')}\n${row('P-2', 'htp:/broken')}\n${row('P-3')}\n`)
  const path = `/api/v1/feeds/google/validation?catalog_id=${made}`
  expectStandardForm(await assay.call('GET', path), 404, 'FEED_002')
  await assay.publish(made)
  const { status, body } = await assay.call('GET', path)
  expect(status).toBe(200)
  expect(body).toMatchObject({ platform: 'google', version: 1, counts: { valid: 2, refused: 1 }, next: null })
  expect(body.products).toHaveLength(1)
  expect(body.products[0]).toMatchObject({ sku: 'P-2', title: 'Title of P-2' })
  expect(body.products[0].problems).toEqual([
    {
      field: 'image_link',
      rule: expect.stringContaining('http or https'),
      reason: '"htp:/broken" is no web address',
      fix: 'the image address must start with http:// or https:// and a host',
      severity: 'error',
      source: expect.stringMatching(/^https:/),
    },
  ])
  expect(JSON.stringify(await assay.feed(made))).not.toContain('P-2')
})

test('200: what stands in the place of a link or an image is said for what it is, on every platform, and only nothing is missing', async () => {
  const made = await assay.newCatalog()
  const without = (sku: string, image: string, link: string) =>
    row(sku, image).replace(`https://shop.example.test/${sku}`, link)
  const rows = [without('L-1', 'https://cdn.example.test/1.jpg', 'www.example.test/1'), without('L-2', 'n/a', '')]
  await assay.ingest(made, `${header}\n${row('L-0')}\n${rows.join('\n')}\n`)
  await assay.publish(made)
  for (const [platform, link, image] of [
    ['google', 'link', 'image_link'],
    ['meta', 'link', 'image_link'],
    ['tiktok', 'link', 'image_link'],
  ] as const) {
    const { body } = await assay.call('GET', `/api/v1/feeds/${platform}/validation?catalog_id=${made}`)
    const reasons = (sku: string) =>
      Object.fromEntries(
        body.products
          .find((one: { sku: string }) => one.sku === sku)
          .problems.map(({ field, reason }: { field: string; reason: string }) => [field, reason]),
      )
    expect(reasons('L-1')[link]).toBe('"www.example.test/1" is no web address')
    expect(reasons('L-2')).toMatchObject({ [link]: 'The link is missing', [image]: 'The image is missing' })
  }
})

test('200: in pages, in order; what is mended leaves the report with the next publish', async () => {
  const made = await assay.newCatalog()
  const bad = Array.from({ length: 5 }, (_, i) => `B-${i}`)
  await assay.ingest(made, `${header}\n${bad.map((sku) => row(sku, 'htp:/broken')).join('\n')}\n${row('P-1')}\n`)
  await assay.publish(made)
  const found: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const query: string = after && `&after=${after}`
    const { body } = await assay.call('GET', `/api/v1/feeds/google/validation?catalog_id=${made}&limit=2${query}`)
    found.push(...body.products.map(({ sku }: { sku: string }) => sku))
    expect(body.counts === null).toBe(after !== '')
    after = body.next
  }
  expect(found.toSorted()).toEqual(bad)
  await assay.ingest(made, `${header}\n${bad.map((sku) => row(sku)).join('\n')}\n${row('P-1')}\n`)
  await assay.publish(made)
  const { body } = await assay.call('GET', `/api/v1/feeds/google/validation?catalog_id=${made}`)
  expect(body).toMatchObject({ version: 2, counts: { valid: 6, refused: 0 }, products: [] })
})
