import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, startAssay, workspace } from '../../running.ts'
import { expectStandardForm } from '../envelopes.ts'

let assay: Running
let catalog: string
const header = 'sku,title,description,brand,price,currency,stock,image,link,condition'
const row = (sku: string, { brand = 'Lumo', image = `https://cdn.example.test/${sku}.jpg` } = {}) =>
  `${sku},Title of ${sku},A description that says more than enough of it.,${brand},"12,50",EUR,5,${image},https://shop.example.test/${sku},new`
const small = ['S-1', 'S-2', 'S-3']

beforeAll(async () => {
  assay = await startAssay()
  catalog = await assay.newCatalog()
  const rows = ['P-1', 'P-2', ...small].map((sku) => row(sku))
  await assay.ingest(catalog, `${header}\n${rows.join('\n')}\n${row('B-1', { image: 'htp:/broken' })}\n`)
  await assay.publish(catalog)
  // As a check of their images leaves them, and a publish after it.
  await assay.system.catalog.pipeline.query(
    `update published set content = jsonb_set(content, '{product,imageFindings}', jsonb_build_array(jsonb_build_object(
       'image', content #>> '{product,images,0}', 'state', 'ok', 'status', 200, 'type', 'jpeg', 'width', 300, 'height', 300, 'bytes', 20000)))
      where catalog_id = $1 and content ->> 'feedId' = any ($2)`,
    [catalog, small],
  )
})
afterAll(() => assay.close())

const start = (platform: string, body: object) =>
  assay.call('POST', `/api/v1/feeds/${platform}/forecast`, { catalog_id: catalog, ...body })
async function forecast(platform: string, body: object, query = '') {
  const { status, body: answer } = await start(platform, body)
  expect(status).toBe(202)
  const job = await assay.job(answer.job.id)
  expect(job.error).toBeNull()
  return (await assay.call('GET', `/api/v1/feeds/${platform}/forecast/${answer.job.id}${query}`)).body
}

test('a version that Google has announced: what passes today and fails then, by field and rule, in pages, and nothing is changed', async () => {
  const before = (await assay.call('GET', `/api/v1/feeds/google?catalog_id=${catalog}`)).text
  const told = await forecast('search-shopping', { profile_version: 5 }, '?limit=2')
  expect(told).toMatchObject({
    ...{ platform: 'google', status: 'completed' },
    forecast: {
      ...{ version: 1, profileVersion: 4, toVersion: 5 },
      counts: { products: 6, valid: 2, neither: 1, fails: 3, passes: 0, leaves: 0, comes: 0 },
      fields: [{ field: 'image_link', rule: expect.stringContaining('500 x 500'), fails: 3, passes: 0 }],
    },
  })
  expect(told.forecast.fields[0].examples).toHaveLength(3)
  expect(told.products).toHaveLength(2)
  expect(told.next).not.toBeNull()
  for (const { sku, change, problems } of told.products) {
    expect(small).toContain(sku)
    expect([change, problems[0].reason]).toEqual(['fails', expect.stringContaining('300 x 300')])
  }
  expect((await assay.call('GET', `/api/v1/feeds/google?catalog_id=${catalog}`)).text).toBe(before)
})

test('rules that are not saved: what they mend, what they leave out, and what they spoil', async () => {
  const mended = await forecast('google', {
    rules: [
      { kind: 'constant', field: 'image_link', value: 'https://cdn.example.test/none.jpg' },
      { kind: 'condition', field: 'id', is: ['P-1'], does: 'exclude' },
    ],
  })
  expect(mended.forecast).toMatchObject({ toVersion: null, counts: { valid: 4, passes: 1, leaves: 1, fails: 0 } })
  const only = mended.products.map(({ sku, change }: { sku: string; change: string }) => [sku, change])
  expect(only.toSorted()).toEqual([
    ['B-1', 'passes'],
    ['P-1', 'leaves'],
  ])
  const spoilt = await forecast('google', { rules: [{ kind: 'template', field: 'condition', text: '{title}' }] })
  expect(spoilt.forecast.counts).toMatchObject({ valid: 0, fails: 5 })
  expect(spoilt.forecast.fields[0]).toMatchObject({ field: 'condition', fails: 5 })
})

test('rules that bring products to one id: all but the one that would go out under it fail', async () => {
  const told = await forecast('google', { rules: [{ kind: 'template', field: 'id', text: '{brand}' }] })
  expect(told.forecast.counts).toMatchObject({ products: 6, valid: 1, neither: 1, fails: 4 })
  expect(told.forecast.fields[0]).toMatchObject({ field: 'id', rule: 'an id that no other product has', fails: 4 })
  expect(told.products[0].problems[0].reason).toContain('the id "Lumo", under which product')
  const { pipeline } = assay.system.catalog
  expect((await pipeline.query('select from feed_forecast_name')).rowCount).toBe(0)
})

test('400, 404: a version of none, rules of none, a job of another feed', async () => {
  const unknown = await start('google', { profile_version: 3 })
  expectStandardForm(unknown, 400, 'FEED_001')
  expect(unknown.body.error.message).toContain('4, 5')
  expectStandardForm(await start('google', {}), 400, 'BAD_REQUEST')
  expectStandardForm(await start('google', { rules: [{ kind: 'rename', field: 'x', to: 'y' }] }), 400, 'BAD_REQUEST')
  const { job } = (await start('google', { profile_version: 5 })).body
  await assay.job(job.id)
  expectStandardForm(await assay.call('GET', `/api/v1/feeds/meta/forecast/${job.id}`), 404, 'NOT_FOUND')
})

test('a validation is a job that counts by field and tells feed.validated, as the contract has it, with its end', async () => {
  const answer = await assay.call('POST', '/api/v1/feeds/google/validation', { catalog_id: catalog })
  expect(answer.status).toBe(202)
  const job = await assay.job(answer.body.job.id)
  expect(job.result).toEqual({
    ...{ platform: 'google', profileVersion: 4, version: 1, valid: 5, refused: 1 },
    // Behind which a reader of the feed goes on.
    position: expect.stringMatching(/^t\.\d+\.1\.f{8}-/),
    fields: [{ field: 'image_link', products: 1 }],
  })
  const { rows } = await assay.system.catalog.pipeline.query(
    `select body, platform, position from outbox where kind = 'feed.validated' and catalog_id = $1`,
    [catalog],
  )
  expect(rows).toEqual([
    {
      ...{ platform: 'google', position: (job.result as unknown as { position: string }).position },
      body: {
        ...{ event: 'feed.validated', workspace_id: workspace, platform: 'google', product_count: 5 },
        feed_url: expect.stringMatching(new RegExp(`/api/v1/feeds/google\\?catalog_id=${catalog}$`)),
        generated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    },
  ])
})
