import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let main: string
beforeAll(async () => {
  assay = await sharedAssay()
  main = (await assay.call('GET', `${base}/brands`)).body.brands[0].id
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const nowhere = '00000000-0000-4000-8000-000000000001'
const make = (name: string, headers = {}) => assay.call('POST', `${base}/brands`, { name }, headers)
const pinned = async (brand = main) => ({ authorization: `Bearer ${await assay.token('admin', { brand })}` })
/** As long as no route deletes catalogs. */
const dropCatalogs = (brand: string) =>
  assay.system.catalog.pipeline.query('update catalog set deleted_at = now() where brand_id = $1', [brand])

test('201: a brand comes with its default catalog, into which its products go', async () => {
  const { status, body } = await make('  Rheingold Küche ')
  const brand = {
    id: expect.any(String),
    name: 'Rheingold Küche',
    platforms: [],
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  }
  expect({ status, body }).toEqual({ status: 201, body: { brand } })
  const { id } = body.brand
  expect((await assay.call('GET', `${base}/brands/${id}`)).body).toEqual(body)
  const { catalogs } = (await assay.call('GET', `${base}/catalogs?brand_id=${id}`)).body
  expect(catalogs).toEqual([expect.objectContaining({ brandId: id, isDefault: true })])
  const product = await assay.call('POST', `${base}/catalog/products`, { title: 'Mug', price: 1, brand_id: id })
  expect(product.body.product).toMatchObject({ catalogId: catalogs[0].id })
})

test('200: a brand is renamed, twice to the same name too; main keeps its name', async () => {
  const { id } = (await make('Old')).body.brand
  for (const name of ['New', 'New'])
    expect((await assay.call('PATCH', `${base}/brands/${id}`, { name })).body.brand).toMatchObject({ id, name })
  expectSamplesForm(await assay.call('PATCH', `${base}/brands/${main}`, { name: 'Other' }), 409, 'CONFLICT')
})

test('201 and 200: a brand has the platforms that were set, main too; another change leaves them', async () => {
  const platforms = ['meta', 'google']
  const { id } = (await assay.call('POST', `${base}/brands`, { name: 'Everywhere', platforms })).body.brand
  const read = async (of: string) => (await assay.call('GET', `${base}/brands/${of}`)).body.brand.platforms
  expect(await read(id)).toEqual(platforms)
  await assay.call('PATCH', `${base}/brands/${id}`, { name: 'Elsewhere' })
  expect(await read(id)).toEqual(platforms)
  expect((await assay.call('PATCH', `${base}/brands/${main}`, { platforms: ['openai'] })).status).toBe(200)
  expect(await read(main)).toEqual(['openai'])
  expect((await assay.call('PATCH', `${base}/brands/${main}`, { platforms: [] })).body.brand.platforms).toEqual([])
  expect((await assay.call('PATCH', `${base}/brands/${main}`, {})).body.brand.platforms).toEqual([])
})

test('409: a name is one brand’s; of two that take it at once one gets it, and it is free again once that is gone', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => make('Twice')))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  for (const answer of answers.filter(({ status }) => status === 409))
    expectSamplesForm(answer, 409, 'CONFLICT', 'name')
  const { id } = (await make('Thrice')).body.brand
  expectSamplesForm(await assay.call('PATCH', `${base}/brands/${id}`, { name: 'Twice' }), 409, 'CONFLICT', 'name')
  const taken = answers.find(({ status }) => status === 201)?.body.brand.id
  await dropCatalogs(taken)
  expect((await assay.call('DELETE', `${base}/brands/${taken}`)).status).toBe(200)
  expect((await make('Twice')).status).toBe(201)
})

