/** Every route that asks who is calling: what access, tenants and envelopes are tested over. */
import type { Role } from '../../schemas/access.ts'
import { exampleSettings } from '../../serving/workspace/examples.ts'
import type { Answer, Running } from '../running.ts'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  /** The least of the roles that may. */
  readonly least: Role
  readonly body?: unknown
  /** Names in the query what no place of the address names. */
  readonly query?: string
}

const base = '/api/workspace/:workspaceId'
const product = { title: 'Enamel mug', price: 12.5 }

const bulk = { catalog_id: '00000000-0000-4000-8000-000000000001', filter: {}, all: true, deleted: true }
const policy = { ip_allow: [], session_minutes: null, require_second_factor: false }
const member = { subject: 'auth0|somebody', role: 'viewer', all_brands: true }

const question = { event_types: null, group_by: 'none', aggregation: 'count', time_window_days: 7 }
const widget = { title: 'Events', definition: { type: 'counter', question } }

const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

const sftp = { kind: 'sftp', host: 'sftp.shop.example', user: 'shop', password: 'a password' }
const ownProfile = { platform: 'google', rules: [{ kind: 'rename', field: 'id', to: 'article' }] }
const synonyms = { synonyms: [{ words: ['mug', 'cup'] }] }

const rule = { when: { queries: ['mug'] }, hide: [{ brands: ['Lumo'] }] }

const choice = { productId: '00000000-0000-4000-8000-000000000002', field: 'title', take: 'from' }

/** Of a feed, of a workspace and of a catalog alike. */
const webhooks = (url: string, asks: object): Route[] => [
  { method: 'GET', url, least: 'admin' },
  {
    method: 'POST',
    url,
    least: 'admin',
    body: { url: 'https://shop.invalid/hook', secret: 'a secret', ...asks },
  },
  { method: 'GET', url: `${url}/:webhookId`, least: 'admin' },
  { method: 'PATCH', url: `${url}/:webhookId`, least: 'admin', body: { active: false } },
  { method: 'POST', url: `${url}/:webhookId/rotate`, least: 'admin', body: {} },
  { method: 'POST', url: `${url}/:webhookId/ping`, least: 'admin' },
  { method: 'GET', url: `${url}/:webhookId/deliveries`, least: 'admin' },
  { method: 'GET', url: `${url}/:webhookId/deliveries/:deliveryId`, least: 'admin' },
  { method: 'POST', url: `${url}/:webhookId/deliveries/:deliveryId/redeliver`, least: 'admin' },
  { method: 'POST', url: `${url}/:webhookId/redeliver`, least: 'admin', body: { from: 1, to: 2 } },
  { method: 'DELETE', url: `${url}/:webhookId`, least: 'admin' },
]

