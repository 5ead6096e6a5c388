/** GET /api/mcp/feed and /api/mcp/feed/{platform}: the platforms that feeds are made for, and a feed as agents read it. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { profiles } from '../../schemas/feeds/registry.ts'
import type { FeedPorts } from './feed-ports.ts'
import { feedRoute, feedSchema, tags } from './feed-route.ts'
import { readFeed } from './read-feed.ts'

const platform = z.object({ platform: z.string(), version: z.number(), aliases: z.array(z.string()) })

export const toolFeed: FastifyPluginAsyncZod<FeedPorts> = async (app, ports) => {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())

  app.get(
    '/api/mcp/feed',
    {
      config: { action: 'mcp:feed:read', channel: 'feed' },
      schema: {
        summary: 'List the platforms that feeds are made for',
        tags,
        examples: { answer: { platforms: [{ platform: 'google', version: 2, aliases: ['search-shopping'] }] } },
        response: { 200: z.object({ platforms: z.array(platform) }) },
      },
    },
    async () => ({
      platforms: profiles.map(({ platform, version, aliases }) => ({ platform, version, aliases: [...aliases] })),
    }),
  )

  app.get(
    '/api/mcp/feed/:platform',
    { config: feedRoute, schema: { ...feedSchema, summary: 'Read the published catalog as agents do' } },
    (request, reply) => readFeed(request, reply, ports, { ...request.params, ...request.query }, closing.signal),
  )

  app.get(
    '/api/v1/feeds/:platform',
    { config: feedRoute, schema: { ...feedSchema, summary: 'Read the published catalog as a platform takes it' } },
    (request, reply) => readFeed(request, reply, ports, { ...request.params, ...request.query }, closing.signal),
  )
}