test('200: a brand that is removed is gone, and its keys and what it told search with it at once', async () => {
  const { id } = (await make('Gone')).body.brand
  await assay.call('POST', `${base}/search/rules`, { brand_id: id, hide: [{ brands: ['x'] }] })
  await assay.call('POST', `${base}/synonyms`, { brand_id: id, synonyms: [{ words: ['a', 'b'] }] })
  const told = async () => {
    const all = ['search_rule', 'search_rule_key', 'synonym', 'synonym_key', 'search_edition']
    const counts = all.map((table) => `(select count(*) from ${table} where brand_id = $1)`)
    const { rows } = await assay.system.catalog.pipeline.query(`select ${counts.join(' + ')} as n`, [id])
    return rows[0].n
  }
  expect(await told()).toBe(6)
  const key = { name: 'x', scopes: ['catalogs:read'], brand_id: id }
  const { secret } = (await assay.call('POST', `${base}/keys`, key)).body
  const use = () => assay.call('GET', `${base}/catalogs`, undefined, { authorization: '', 'x-api-key': secret })
  expect((await use()).status).toBe(200)
  expectSamplesForm(await assay.call('DELETE', `${base}/brands/${id}`), 409, 'CONFLICT')
  await dropCatalogs(id)
  expect((await assay.call('DELETE', `${base}/brands/${id}`)).body).toEqual({ brandId: id, deleted: true })
  expectSamplesForm(await use(), 401, 'UNAUTHORIZED')
  expect(await told()).toBe(0)
  for (const answer of [
    await assay.call('GET', `${base}/brands/${id}`),
    await assay.call('PATCH', `${base}/brands/${id}`, { name: 'x' }),
    await assay.call('DELETE', `${base}/brands/${id}`),
  ])
    expectSamplesForm(answer, 404, 'NOT_FOUND', 'brandId')
  expectSamplesForm(
    await assay.call('POST', `${base}/catalogs`, { name: 'x', brand_id: id }),
    403,
    'FORBIDDEN',
    'brand_id',
  )
})

test('409: main and a brand with catalogs stay', async () => {
  expectSamplesForm(await assay.call('DELETE', `${base}/brands/${main}`), 409, 'CONFLICT')
  const { id } = (await make('Full')).body.brand
  expectSamplesForm(await assay.call('DELETE', `${base}/brands/${id}`), 409, 'CONFLICT')
})

test('one of a removal and a new catalog at once is refused, never both done', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = (await make(`Race ${round}`)).body.brand
    await dropCatalogs(id)
    const [removed, made] = await Promise.all([
      assay.call('DELETE', `${base}/brands/${id}`),
      assay.call('POST', `${base}/catalogs`, { name: 'x', brand_id: id }),
    ])
    expect([
      [200, 403],
      [409, 201],
    ]).toContainEqual([removed.status, made.status])
  }
})

test('400: names that are none, ids that are none, fields that are none', async () => {
  for (const name of ['', '  ', 'x'.repeat(201), 'a\nb', 'a\u0000b', 7, null])
    expectSamplesForm(await assay.call('POST', `${base}/brands`, { name }), 400, 'INVALID_REQUEST', 'name')
  expectSamplesForm(
    await assay.call('POST', `${base}/brands`, { name: 'x', id: nowhere }),
    400,
    'INVALID_REQUEST',
    'id',
  )
  expectSamplesForm(await assay.call('GET', `${base}/brands/main`), 400, 'INVALID_REQUEST', 'brandId')
})

test("403 and 404: a brand's admin makes no brand and meets no other", async () => {
  const mine = await pinned()
  expectSamplesForm(await make('Mine', mine), 403, 'FORBIDDEN')
  const { id } = (await make('Theirs')).body.brand
  for (const brand of [id, nowhere])
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Taken' }], ['DELETE']] as const)
      expectSamplesForm(await assay.call(method, `${base}/brands/${brand}`, body, mine), 404, 'NOT_FOUND', 'brandId')
  expect((await assay.call('GET', `${base}/brands/${id}`)).body.brand.name).toBe('Theirs')
  expect((await assay.call('GET', `${base}/brands/${main}`, undefined, mine)).status).toBe(200)
})
