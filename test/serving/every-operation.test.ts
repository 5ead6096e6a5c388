import { hash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, startAssay } from '../running.ts'
import { base, type Ground, jobIn, layGround } from './ground.ts'
import { type Operation, operationsOf, readDocument } from './operations.ts'

let assay: Running
let ground: Ground
let operations: Operation[]
beforeAll(async () => {
  assay = await startAssay()
  ground = await layGround(assay)
  operations = operationsOf(await readDocument(assay))
}, 60_000)
afterAll(() => assay.close())

interface Asked {
  /** Other values of path parameters than the ground's. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const one = (path: string) => path.replace('…', '/api/workspace/{workspaceId}')

const ofFeed = () => ({ path: { webhookId: ground.feedWebhookId ?? '', deliveryId: ground.feedDeliveryId ?? '' } })
const ofCatalog = () => ({ path: { webhookId: ground.deltaWebhookId ?? '', deliveryId: ground.deltaDeliveryId ?? '' } })
/** All that there is under one. */
const hooks = (hook: string) => [
  ...['GET', 'PATCH', 'DELETE'].map((method) => `${method} ${hook}`),
  ...['rotate', 'ping', 'redeliver', 'deliveries/{deliveryId}/redeliver'].map((what) => `POST ${hook}/${what}`),
  ...['deliveries', 'deliveries/{deliveryId}'].map((what) => `GET ${hook}/${what}`),
]

/** What an operation needs beside the ground's ids and the document's own example of its body. */
const needs: Readonly<Record<string, () => Asked | Promise<Asked>>> = {
  'GET /api/mcp/feed/{platform}': async () => ({
    query: `catalog_id=${await onOffer()}`,
    headers: { accept: 'application/x-ndjson' },
  }),
  'GET /api/v1/feeds/{platform}': async () => ({ query: `catalog_id=${await onOffer()}` }),
  'GET /api/v1/feeds/{platform}/validation': async () => ({ query: `catalog_id=${await onOffer()}` }),
  'POST /api/v1/feeds/{platform}/validation': async () => ({ body: { catalog_id: await onOffer() } }),
  'POST /api/v1/feeds/{platform}/forecast': async () => ({ body: { catalog_id: await onOffer(), profile_version: 5 } }),
  'GET /api/v1/feeds/{platform}/forecast/{jobId}': async () => {
    const body = { catalog_id: await onOffer(), profile_version: 5 }
    const { job } = (await assay.call('POST', '/api/v1/feeds/google/forecast', body)).body
    await assay.job(job.id)
    return { path: { jobId: job.id } }
  },
  ...Object.fromEntries(
    ['GET', 'PUT', 'DELETE'].map((method) => [one(`${method} …/feed-profiles/{name}`), () => ownProfile(method)]),
  ),
  'GET /api/v1/feeds/{platform}/analytics': async () => ({ query: `catalog_id=${await onOffer()}` }),
  [one('GET …/brands/{brandId}/distribution/{platform}')]: async () => {
    const { brand } = (await assay.call('POST', `${base}/brands`, { name: 'On Google' })).body
    await assay.call('PUT', `${base}/brands/${brand.id}/distribution/google`, { enabled: true })
    return { path: { brandId: brand.id } }
  },
  'GET /api/v1/feeds/{platform}/files': async () => ({ query: `catalog_id=${await onOffer()}` }),
  'POST /api/v1/feeds/{platform}/generate': async () => ({ body: { catalog_id: await onOffer() } }),
  'GET /api/v1/feeds/{platform}/files/{fileId}': () => storedFile('ready'),
  'POST /api/v1/feeds/{platform}/files/{fileId}/release': () => storedFile('held'),
  'DELETE /api/v1/feeds/{platform}/files/{fileId}': () => storedFile('held'),
  ...Object.fromEntries(
    ['PATCH', 'DELETE'].map((method) => [
      one(`${method} …/brands/{brandId}/distribution/{platform}/targets/{targetId}`),
      async () => {
        const order = { kind: 'sftp', host: 'sftp.shop.example', user: 'shop', password: 'a password' }
        const url = `${base}/brands/${ground.brandId}/distribution/google/targets`
        return { path: { targetId: (await assay.call('POST', url, order)).body.target.id } }
      },
    ]),
  ),
  ...Object.fromEntries(hooks('/api/v1/feeds/{platform}/webhooks/{webhookId}').map((operation) => [operation, ofFeed])),
  ...Object.fromEntries(
    hooks(one('…/catalogs/{catalogId}/webhooks/{webhookId}')).map((operation) => [operation, ofCatalog]),
  ),
  [one('POST …/catalogs/{catalogId}/webhooks/dispatch')]: () => ({ body: {} }),
  'GET /api/search': () => ({ query: `brand_id=${ground.brandId}&q=mug` }),
  'GET /api/v1/suggest': () => ({ query: 'q=mu' }),
  [one('POST …/synonyms/file')]: () => ({
    body: Buffer.from('words\nmug|cup\n'),
    headers: { 'content-type': 'text/csv' },
  }),
  [one('POST …/catalogs')]: () => ({ body: { name: 'Another' } }),
  [one('POST …/brands')]: () => ({ body: { name: 'Another' } }),
  [one('PATCH …/brands/{brandId}')]: async () => {
    const { brand } = (await assay.call('POST', `${base}/brands`, { name: 'Renamed soon' })).body
    return { path: { brandId: brand.id } }
  },
  [one('POST …/members')]: () => ({ body: { subject: 'auth0|another', role: 'viewer', all_brands: true } }),
  [one('PATCH …/members/{subject}')]: () => ({ body: { role: 'editor' } }),
  [one('POST …/keys')]: () => ({ body: { name: 'Another', scopes: ['catalogs:read'], brand_id: null } }),
  [one('PUT …/policy')]: () => ({ body: { ip_allow: [], session_minutes: null, require_second_factor: false } }),
  [one('PUT …/settings/pipeline')]: async () => ({
    body: (await assay.call('GET', `${base}/settings/pipeline`)).body.settings,
  }),
  [one('POST …/replays')]: () => ({ body: { catalog_id: ground.catalogId, share: 1 } }),
  [one('POST …/replays/{replayId}/discard')]: async () => {
    const { replay } = (await assay.call('POST', `${base}/replays`, { catalog_id: ground.catalogId })).body
    return { path: { replayId: replay.id } }
  },
  [one('GET …/catalogs/{catalogId}/versions/compare')]: () => ({ query: 'from=1&to=2' }),
  [one('POST …/catalogs/{catalogId}/merge')]: () => ({ body: { from: ground.forkId, dry_run: true } }),
  [one('PATCH …/merges/{mergeId}/conflicts')]: () => ({
    body: { choices: [{ productId: ground.productId, field: 'title', take: 'from' }] },
  }),
  [one('POST …/catalogs/{catalogId}/batch/gold')]: () => ({ body: { scope: 'all' } }),
  [one('POST …/catalogs/{catalogId}/batch/silver')]: () => ({ body: { scope: 'all' } }),
  [one('POST …/visibility/snapshots')]: () => ({ body: { catalog_id: ground.catalogId } }),
  [one('GET …/visibility/products')]: async () => {
    const { job } = (await assay.call('POST', `${base}/visibility/snapshots`, { catalog_id: ground.forkId })).body
    await assay.job(job.id)
    return { query: `catalog_id=${ground.forkId}&channel=search` }
  },
  [one('POST …/catalog/products')]: () => ({ body: { title: 'Pan', price: 9.5, catalog_id: ground.catalogId } }),
  [one('POST …/catalog/products/bulk')]: () => ({
    body: { catalog_id: ground.catalogId, filter: {}, changes: { brand: 'Lumo' } },
  }),
  [one('POST …/datasets/ingest')]: () => ({
    query: `catalog_id=${ground.catalogId}&source=another`,
    body: Buffer.from('sku,title,price\nX-1,Pot,3\n'),
  }),
  [one('POST …/import/preview')]: () => ({
    query: `catalog_id=${ground.catalogId}`,
    body: Buffer.from('sku,title,price\nX-1,Pot,3\n'),
  }),
  [one('PUT …/datasets/uploads/{uploadId}/parts/{part}')]: () => ({ body: Buffer.from('sku,title\nX-1,Pot\n') }),
  [one('POST …/datasets/uploads/{uploadId}/complete')]: async () => {
    const part = Buffer.from('sku,title\nX-2,Pan\n')
    const { upload } = (await assay.call('POST', `${base}/datasets/uploads`, { file_name: 'whole.csv' })).body
    await assay.call('PUT', `${base}/datasets/uploads/${upload.id}/parts/1`, part)
    return { path: { uploadId: upload.id }, body: { parts: 1, sha256: hash('sha256', part, 'hex') } }
  },
  // It is theirs who laid the ground.
  [one('POST …/notifications/{notificationId}/read')]: async () => ({
    headers: { authorization: `Bearer ${await assay.token('admin')}` },
  }),
  [one('GET …/url-import/jobs/{jobId}')]: async () => {
    const order = { url: 'https://shop.invalid/mug', catalog_id: ground.catalogId }
    return { path: { jobId: (await assay.call('POST', `${base}/url-import/jobs`, order)).body.job.id } }
  },
  [one('POST …/jobs/{jobId}/cancel')]: async () => ({ path: { jobId: await jobIn(assay, 'queued', ground) } }),
  [one('POST …/jobs/{jobId}/retry')]: async () => ({ path: { jobId: await jobIn(assay, 'failed', ground) } }),
  [one('PUT …/dashboards/{dashboardId}/widgets/order')]: async () => {
    const { dashboard } = (await assay.call('GET', `${base}/dashboards/${ground.dashboardId}`)).body
    return { body: { widget_ids: dashboard.widgets.map(({ id }: { id: string }) => id).reverse() } }
  },
  [one('GET …/imports/{importId}/compare')]: () => ({ query: `with=${ground.importId}` }),
  [one('POST …/imports/{importId}/release')]: () => heldImport(),
  [one('POST …/imports/{importId}/discard')]: () => heldImport(),
  [one('GET …/catalogs/{catalogId}/duplicates/{groupId}')]: () => twins(),
  [one('POST …/catalogs/{catalogId}/duplicates/{groupId}/dismiss')]: () => twins(),
  [one('POST …/catalogs/{catalogId}/undelete')]: async () => {
    const catalogId = await assay.newCatalog('Gone')
    const { body } = await assay.call('DELETE', `${base}/catalogs/${catalogId}`)
    await assay.job(body.job.id)
    return { path: { catalogId } }
  },
  [one('DELETE …/brands/{brandId}')]: async () => {
    const { brand } = (await assay.call('POST', `${base}/brands`, { name: 'Short-lived' })).body
    await assay.system.catalog.pipeline.query('update catalog set deleted_at = now() where brand_id = $1', [brand.id])
    return { path: { brandId: brand.id } }
  },
}

/** Of a catalog of its own. */
async function storedFile(state: 'ready' | 'held') {
  const catalog = await onOffer()
  const { job } = (await assay.call('POST', '/api/v1/feeds/google/generate', { catalog_id: catalog })).body
  const { fileId } = (await assay.job(job.id)).result as unknown as { fileId: string }
  await assay.system.catalog.pipeline.query('update feed_file set state = $2 where file_id = $1', [fileId, state])
  return { path: { fileId }, query: `catalog_id=${catalog}` }
}

/** A catalog with a product that Google takes. */
async function onOffer(): Promise<string> {
  const id = await assay.newCatalog('On offer')
  const header = 'sku,title,description,price,currency,stock,image,link,condition'
  const row = 'O-1,Pot,A pot of clay.,3.00,EUR,5,https://cdn.example.test/1.jpg,https://shop.example.test/1,new'
  await assay.ingest(id, `${header}\n${row}\n`)
  await assay.publish(id)
  return id
}

async function ownProfile(method: string): Promise<Asked> {
  const name = `for-${method.toLowerCase()}`
  await assay.call('POST', `${base}/feed-profiles`, { name, platform: 'google', rules: [] })
  return { path: { name } }
}

/** A copy of the ground's import, of another source. */
async function heldImport(): Promise<Asked> {
  const importId = randomUUID()
  await assay.system.catalog.pipeline.query(
    `insert into import (import_id, workspace_id, brand_id, catalog_id, job_id, source, state, file_name, spool, bytes, sha256)
     select $1, workspace_id, brand_id, catalog_id, $1, 'file:held', 'held', file_name, spool, bytes, sha256
       from import where import_id = $2`,
    [importId, ground.importId],
  )
  return { path: { importId } }
}

/** Two products of one barcode, and the group that they are in. */
async function twins(): Promise<Asked> {
  const catalogId = await assay.newCatalog('Twins')
  await assay.ingest(catalogId, 'sku,title,gtin\nW-1,Pot,4006381333931\nW-2,Saucepan,4006381333931\n')
  const { body } = await assay.call('POST', `${base}/catalogs/${catalogId}/duplicates`)
  await assay.job(body.job.id)
  const { duplicates } = (await assay.call('GET', `${base}/catalogs/${catalogId}/duplicates`)).body
  return { path: { catalogId, groupId: duplicates[0].id } }
}

/** What only an Assay that is set up otherwise can do, such as one with its log on Kafka (`test/kafka/inbound.test.ts`), and how this one refuses it. */
const elsewhere = new Map([
  [one('PUT …/inbound'), 409],
  // No identity provider is configured (`test/serving/mcp/protected-resource.test.ts`).
  ...['', '/api/mcp', '/api/mcp/sse'].map((of) => [`GET /.well-known/oauth-protected-resource${of}`, 404] as const),
])

/** What others stand on goes last; conflicts are decided before their merge is applied. */
const place = ({ method, path }: Operation) =>
  method === 'DELETE' ? 1_000 - path.length : path.endsWith('/apply') ? 2 : path.endsWith('/conflicts') ? 1 : 0

test('every operation of the document does what it is for, when it is asked for what is there', async () => {
  const authorization = `Bearer ${await assay.token('owner')}`
  const refused: string[] = []
  for (const operation of operations.toSorted((a, b) => place(a) - place(b))) {
    const { method, path } = operation
    const asked = (await needs[`${method} ${path}`]?.()) ?? {}
    const ids = { ...ground, ...asked.path }
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(ids[name as keyof typeof ids] ?? ''),
    )
    const example = operation.body?.content['application/json']?.example
    const answer = await assay.call(
      method,
      `${address}${asked.query ? `?${asked.query}` : ''}`,
      asked.body ?? example,
      {
        authorization,
        // Whatever a body is, a stream too, what makes something can be asked for under a key.
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
        ...asked.headers,
      },
    )
    if (answer.status >= 300 && answer.status !== elsewhere.get(`${method} ${path}`))
      refused.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`)
    const { job } = (answer.body ?? {}) as { job?: { id?: string } }
    if (answer.status === 202 && job?.id) await assay.job(job.id)
  }
  // Where a new operation is refused, say in `needs` what it needs, or lay it in ground.ts.
  expect(refused).toEqual([])
}, 90_000)
