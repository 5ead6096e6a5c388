import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const nowhere = '00000000-0000-4000-8000-000000000001'

test('200: a workspace has the brand main and its default catalog from the first', async () => {
  const { status, body } = await assay.call('GET', `${base}/brands`)
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      brands: [
        {
          id: expect.any(String),
          name: 'main',
          platforms: [],
          createdAt: expect.stringMatching(/Z$/),
          updatedAt: expect.stringMatching(/Z$/),
        },
      ],
      next: null,
    },
  })
  const { catalogs } = (await assay.call('GET', `${base}/catalogs`)).body
  expect(catalogs).toContainEqual(expect.objectContaining({ isDefault: true, brandId: body.brands[0].id }))
})

test("201: a catalog is made in the brand that is named, else in the workspace's own", async () => {
  const [brand] = (await assay.call('GET', `${base}/brands`)).body.brands
  const name = '  Spring — Frühling  '
  for (const more of [{}, { brand_id: brand.id }, { brand_id: brand.id.toUpperCase() }]) {
    const { status, body } = await assay.call('POST', `${base}/catalogs`, { name, ...more })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        catalog: {
          id: expect.any(String),
          workspaceId: workspace,
          brandId: brand.id,
          name: name.trim(),
          isDefault: false,
          autoPublish: 'off',
          publishedVersion: 0,
          createdAt: expect.stringMatching(/Z$/),
          updatedAt: expect.stringMatching(/Z$/),
        },
      },
    })
  }
})

test('400: a body that breaks a rule is refused, naming the field', async () => {
  const refused: readonly (readonly [unknown, string])[] = [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'Spring', brand_id: 'main' }, 'brand_id'],
    [{ name: 'Spring', auto_publish: 'sometimes' }, 'auto_publish'],
    [{ name: 'Spring', brandId: nowhere }, 'brandId'],
  ]
  for (const [body, field] of refused)
    expectSamplesForm(await assay.call('POST', `${base}/catalogs`, body), 400, 'INVALID_REQUEST', field)
})

test('200: pages hold every catalog once, also while others are made', async () => {
  const made: string[] = []
  for (let i = 0; i < 5; i++) made.push(await assay.newCatalog(`page ${i}`))
  const seen: string[] = []
  for (let after = ''; ; ) {
    const { body } = await assay.call('GET', `${base}/catalogs?limit=2${after}`)
    expect(body.catalogs.length).toBeLessThanOrEqual(2)
    seen.push(...body.catalogs.map(({ id }: { id: string }) => id))
    await assay.newCatalog('made meanwhile')
    if (body.next === null || seen.length > 100) break
    after = `&after=${body.next}`
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toEqual(expect.arrayContaining(made))
})

test('400: a cursor that no list gave out, a limit outside 1 to 200', async () => {
  for (const list of ['catalogs', 'brands']) {
    for (const after of ['x', nowhere, Buffer.from(`1:${nowhere}'`).toString('base64url')])
      expectSamplesForm(await assay.call('GET', `${base}/${list}?after=${after}`), 400, 'INVALID_REQUEST', 'after')
    for (const limit of ['0', '-1', '201', '1.5', 'all', '', '1e2', '+1', '01', '1.0', '0x1', '%201'])
      expectSamplesForm(await assay.call('GET', `${base}/${list}?limit=${limit}`), 400, 'INVALID_REQUEST', 'limit')
  }
})

test('202: a publish is a job that tells what the new version changed', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, 'sku,title,price\nP-1,Mug,"1,50"\nP-2,Stool,"9,00"\n')
  expect(await assay.publish(catalog)).toEqual({
    version: 1,
    position: 't.1.ffffffff-ffff-ffff-ffff-ffffffffffff',
    added: 2,
    modified: 0,
    removed: 0,
    changeCount: 2,
    unrefined: 0,
  })
  await assay.ingest(catalog, 'sku,title,price\nP-1,Large mug,"1,50"\n')
  expect(await assay.publish(catalog)).toEqual({
    version: 2,
    position: 't.2.ffffffff-ffff-ffff-ffff-ffffffffffff',
    added: 0,
    modified: 1,
    removed: 0,
    changeCount: 1,
    unrefined: 0,
  })
  const { catalogs } = (await assay.call('GET', `${base}/catalogs?limit=200`)).body
  expect(catalogs.find(({ id }: { id: string }) => id === catalog).publishedVersion).toBe(2)
})

test('202: a publish takes a changelog, no body, and an empty body alike', async () => {
  const catalog = await assay.newCatalog()
  const path = `${base}/catalogs/${catalog}/publish`
  const json = { 'content-type': 'application/json' }
  for (const [body, headers] of [[{ changelog: 'spring' }], [undefined], [undefined, json], [{}]] as const) {
    const { status, body: answer } = await assay.call('POST', path, body, headers)
    expect(status).toBe(202)
    expect((await assay.job(answer.job.id)).status).toBe('completed')
  }
})