export const routes: readonly Route[] = [
  { method: 'GET', url: '/api/workspaces', least: 'viewer' },
  { method: 'POST', url: '/api/workspaces', least: 'owner', body: { name: 'Another' } },
  { method: 'GET', url: base, least: 'viewer' },
  { method: 'PATCH', url: base, least: 'admin', body: { name: 'Renamed' } },
  { method: 'GET', url: `${base}/usage`, least: 'viewer' },
  { method: 'GET', url: `${base}/policy`, least: 'viewer' },
  { method: 'PUT', url: `${base}/policy`, least: 'admin', body: policy },
  { method: 'GET', url: `${base}/audit`, least: 'admin' },
  ...['/api/mcp', '/api/mcp/sse'].map((url) => ({
    method: 'POST' as const,
    url,
    least: 'editor' as const,
    body: listTools,
  })),
  { method: 'POST', url: '/api/v1/events', least: 'editor', body: { type: 'product_view' } },
  ...webhooks('/api/v1/feeds/:platform/webhooks', { events: ['feed.generated'] }),
  ...webhooks(`${base}/webhooks`, { events: ['job.completed'] }),
  ...webhooks(`${base}/catalogs/:catalogId/webhooks`, { target: 'shopify' }),
  { method: 'POST', url: `${base}/catalogs/:catalogId/webhooks/dispatch`, least: 'admin', body: {} },
  { method: 'GET', url: `${base}/catalogs/:catalogId/changes`, least: 'viewer' },
  { method: 'GET', url: '/api/v1/search', least: 'viewer' },
  { method: 'GET', url: '/api/v1/suggest', least: 'viewer', query: 'q=mu' },
  { method: 'GET', url: '/api/v1/recommendations', least: 'viewer' },
  { method: 'GET', url: '/api/v1/products/:productId', least: 'viewer' },
  { method: 'GET', url: `${base}/synonyms`, least: 'viewer' },
  { method: 'POST', url: `${base}/synonyms`, least: 'editor', body: synonyms },
  { method: 'POST', url: `${base}/synonyms/preview`, least: 'viewer', body: synonyms },
  { method: 'POST', url: `${base}/synonyms/file`, least: 'editor' },
  { method: 'DELETE', url: `${base}/synonyms/:synonymId`, least: 'editor' },
  { method: 'GET', url: `${base}/search/rules`, least: 'viewer' },
  { method: 'POST', url: `${base}/search/rules`, least: 'editor', body: rule },
  { method: 'POST', url: `${base}/search/rules/preview`, least: 'viewer', body: { rule } },
  { method: 'GET', url: `${base}/search/rules/:ruleId`, least: 'viewer' },
  { method: 'DELETE', url: `${base}/search/rules/:ruleId`, least: 'editor' },
  { method: 'POST', url: `${base}/dashboards/aggregate`, least: 'viewer', body: question },
  { method: 'GET', url: `${base}/dashboards`, least: 'viewer' },
  { method: 'POST', url: `${base}/dashboards`, least: 'editor', body: { name: 'Another' } },
  { method: 'GET', url: `${base}/dashboards/:dashboardId`, least: 'viewer' },
  { method: 'PATCH', url: `${base}/dashboards/:dashboardId`, least: 'editor', body: { name: 'Renamed' } },
  { method: 'POST', url: `${base}/dashboards/:dashboardId/duplicate`, least: 'editor', body: {} },
  { method: 'GET', url: `${base}/dashboards/:dashboardId/data`, least: 'viewer' },
  { method: 'GET', url: `${base}/dashboards/:dashboardId/widgets`, least: 'viewer' },
  { method: 'POST', url: `${base}/dashboards/:dashboardId/widgets`, least: 'editor', body: widget },
  { method: 'PUT', url: `${base}/dashboards/:dashboardId/widgets/order`, least: 'editor', body: { widget_ids: [] } },
  { method: 'GET', url: `${base}/dashboards/:dashboardId/widgets/:widgetId`, least: 'viewer' },
  { method: 'GET', url: `${base}/dashboards/:dashboardId/widgets/:widgetId/data`, least: 'viewer' },
  {
    method: 'PATCH',
    url: `${base}/dashboards/:dashboardId/widgets/:widgetId`,
    least: 'editor',
    body: { title: 'Taken over' },
  },
  { method: 'POST', url: `${base}/dashboards/:dashboardId/widgets/:widgetId/duplicate`, least: 'editor', body: {} },
  { method: 'DELETE', url: `${base}/dashboards/:dashboardId/widgets/:widgetId`, least: 'editor' },
  { method: 'DELETE', url: `${base}/dashboards/:dashboardId`, least: 'editor' },
  { method: 'POST', url: `${base}/customers/erase`, least: 'admin', body: { customer_id: 'somebody' } },
  { method: 'GET', url: `${base}/rubric`, least: 'viewer' },
  { method: 'GET', url: `${base}/visibility`, least: 'viewer' },
  { method: 'GET', url: `${base}/visibility/products`, least: 'viewer' },
  { method: 'POST', url: `${base}/visibility/snapshots`, least: 'editor', body: {} },
  { method: 'GET', url: `${base}/insights/demand-gaps`, least: 'viewer' },
  { method: 'GET', url: `${base}/search/analytics`, least: 'viewer' },
  { method: 'GET', url: `${base}/search/analytics/queries`, least: 'viewer' },
  { method: 'GET', url: `${base}/recommendations/analytics`, least: 'viewer' },
  { method: 'GET', url: `${base}/settings/events`, least: 'viewer' },
  { method: 'PUT', url: `${base}/settings/events`, least: 'admin', body: { keep_days: 30 } },
  { method: 'GET', url: `${base}/settings/pipeline`, least: 'viewer' },
  { method: 'PUT', url: `${base}/settings/pipeline`, least: 'admin', body: exampleSettings },
  {
    method: 'POST',
    url: `${base}/settings/pipeline/preview`,
    least: 'admin',
    body: { weights: exampleSettings.weights },
  },
  { method: 'GET', url: `${base}/members`, least: 'admin' },
  { method: 'POST', url: `${base}/members`, least: 'admin', body: member },
  { method: 'GET', url: `${base}/members/:subject`, least: 'admin' },
  { method: 'PATCH', url: `${base}/members/:subject`, least: 'admin', body: { role: 'editor' } },
  { method: 'DELETE', url: `${base}/members/:subject`, least: 'admin' },
  { method: 'GET', url: `${base}/keys`, least: 'admin' },
  {
    method: 'POST',
    url: `${base}/keys`,
    least: 'admin',
    body: { name: 'Feeds', scopes: ['mcp:feed:read'], brand_id: null },
  },
  { method: 'GET', url: `${base}/keys/:keyId`, least: 'admin' },
  { method: 'POST', url: `${base}/keys/:keyId/rotate`, least: 'admin' },
  { method: 'DELETE', url: `${base}/keys/:keyId`, least: 'admin' },
  { method: 'POST', url: `${base}/brands`, least: 'admin', body: { name: 'Another' } },
  { method: 'GET', url: `${base}/brands/:brandId`, least: 'viewer' },
  { method: 'PATCH', url: `${base}/brands/:brandId`, least: 'admin', body: { name: 'Renamed' } },
  { method: 'DELETE', url: `${base}/brands/:brandId`, least: 'admin' },
  { method: 'GET', url: `${base}/brands/:brandId/ai-specs`, least: 'viewer' },
  { method: 'PUT', url: `${base}/brands/:brandId/ai-specs`, least: 'admin', body: { tone_of_voice: 'Plain.' } },
  { method: 'PATCH', url: `${base}/brands/:brandId/ai-specs`, least: 'admin', body: { tone_of_voice: 'Plain.' } },
  { method: 'GET', url: `${base}/brands`, least: 'viewer' },
  { method: 'GET', url: `${base}/catalogs`, least: 'viewer' },
  { method: 'POST', url: `${base}/catalogs`, least: 'admin', body: { name: 'Autumn' } },
  { method: 'GET', url: `${base}/catalogs/:catalogId`, least: 'viewer' },
  { method: 'PATCH', url: `${base}/catalogs/:catalogId`, least: 'admin', body: { name: 'Renamed' } },
  { method: 'GET', url: `${base}/catalogs/:catalogId/gaps`, least: 'viewer' },
  { method: 'POST', url: `${base}/catalogs/:catalogId/undelete`, least: 'admin' },
  { method: 'POST', url: `${base}/catalogs/:catalogId/publish`, least: 'admin' },
  { method: 'POST', url: `${base}/catalogs/:catalogId/batch/silver`, least: 'admin', body: { scope: 'all' } },
  { method: 'POST', url: `${base}/catalogs/:catalogId/verify`, least: 'admin', body: {} },
  { method: 'POST', url: `${base}/catalogs/:catalogId/rebuild`, least: 'admin', body: {} },
  {
    method: 'POST',
    url: `${base}/replays`,
    least: 'admin',
    body: { catalog_id: '00000000-0000-4000-8000-000000000001' },
  },
  { method: 'GET', url: `${base}/replays`, least: 'viewer' },
  { method: 'GET', url: `${base}/replays/:replayId`, least: 'viewer' },
  { method: 'GET', url: `${base}/replays/:replayId/verdict`, least: 'viewer' },
  { method: 'POST', url: `${base}/replays/:replayId/promote`, least: 'admin' },
  { method: 'POST', url: `${base}/replays/:replayId/discard`, least: 'admin' },
  { method: 'GET', url: `${base}/catalogs/:catalogId/versions`, least: 'viewer' },
  { method: 'GET', url: `${base}/catalogs/:catalogId/versions/compare`, least: 'viewer', query: 'from=1&to=1' },
  { method: 'GET', url: `${base}/catalogs/:catalogId/versions/:version`, least: 'viewer' },
  { method: 'GET', url: `${base}/catalogs/:catalogId/versions/:version/products`, least: 'viewer' },
  { method: 'GET', url: `${base}/catalogs/:catalogId/versions/:version/products/:productId`, least: 'viewer' },
  { method: 'GET', url: `${base}/catalogs/:catalogId/categories`, least: 'viewer' },
  { method: 'GET', url: `${base}/catalogs/:catalogId/export`, least: 'viewer', query: 'format=ndjson' },
  { method: 'POST', url: `${base}/catalogs/:catalogId/fork`, least: 'admin', body: { name: 'A fork' } },
  { method: 'POST', url: `${base}/catalogs/:catalogId/versions/:version/restore`, least: 'admin' },
  {
    method: 'POST',
    url: `${base}/catalogs/:catalogId/merge`,
    least: 'admin',
    body: { from: '00000000-0000-4000-8000-000000000006' },
  },
  { method: 'GET', url: `${base}/merges/:mergeId`, least: 'viewer' },
  { method: 'GET', url: `${base}/merges/:mergeId/conflicts`, least: 'viewer' },
  { method: 'PATCH', url: `${base}/merges/:mergeId/conflicts`, least: 'admin', body: { choices: [choice] } },
  { method: 'POST', url: `${base}/merges/:mergeId/apply`, least: 'admin' },
  { method: 'POST', url: `${base}/catalogs/:catalogId/checks/images`, least: 'editor' },
  { method: 'GET', url: `${base}/catalogs/:catalogId/checks/images`, least: 'viewer' },
  { method: 'GET', url: `${base}/catalogs/:catalogId/duplicates`, least: 'viewer' },
  { method: 'GET', url: `${base}/catalogs/:catalogId/duplicates/:groupId`, least: 'viewer' },
  { method: 'POST', url: `${base}/catalogs/:catalogId/duplicates/:groupId/dismiss`, least: 'editor' },
  { method: 'POST', url: `${base}/catalogs/:catalogId/duplicates`, least: 'editor' },
  { method: 'GET', url: `${base}/catalogs/:catalogId/family-problems`, least: 'viewer' },
  { method: 'POST', url: `${base}/catalogs/:catalogId/batch/gold`, least: 'admin', body: { scope: 'all' } },
  { method: 'POST', url: `${base}/catalog/products`, least: 'editor', body: product },
  { method: 'GET', url: `${base}/catalog/products`, least: 'viewer', query: 'catalog_id=:catalogId' },
  { method: 'POST', url: `${base}/catalog/products/bulk`, least: 'editor', body: bulk },
  { method: 'GET', url: `${base}/catalog/products/:productId`, least: 'viewer' },
  { method: 'GET', url: `${base}/catalog/products/:productId/variants`, least: 'viewer' },
  { method: 'GET', url: `${base}/catalog/products/:productId/score-history`, least: 'viewer' },
  { method: 'GET', url: `${base}/catalog/products/:productId/provenance`, least: 'viewer' },
  { method: 'GET', url: `${base}/catalog/products/:productId/explain`, least: 'viewer' },
  { method: 'POST', url: `${base}/catalog/products/:productId/undelete`, least: 'editor', body: {} },
  { method: 'PATCH', url: `${base}/catalog/products/:productId`, least: 'editor', body: { title: 'Taken over' } },
  { method: 'DELETE', url: `${base}/catalog/products/:productId`, least: 'editor' },
  {
    method: 'POST',
    url: `${base}/datasets/ingest`,
    least: 'editor',
    query: 'catalog_id=:catalogId',
    body: Buffer.from('sku,title\nX-1,Taken over\n'),
  },
  { method: 'POST', url: `${base}/datasets/fetch`, least: 'editor', body: { url: 'https://shop.invalid/a.csv' } },
  {
    method: 'POST',
    url: `${base}/url-import/jobs`,
    least: 'editor',
    body: { url: 'https://shop.invalid/', catalog_id: '00000000-0000-4000-8000-000000000001' },
  },
  { method: 'GET', url: `${base}/url-import/jobs`, least: 'viewer' },
  { method: 'GET', url: `${base}/url-import/jobs/:jobId`, least: 'viewer' },
  {
    method: 'POST',
    url: `${base}/import/preview`,
    least: 'editor',
    query: 'catalog_id=:catalogId',
    body: Buffer.from('sku,title\nX-1,Taken over\n'),
  },
  { method: 'POST', url: `${base}/datasets/uploads`, least: 'editor', body: { file_name: 'autumn.csv' } },
  { method: 'GET', url: `${base}/datasets/uploads/:uploadId`, least: 'editor' },
  { method: 'PUT', url: `${base}/datasets/uploads/:uploadId/parts/:part`, least: 'editor', body: Buffer.from('sku') },
  {
    method: 'POST',
    url: `${base}/datasets/uploads/:uploadId/complete`,
    least: 'editor',
    body: { parts: 1, sha256: '0'.repeat(64) },
  },
  { method: 'DELETE', url: `${base}/datasets/uploads/:uploadId`, least: 'editor' },
  { method: 'GET', url: `${base}/imports`, least: 'viewer' },
  { method: 'GET', url: `${base}/imports/:importId`, least: 'viewer' },
  { method: 'GET', url: `${base}/imports/:importId/rows`, least: 'viewer' },
  { method: 'GET', url: `${base}/imports/:importId/rows/download`, least: 'viewer' },
  { method: 'GET', url: `${base}/imports/:importId/rejects`, least: 'viewer' },
  { method: 'GET', url: `${base}/imports/:importId/compare`, least: 'viewer' },
  { method: 'GET', url: `${base}/imports/:importId/file`, least: 'viewer' },
  { method: 'POST', url: `${base}/imports/:importId/release`, least: 'editor' },
  { method: 'POST', url: `${base}/imports/:importId/discard`, least: 'editor' },
  { method: 'POST', url: `${base}/imports/:importId/undo`, least: 'editor' },
  { method: 'POST', url: `${base}/imports/:importId/redo`, least: 'editor' },
  { method: 'GET', url: `${base}/dead-letters`, least: 'viewer' },
  { method: 'GET', url: `${base}/dead-letters/:letterId`, least: 'viewer' },
  { method: 'POST', url: `${base}/dead-letters/redrive`, least: 'admin', body: { all: true, dry_run: true } },
  { method: 'GET', url: `${base}/inbound`, least: 'viewer' },
  { method: 'PUT', url: `${base}/inbound`, least: 'admin', body: {} },
  { method: 'GET', url: '/jobs/:jobId', least: 'viewer' },
  { method: 'GET', url: `${base}/jobs`, least: 'viewer' },
  // The right that started it is asked for too, once it is known which one it is.
  { method: 'POST', url: `${base}/jobs/:jobId/cancel`, least: 'viewer' },
  { method: 'POST', url: `${base}/jobs/:jobId/retry`, least: 'viewer' },
  { method: 'GET', url: `${base}/media-jobs`, least: 'viewer' },
  { method: 'GET', url: `${base}/media-jobs/:mediaJobId`, least: 'viewer' },
  { method: 'POST', url: `${base}/media-jobs/:mediaJobId/cancel`, least: 'editor' },
  { method: 'GET', url: `${base}/notifications`, least: 'viewer' },
  { method: 'GET', url: `${base}/notifications/stream`, least: 'viewer' },
  { method: 'POST', url: `${base}/notifications/read-all`, least: 'viewer' },
  { method: 'POST', url: `${base}/notifications/:notificationId/read`, least: 'viewer' },
  { method: 'GET', url: '/api/mcp/feed', least: 'viewer' },
  { method: 'GET', url: '/api/mcp/feed/:platform', least: 'viewer', query: 'catalog_id=:catalogId' },
  { method: 'GET', url: '/api/v1/feeds/:platform', least: 'viewer', query: 'catalog_id=:catalogId' },
  { method: 'GET', url: '/api/v1/feeds/:platform/validation', least: 'viewer', query: 'catalog_id=:catalogId' },
  {
    method: 'POST',
    url: '/api/v1/feeds/:platform/validation',
    least: 'viewer',
    query: 'catalog_id=:catalogId',
    body: {},
  },
  {
    ...{ method: 'POST', url: '/api/v1/feeds/:platform/forecast', least: 'viewer', query: 'catalog_id=:catalogId' },
    body: { profile_version: 5 },
  },
  { method: 'GET', url: '/api/v1/feeds/:platform/forecast/:jobId', least: 'viewer' },
  { method: 'POST', url: '/api/v1/feeds/:platform/generate', least: 'admin', query: 'catalog_id=:catalogId', body: {} },
  { method: 'GET', url: '/api/v1/feeds/:platform/files', least: 'viewer', query: 'catalog_id=:catalogId' },
  { method: 'GET', url: '/api/v1/feeds/:platform/files/:fileId', least: 'viewer', query: 'catalog_id=:catalogId' },
  {
    method: 'POST',
    url: '/api/v1/feeds/:platform/files/:fileId/release',
    least: 'admin',
    query: 'catalog_id=:catalogId',
    body: {},
  },
  { method: 'DELETE', url: '/api/v1/feeds/:platform/files/:fileId', least: 'admin', query: 'catalog_id=:catalogId' },
  { method: 'GET', url: `${base}/brands/:brandId/distribution/:platform/targets`, least: 'admin' },
  { method: 'POST', url: `${base}/brands/:brandId/distribution/:platform/targets`, least: 'admin', body: sftp },
  {
    method: 'PATCH',
    url: `${base}/brands/:brandId/distribution/:platform/targets/:targetId`,
    least: 'admin',
    body: { path: '/incoming/' },
  },
  { method: 'DELETE', url: `${base}/brands/:brandId/distribution/:platform/targets/:targetId`, least: 'admin' },
  { method: 'GET', url: `${base}/feed-profiles`, least: 'viewer' },
  { method: 'POST', url: `${base}/feed-profiles`, least: 'admin', body: { name: 'partner', ...ownProfile } },
  { method: 'GET', url: `${base}/feed-profiles/:profile`, least: 'viewer' },
  { method: 'PUT', url: `${base}/feed-profiles/:profile`, least: 'admin', body: ownProfile },
  { method: 'DELETE', url: `${base}/feed-profiles/:profile`, least: 'admin' },
  { method: 'GET', url: '/api/v1/feeds/:platform/analytics', least: 'viewer', query: 'catalog_id=:catalogId' },
  { method: 'GET', url: `${base}/brands/:brandId/distribution`, least: 'viewer' },
  { method: 'GET', url: `${base}/brands/:brandId/distribution/:platform`, least: 'viewer' },
  { method: 'PUT', url: `${base}/brands/:brandId/distribution/:platform`, least: 'admin', body: { enabled: true } },
  { method: 'DELETE', url: `${base}/catalogs/:catalogId`, least: 'admin' },
  // Last: nothing of the workspace answers any more.
  { method: 'DELETE', url: base, least: 'owner' },
]

