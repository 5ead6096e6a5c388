import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm, expectStandardForm } from '../envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const header = 'sku,title,description,price,currency,stock,image,link,condition'
const row = (sku: string) =>
  `${sku},Title of ${sku},A description that says enough.,"12,50",EUR,5,https://cdn.example.test/${sku}.jpg,https://shop.example.test/${sku},new`

async function brandWith(sku: string) {
  const { brand } = (await assay.call('POST', `${base}/brands`, { name: `Brand ${randomUUID()}` })).body
  const { catalogs } = (await assay.call('GET', `${base}/catalogs?limit=200`)).body
  const catalog = catalogs.find(({ brandId }: { brandId: string }) => brandId === brand.id).id as string
  await assay.ingest(catalog, `${header}\n${row(sku)}\n`)
  await assay.publish(catalog)
  const path = `${base}/brands/${brand.id}/distribution`
  const set = (platform: string, body: Record<string, unknown>) => assay.call('PUT', `${path}/${platform}`, body)
  const feed = (query = '', platform = 'google') =>
    assay.call('GET', `/api/v1/feeds/${platform}?format=ndjson${query}`, undefined, { 'x-active-brand': brand.id })
  return { brand: brand.id as string, catalog, path, set, feed }
}

test('a brand that has set nothing may be read; one that has is read only for what is on', async () => {
  const { path, set, feed } = await brandWith('D-1')
  expect((await assay.call('GET', path)).body).toEqual({ distribution: [] })
  expect((await feed()).status).toBe(200)
  expect((await set('google', { enabled: false })).status).toBe(200)
  const refused = await feed()
  expectStandardForm(refused, 400, 'FEED_001')
  expect(refused.body.error.message).toContain('none')
  await set('search-shopping', { enabled: true })
  expect((await feed()).status).toBe(200)
  expect((await assay.call('GET', path)).body.distribution).toMatchObject([{ platform: 'google', enabled: true }])
  expect((await assay.call('GET', `${path}/search-shopping`)).body.distribution).toMatchObject({ platform: 'google' })
})

test('template, tracking and catalog are in the feed from the next read on, and positions in it as it was are gone', async () => {
  const { set, feed } = await brandWith('T-1')
  const before = await feed('&positions=1')
  const { position } = JSON.parse(before.text.trimEnd().split('\n').at(-1) ?? '')._trailer
  expect(JSON.parse(before.text.split('\n')[0] ?? '').link).toBe('https://shop.example.test/T-1')
  await set('google', {
    ...{ enabled: true, link_template: 'https://m.shop.example.test/{sku}', tracking: { utm_source: 'google' } },
  })
  const after = await feed()
  expect(JSON.parse(after.text).link).toBe('https://m.shop.example.test/T-1?utm_source=google')
  expect(after.headers.etag).not.toBe(before.headers.etag)
  expectStandardForm(await feed(`&after=${position}`), 410, 'NOT_FOUND')
})

test('400, 404: a platform that nobody writes for, a version of none, a catalog of another brand, a template without a place', async () => {
  const [one, other] = [await brandWith('R-1'), await brandWith('R-2')]
  expectSamplesForm(await one.set('nobody', { enabled: true }), 400, 'FEED_001', 'platform')
  expectSamplesForm(
    await one.set('google', { enabled: true, profile_version: 999 }),
    400,
    'FEED_001',
    'profile_version',
  )
  expectSamplesForm(
    await one.set('google', { enabled: true, catalog_id: other.catalog }),
    404,
    'CATALOG_NOT_FOUND',
    'catalog_id',
  )
  for (const [field, body] of [
    ['link_template', { enabled: true, link_template: 'https://shop.example.test/' }],
    ['link_template', { enabled: true, link_template: 'javascript:{sku}' }],
    ['schedule', { enabled: true, schedule: 'daily' }],
    ['tracking', { enabled: true, tracking: { 'a b': 'c' } }],
    ['colour', { enabled: true, colour: 'red' }],
    ['enabled', {}],
  ] as const) {
    const { status, body: refused } = await one.set('google', body)
    expect({ status, error: refused.error, field: refused.details.field }).toEqual({
      ...{ status: 400, error: 'INVALID_REQUEST', field: expect.stringContaining(field) },
    })
  }
  expect((await assay.call('GET', `${one.path}/google`)).status).toBe(404)
  expect((await assay.call('GET', one.path)).body).toEqual({ distribution: [] })
})

test('a catalog that is set is read where the request names none', async () => {
  const { set, feed, brand } = await brandWith('C-1')
  const { catalog } = (await assay.call('POST', `${base}/catalogs`, { name: 'Outlet', brand_id: brand })).body
  await assay.ingest(catalog.id, `${header}\n${row('OUTLET-1')}\n`)
  await assay.publish(catalog.id)
  await set('google', { enabled: true, catalog_id: catalog.id })
  expect(JSON.parse((await feed()).text).id).toBe('OUTLET-1')
})