test('409: of several publishes at once all but one are told which job that one is', async () => {
  const catalog = await assay.newCatalog()
  const path = `${base}/catalogs/${catalog}/publish`
  // A publish that is held before it makes its version live is still there when the others are asked.
  const hold = await assay.system.catalog.pipeline.connect()
  try {
    await hold.query('begin')
    await hold.query('select from catalog where catalog_id = $1 for no key update', [catalog])
    const answers = await Promise.all([1, 2, 3].map(() => assay.call('POST', path)))
    const [taken, ...refused] = answers.sort((a, b) => a.status - b.status)
    expect(taken?.status).toBe(202)
    for (const answer of refused) {
      expectSamplesForm(answer, 409, 'JOB_ALREADY_RUNNING')
      expect(answer.body.details.message).toContain(taken?.body.job.id)
    }
    await hold.query('rollback')
    expect((await assay.job(taken?.body.job.id)).status).toBe('completed')
  } finally {
    hold.release()
  }
})

test('400 and 404: a publish of what is no catalog', async () => {
  const path = (id: string) => `${base}/catalogs/${id}/publish`
  expectSamplesForm(await assay.call('POST', path('spring')), 400, 'INVALID_REQUEST', 'catalogId')
  expectSamplesForm(await assay.call('POST', path(nowhere)), 404, 'CATALOG_NOT_FOUND', 'catalogId')
  const unknown = await assay.call('POST', path(nowhere), { changeLog: 'x' })
  expectSamplesForm(unknown, 400, 'INVALID_REQUEST', 'changeLog')
})

test('200: a catalog is read and changed; what is left out stays, and who did what is written down', async () => {
  const id = await assay.newCatalog('Spring')
  const path = `${base}/catalogs/${id}`
  const changed = await assay.call('PATCH', path, { name: 'Summer' })
  expect(changed).toMatchObject({ status: 200, body: { catalog: { id, name: 'Summer', autoPublish: 'off' } } })
  await assay.call('PATCH', path, { auto_publish: 'after_gold' })
  expect((await assay.call('GET', path)).body.catalog).toMatchObject({ name: 'Summer', autoPublish: 'after_gold' })
  const { entries } = (await assay.call('GET', `${base}/audit?action=catalog.update`)).body
  expect(entries.filter(({ target }: { target: string }) => target === id)).toMatchObject([
    { before: { autoPublish: 'off' }, after: { autoPublish: 'after_gold' } },
    { before: { name: 'Spring' }, after: { name: 'Summer' } },
  ])
})

test('400 and 404: a change that is none, of a catalog that is none', async () => {
  const id = await assay.newCatalog()
  for (const [body, field] of [
    [{ name: '' }, 'name'],
    [{ auto_publish: 'always' }, 'auto_publish'],
    [{ is_default: false }, 'is_default'],
    [{ brand: 'x' }, 'brand'],
  ] as const)
    expectSamplesForm(await assay.call('PATCH', `${base}/catalogs/${id}`, body), 400, 'INVALID_REQUEST', field)
  const lost = await assay.call('PATCH', `${base}/catalogs/${nowhere}`, { name: 'x' })
  expectSamplesForm(lost, 404, 'CATALOG_NOT_FOUND', 'catalogId')
  expectSamplesForm(await assay.call('GET', `${base}/catalogs/${nowhere}`), 404, 'CATALOG_NOT_FOUND', 'catalogId')
})

test('a catalog that publishes itself follows its products in rounds, and stops when it is told to', async () => {
  const id = await assay.newCatalog()
  const path = `${base}/catalogs/${id}`
  await assay.call('PATCH', path, { auto_publish: 'after_gold' })
  const version = async (at: number) => {
    for (const until = Date.now() + 20_000; Date.now() < until; await new Promise((go) => setTimeout(go, 50)))
      if ((await assay.call('GET', path)).body.catalog.publishedVersion >= at) return
    throw new Error(`version ${at} did not come`)
  }
  const created = await assay.call('POST', `${base}/catalog/products`, { catalog_id: id, title: 'Mug', price: 1 })
  await version(1)
  const product = `${base}/catalog/products/${created.body.product.id}`
  await assay.call('PATCH', product, { title: 'Large mug' })
  await version(2)
  const { versions } = (await assay.call('GET', `${path}/versions`)).body
  expect(versions[0]).toMatchObject({ modified: 1, publishedBy: 'auto_publish', changelog: null })
  await assay.call('PATCH', path, { auto_publish: 'off' })
  const now = (await assay.call('GET', path)).body.catalog.publishedVersion
  await assay.call('PATCH', product, { title: 'Small mug' })
  await new Promise((go) => setTimeout(go, 1_500))
  expect((await assay.call('GET', path)).body.catalog.publishedVersion).toBe(now)
})
