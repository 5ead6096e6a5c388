/** GET /.well-known/oauth-protected-resource: whose tokens the tool channel takes (RFC 9728), so that clients find the identity provider. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ServiceError } from '../../schemas/errors.ts'
import type { McpPorts } from './mcp-ports.ts'

const path = '/.well-known/oauth-protected-resource'

export const resourceMetadataUrl = (base: string) => `${base.replace(/\/$/, '')}${path}/api/mcp`

export const protectedResource: FastifyPluginAsyncZod<Pick<McpPorts, 'access' | 'mcp'>> = async (
  app,
  { access, mcp },
) => {
  for (const [url, resource] of [
    [path, '/api/mcp'],
    [`${path}/api/mcp`, '/api/mcp'],
    [`${path}/api/mcp/sse`, '/api/mcp/sse'],
  ] as const)
    app.get(
      url,
      {
        schema: {
          summary: 'Whose tokens the tool channel takes',
          description: 'RFC 9728. 404 where no identity provider is configured: then keys are sent in headers.',
          tags: ['Tools'],
          errors: ['NOT_FOUND'],
          examples: {
            answer: {
              ...{ resource: 'https://assay.example.test/api/mcp', resource_name: 'Assay' },
              authorization_servers: ['https://login.example.test'],
              bearer_methods_supported: ['header'],
              scopes_supported: ['mcp:tools', 'products:write'],
            },
          },
          response: {
            200: z.object({
              resource: z.string(),
              authorization_servers: z.array(z.string()),
              bearer_methods_supported: z.array(z.string()),
              scopes_supported: z.array(z.string()),
              resource_name: z.string(),
            }),
          },
        },
      },
      async ({ protocol, host }) => {
        if (mcp.issuer === null)
          throw new ServiceError('NOT_FOUND', {
            message: 'No identity provider is configured; send a key in X-API-Key',
          })
        const base = (access.publicUrl ?? `${protocol}://${host}`).replace(/\/$/, '')
        return {
          resource: `${base}${resource}`,
          authorization_servers: [mcp.issuer],
          bearer_methods_supported: ['header'],
          scopes_supported: ['mcp:tools', 'products:write'],
          resource_name: 'Assay',
        }
      },
    )
}
