import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureWorkspace, insertCatalog } from '../../infra/catalog/tenants.ts'
import { type Answer, type Running, startAssay, workspace } from '../running.ts'
import { expectError, expectSamplesForm, expectStandardForm } from './envelopes.ts'
import { callRoute, type Ids, type Route, routes } from './routes.ts'

interface Tenant extends Ids {
  readonly brandId: string
  readonly owner: string
  readonly ruleId: string
}

let assay: Running
let mine: Tenant
let otherBrand: Tenant
let otherWorkspace: Tenant

beforeAll(async () => {
  assay = await startAssay()
  await ensureWorkspace(assay.system.catalog.pipeline, 'ws_other', 'Other')
  mine = await settle(workspace, await brandNamed(workspace, 'main'))
  otherBrand = await settle(workspace, await newBrand())
  otherWorkspace = await settle('ws_other', await brandNamed('ws_other', 'main'))
})
afterAll(() => assay.close())

async function brandNamed(workspaceId: string, name: string): Promise<string> {
  const sql = 'select brand_id as id from brand where workspace_id = $1 and name = $2'
  const { rows } = await assay.system.catalog.pipeline.query<{ id: string }>(sql, [workspaceId, name])
  return rows[0]?.id ?? ''
}

async function newBrand(): Promise<string> {
  const pool = assay.system.catalog.pipeline
  const brand = randomUUID()
  await pool.query('insert into brand (brand_id, workspace_id, name) values ($1, $2, $3)', [brand, workspace, 'second'])
  const row = { workspace, brand, name: 'Second', isDefault: true, autoPublish: 'off', by: 'test' } as const
  await insertCatalog(pool, row)
  return brand
}

/** A published catalog with one product, made by a token that sees this brand alone. */
async function settle(workspaceId: string, brandId: string): Promise<Tenant> {
  const owner = await assay.token('owner', { workspace: workspaceId, brand: brandId })
  const base = `/api/workspace/${workspaceId}`
  const as = { authorization: `Bearer ${owner}` }
  const made = await assay.call('POST', `${base}/catalogs`, { name: 'Own' }, as)
  expect(made.status).toBe(201)
  const catalogId: string = made.body.catalog.id
  const body = { catalog_id: catalogId, title: `Mug of ${brandId}`, price: 5, sku: 'M-1' }
  const product = await assay.call('POST', `${base}/catalog/products`, body, as)
  expect(product.status).toBe(201)
  const { body: started } = await assay.call('POST', `${base}/catalogs/${catalogId}/publish`, undefined, as)
  const jobId: string = started.job.id
  for (let status = ''; status !== 'completed'; )
    status = (await assay.call('GET', `/jobs/${jobId}`, undefined, as)).body.job.status
  const mergeId = randomUUID()
  await assay.system.catalog.pipeline.query(
    `insert into merge (merge_id, workspace_id, brand_id, target_id, source_id, fork_id, state, dry_run, created_by)
     values ($1, $2, $3, $4, $4, $4, 'ready', true, 'test')`,
    [mergeId, workspaceId, brandId, catalogId],
  )
  const replayId = randomUUID()
  await assay.system.catalog.pipeline.query(
    `insert into replay (replay_id, workspace_id, brand_id, catalogs, job_id, state, range, pace, settings_number, weights_number,
                         former_settings, former_weights, created_by)
     values ($1, $2, $3, array[$4::uuid], $1, 'ready', '{"offsets":null,"since":null,"until":null,"import":null,"keys":null}',
             '{"rate":null,"share":0.5}', 1, 1, 1, 1, 'test')`,
    [replayId, workspaceId, brandId, catalogId],
  )
  const importId = randomUUID()
  await assay.system.catalog.pipeline.query(
    `insert into import (import_id, workspace_id, brand_id, catalog_id, job_id, source, state, file_name, spool, bytes, sha256)
     values ($1, $2, $3, $4, $1, 'file:own', 'held', 'own.csv', 'nowhere', 1, 'none')`,
    [importId, workspaceId, brandId, catalogId],
  )
  const begun = await assay.call('POST', `${base}/datasets/uploads`, { file_name: 'own.csv' }, as)
  const question = { event_types: null, group_by: 'none', aggregation: 'count', time_window_days: 7 }
  const widgets = [{ title: 'Events', definition: { type: 'counter', question } }]
  const { dashboard } = (await assay.call('POST', `${base}/dashboards`, { name: 'Own', widgets }, as)).body
  const ids = { productId: product.body.product.id, jobId, mergeId, replayId, importId, uploadId: begun.body.upload.id }
  const hook = { url: 'https://shop.invalid/hook', events: ['import.held'] }
  const webhook = (await assay.call('POST', `${base}/webhooks`, hook, as)).body
  const { rule } = (await assay.call('POST', `${base}/search/rules`, { hide: [{ brands: ['x'] }] }, as)).body
  const own = { ruleId: rule.id, dashboardId: dashboard.id, widgetId: dashboard.widgets[0].id, webhookId: webhook.id }
  return { workspaceId, brandId, catalogId, ...ids, ...own, owner }
}

const notFound = { samples: 'NOT_FOUND', standard: 'NOT_FOUND' }
const productNotFound = { samples: 'NOT_FOUND', standard: 'DATA_001' }
const catalogNotFound = { samples: 'CATALOG_NOT_FOUND', standard: 'DATA_002' }
const byId = routes.filter(({ url, query }) =>
  /:(catalog|product|job|merge|replay|upload|import|dashboard|webhook)Id/.test(`${url}${query}`),
)
const lists = routes.filter((route) => route.method === 'GET' && !byId.includes(route) && route.url !== '/api/mcp/feed')