export interface Ids {
  readonly workspaceId: string
  readonly catalogId: string
  readonly productId: string
  readonly jobId: string
  readonly mergeId: string
  readonly replayId: string
  readonly uploadId: string
  readonly importId: string
  readonly dashboardId: string
  readonly widgetId: string
  readonly webhookId: string
}

export const noIds: Ids = {
  workspaceId: 'ws_test',
  catalogId: '00000000-0000-4000-8000-000000000001',
  productId: '00000000-0000-4000-8000-000000000002',
  jobId: '00000000-0000-4000-8000-000000000003',
  mergeId: '00000000-0000-4000-8000-000000000007',
  replayId: '00000000-0000-4000-8000-000000000011',
  uploadId: '00000000-0000-4000-8000-000000000008',
  importId: '00000000-0000-4000-8000-000000000009',
  dashboardId: '00000000-0000-4000-8000-000000000012',
  widgetId: '00000000-0000-4000-8000-000000000013',
  webhookId: '00000000-0000-4000-8000-000000000014',
}

/** Of places that no tenant of these tests has. */
const others: Readonly<Record<string, string>> = {
  platform: 'google',
  profile: 'nobodys',
  fileId: '00000000-0000-4000-8000-000000000016',
  targetId: '00000000-0000-4000-8000-000000000017',
  version: '1',
  part: '1',
  letterId: 'products.bronze:1:0:999999999',
  mediaJobId: '00000000-0000-4000-8000-000000000006',
  notificationId: '00000000-0000-4000-8000-000000000007',
  deliveryId: '00000000-0000-4000-8000-000000000015',
  subject: 'auth0%7Cnobody',
  keyId: '00000000-0000-4000-8000-000000000004',
  groupId: '00000000-0000-8000-8000-000000000010',
  brandId: '00000000-0000-4000-8000-000000000005',
}

/** @param token null: none at all */
export function callRoute(assay: Running, route: Route, ids: Ids, token: string | null): Promise<Answer> {
  const address = `${route.url}${route.query ? `?${route.query}` : ''}`
  const path = address.replace(/:(\w+)/g, (_, name: string) => ({ ...others, ...ids })[name] ?? '')
  const authorization: Record<string, string> = { authorization: token === null ? '' : `Bearer ${token}` }
  return assay.call(route.method, path, route.body, { accept: 'application/x-ndjson', ...authorization })
}
