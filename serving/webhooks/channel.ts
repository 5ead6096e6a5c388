/** Where webhooks are kept: those of a platform's feed, and those of a workspace; the same routes stand under both. */
import type { FastifyContextConfig } from 'fastify'
import { z } from 'zod'
import type { ErrorCode } from '../../schemas/errors.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { profileFor, profiles } from '../../schemas/feeds/registry.ts'
import { workspaceId } from '../../schemas/ids.ts'
import { feedEvents, workspaceEvents } from '../../schemas/webhook.ts'

export interface Channel {
  readonly path: string
  readonly params: z.ZodObject
  readonly events: readonly string[]
  /** @returns the platform's own name, whatever alias the address has; null: events of the workspace */
  platformOf(params: unknown): string | null
  readonly invalid: ErrorCode
  readonly errors: readonly ErrorCode[]
  readonly tags: readonly string[]
  readonly config: Pick<FastifyContextConfig, 'channel'>
}

export const feedChannel: Channel = {
  path: '/api/v1/feeds/:platform/webhooks',
  params: z.object({ platform: z.string().max(50) }),
  events: feedEvents,
  platformOf(params) {
    const profile = profileFor((params as { platform: string }).platform)
    if (profile) return profile.platform
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
  platformOf: () => null,
  invalid: 'INVALID_REQUEST',
  errors: [],
  tags: ['Webhooks'],
  config: {},
}