function expectNothingThere(answer: Answer, { url, query }: Route) {
  expectWithoutField(
    answer,
    url,
    /:catalogId/.test(`${url}${query}`)
      ? catalogNotFound
      : url.endsWith('/v1/products/:productId')
        ? productNotFound
        : notFound,
  )
}

/** The field's name is the route's own matter. */
function expectWithoutField(answer: Answer, url: string, codes: { samples: string; standard: string }) {
  const { details } = answer.body
  if (details) delete details.field
  expectError(answer, url, 404, codes)
}

describe.each(byId)('$method $url', (route) => {
  test("404: another brand's ids lead nowhere, in both directions", async () => {
    expectNothingThere(await callRoute(assay, route, otherBrand, mine.owner), route)
    expectNothingThere(await callRoute(assay, route, mine, otherBrand.owner), route)
  })

  test("404: another workspace's ids lead nowhere under the caller's own workspace", async () => {
    const foreign = { ...otherWorkspace, workspaceId: workspace }
    expectNothingThere(await callRoute(assay, route, foreign, await assay.token('owner')), route)
  })
})

test('403: a body or a query that names a brand of others is refused on every route that takes one', async () => {
  const as = { authorization: `Bearer ${mine.owner}` }
  const base = `/api/workspace/${workspace}`
  for (const { brandId } of [otherBrand, otherWorkspace]) {
    const answers = [
      await assay.call('POST', `${base}/catalogs`, { name: 'Theirs', brand_id: brandId }, as),
      await assay.call('POST', `${base}/catalog/products`, { title: 'Theirs', price: 1, brand_id: brandId }, as),
      await assay.call('GET', `${base}/catalog/products?brand_id=${brandId}`, undefined, as),
    ]
    for (const answer of answers) expectSamplesForm(answer, 403, 'FORBIDDEN', 'brand_id')
  }
})

test("404: a catalog of one's own is not taken under another brand's name", async () => {
  const path = `/api/workspace/${workspace}/catalog/products`
  const body = { title: 'Mug', price: 1, catalog_id: mine.catalogId, brand_id: otherBrand.brandId }
  expectSamplesForm(await assay.call('POST', path, body), 404, 'CATALOG_NOT_FOUND', 'catalog_id')
})

test('200: lists show a brand its own and nothing else', async () => {
  // Those of tenancy itself, and what events tell, are told apart in tests of their own under workspace/.
  const known =
    /^GET .*(\/(rubric|dead-letters|inbound|brands|catalogs|jobs|dashboards|imports|media-jobs|notifications|stream|members|keys|audit|policy|settings\/(pipeline|events)|visibility(\/products)?|insights\/demand-gaps|search\/analytics(\/queries)?|recommendations\/analytics|usage|replays|webhooks|ai-specs|distribution(\/:platform(\/targets)?)?|feed-profiles(\/:profile)?|search(\/rules)?|suggest|recommendations|synonyms|workspaces|:workspaceId)|\/:(brandId|subject|keyId|mediaJobId|letterId|ruleId))$/
  for (const { method, url } of lists) expect(`${method} ${url}`).toMatch(known)
  const seen = async (path: string, { owner }: Tenant) =>
    (await assay.call('GET', `/api/workspace/${workspace}/${path}`, undefined, { authorization: `Bearer ${owner}` }))
      .body
  for (const tenant of [mine, otherBrand]) {
    const { brands } = await seen('brands', tenant)
    expect(brands.map(({ id }: { id: string }) => id)).toEqual([tenant.brandId])
    const { catalogs } = await seen('catalogs', tenant)
    expect(catalogs.map(({ brandId }: { brandId: string }) => brandId)).toEqual([tenant.brandId, tenant.brandId])
    const { products } = await seen(`catalog/products?catalog_id=${tenant.catalogId}`, tenant)
    expect(products.map(({ id }: { id: string }) => id)).toEqual([tenant.productId])
    const { jobs } = await seen('jobs', tenant)
    expect(jobs.map(({ id }: { id: string }) => id)).toEqual([tenant.jobId])
    const { dashboards } = await seen('dashboards', tenant)
    expect(dashboards.map(({ brandId }: { brandId: string }) => brandId)).toEqual([tenant.brandId, tenant.brandId])
    const { webhooks } = await seen('webhooks', tenant)
    expect(webhooks.map(({ id }: { id: string }) => id)).toEqual([tenant.webhookId])
    const { imports } = await seen('imports', tenant)
    expect(imports.map(({ id }: { id: string }) => id)).toEqual([tenant.importId])
    const { rules } = await seen('search/rules', tenant)
    expect(rules.map(({ id }: { id: string }) => id)).toEqual([tenant.ruleId])
    const { replays } = await seen('replays', tenant)
    expect(replays.map(({ id }: { id: string }) => id)).toEqual([tenant.replayId])
    const { notifications } = await seen('notifications', tenant)
    expect(notifications.map(({ jobId }: { jobId: string }) => jobId)).toEqual([tenant.jobId])
  }
})

test('404: a brand without a published default catalog has no feed, whatever its neighbours published', async () => {
  const as = { authorization: `Bearer ${otherBrand.owner}`, accept: 'application/x-ndjson' }
  expectStandardForm(await assay.call('GET', '/api/mcp/feed/google', undefined, as), 404, 'FEED_002')
})

test('after all of it every product is as its owner made it', async () => {
  for (const tenant of [mine, otherBrand, otherWorkspace]) {
    const path = `/api/workspace/${tenant.workspaceId}/catalog/products/${tenant.productId}`
    const { body } = await assay.call('GET', path, undefined, { authorization: `Bearer ${tenant.owner}` })
    expect(body.product).toMatchObject({ title: `Mug of ${tenant.brandId}`, workspaceId: tenant.workspaceId })
  }
})
