/** Where webhooks are kept: those of a platform's feed, of a workspace and of a catalog; the same routes stand under each. */
import type { FastifyContextConfig } from 'fastify'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { isOwnProfile } from '../../infra/catalog/feed-profiles.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import type { WebhookScope } from '../../infra/catalog/webhooks.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { profileFor, profiles } from '../../schemas/feeds/registry.ts'
import { catalogId, workspaceId } from '../../schemas/ids.ts'
import { feedEvents, workspaceEvents } from '../../schemas/webhook.ts'

export interface Channel {
  readonly path: string
  readonly params: z.ZodObject
  /** What may be asked for; null: there is one, and it is not asked for. */
  readonly events: readonly string[] | null
  /** Of a platform its own name, whatever alias the address has; of a profile of the workspace its name. */
  scopeOf(params: unknown): WebhookScope
  /** @throws ServiceError 404 where there is no such place */
  requirePlace(tx: PoolClient, params: unknown): Promise<void>
  readonly invalid: ErrorCode
  readonly errors: readonly ErrorCode[]
  readonly tags: readonly string[]
  readonly config: Pick<FastifyContextConfig, 'channel'>
}

const platformOf = (params: unknown) => (params as { platform: string }).platform

export const feedChannel: Channel = {
  path: '/api/v1/feeds/:platform/webhooks',
  params: z.object({ platform: z.string().max(50) }),
  events: feedEvents,
  scopeOf: (params) => ({ platform: profileFor(platformOf(params))?.platform ?? platformOf(params), catalog: null }),
  async requirePlace(tx, params) {
    if (profileFor(platformOf(params)) || (await isOwnProfile(tx, platformOf(params)))) return
    const known = profiles.map(({ platform }) => platform).join(', ')
    throw new ServiceError('FEED_001', { message: `Unsupported platform; supported: ${known}`, field: 'platform' })
  },
  invalid: 'BAD_REQUEST',
  errors: ['FEED_001'],
  tags: ['Feed webhooks'],
  config: { channel: 'feed' },
}

export const workspaceChannel: Channel = {
  path: '/api/workspace/:workspaceId/webhooks',
  params: z.object({ workspaceId }),
  events: workspaceEvents,
  scopeOf: () => ({ platform: null, catalog: null }),
  requirePlace: async () => {},
  invalid: 'INVALID_REQUEST',
  errors: [],
  tags: ['Webhooks'],
  config: {},
}

const catalogOf = (params: unknown) => (params as { catalogId: string }).catalogId

/** Sent what each publish of the catalog changes. */
export const catalogChannel: Channel = {
  path: '/api/workspace/:workspaceId/catalogs/:catalogId/webhooks',
  params: z.object({ workspaceId, catalogId }),
  events: null,
  scopeOf: (params) => ({ platform: null, catalog: catalogOf(params) }),
  async requirePlace(tx, params) {
    if (!(await findCatalog(tx, catalogOf(params)))) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
  },
  invalid: 'INVALID_REQUEST',
  errors: ['CATALOG_NOT_FOUND'],
  tags: ['Catalog webhooks'],
  config: {},
}
