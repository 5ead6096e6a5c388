/** Every route that asks who is calling: what access, tenants and envelopes are tested over. */
import type { Role } from '../../schemas/access.ts'
import type { Answer, Running } from '../running.ts'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  /** The least of the roles that may. */
  readonly least: Role
  readonly body?: unknown
  /** Names in the query what no place of the address names. */
  readonly query?: string
}

const base = '/api/workspace/:workspaceId'
const product = { title: 'Enamel mug', price: 12.5 }

export const routes: readonly Route[] = [
  { method: 'GET', url: `${base}/brands`, least: 'viewer' },
  { method: 'GET', url: `${base}/catalogs`, least: 'viewer' },
  { method: 'POST', url: `${base}/catalogs`, least: 'admin', body: { name: 'Autumn' } },
  { method: 'POST', url: `${base}/catalogs/:catalogId/publish`, least: 'admin' },
  { method: 'POST', url: `${base}/catalogs/:catalogId/batch/gold`, least: 'admin', body: { scope: 'all' } },
  { method: 'POST', url: `${base}/catalog/products`, least: 'editor', body: product },
  { method: 'GET', url: `${base}/catalog/products`, least: 'viewer', query: 'catalog_id=:catalogId' },
  { method: 'GET', url: `${base}/catalog/products/:productId`, least: 'viewer' },
  { method: 'PATCH', url: `${base}/catalog/products/:productId`, least: 'editor', body: { title: 'Taken over' } },
  { method: 'DELETE', url: `${base}/catalog/products/:productId`, least: 'editor' },
  {
    method: 'POST',
    url: `${base}/datasets/ingest`,
    least: 'editor',
    query: 'catalog_id=:catalogId',
    body: Buffer.from('sku,title\nX-1,Taken over\n'),
  },
  { method: 'GET', url: '/jobs/:jobId', least: 'viewer' },
  { method: 'GET', url: '/api/mcp/feed', least: 'viewer' },
  { method: 'GET', url: '/api/mcp/feed/:platform', least: 'viewer', query: 'catalog_id=:catalogId' },
]

export interface Ids {
  readonly workspaceId: string
  readonly catalogId: string
  readonly productId: string
  readonly jobId: string
}

export const noIds: Ids = {
  workspaceId: 'ws_test',
  catalogId: '00000000-0000-4000-8000-000000000001',
  productId: '00000000-0000-4000-8000-000000000002',
  jobId: '00000000-0000-4000-8000-000000000003',
}

/** @param token null: none at all */
export function callRoute(assay: Running, route: Route, ids: Ids, token: string | null): Promise<Answer> {
  const address = `${route.url}${route.query ? `?${route.query}` : ''}`
  const path = address.replace(/:(\w+)/g, (_, name: string) => ({ platform: 'google', ...ids })[name] ?? '')
  const authorization: Record<string, string> = { authorization: token === null ? '' : `Bearer ${token}` }
  return assay.call(route.method, path, route.body, { accept: 'application/x-ndjson', ...authorization })
}
