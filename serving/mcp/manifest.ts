/** GET /api/v1/manifest: the tools that there are, open to all. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { interfaceVersion } from '../../schemas/interface-version.ts'
import { listedTool } from './listed-tool.ts'
import { toolCategories } from './tool.ts'
import { toolList } from './tool-list.ts'

const manifestTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  category: z.enum(toolCategories),
  read_only: z.boolean(),
  input_schema: z.unknown(),
})

export const manifest: FastifyPluginAsyncZod = async (app) => {
  const tools = toolList.map((tool) => ({
    ...{ name: tool.name, title: tool.title, description: tool.description, category: tool.category },
    read_only: tool.needs === null,
    input_schema: listedTool(tool).inputSchema,
  }))
  app.get(
    '/api/v1/manifest',
    {
      config: { open: true },
      schema: {
        summary: 'List the tools that there are',
        description: 'Open to all. Calling them takes a key of one brand, or a token, with `mcp:tools`.',
        tags: ['Tools'],
        examples: {
          answer: {
            ...{ name: 'assay', version: '0.1.0', endpoint: '/api/mcp', transport: 'streamable-http' },
            ...{ protocol_versions: ['2026-07-28', '2025-11-25'], tools: tools.slice(0, 1) },
          },
        },
        response: {
          200: z.object({
            name: z.string(),
            version: z.string(),
            endpoint: z.string(),
            transport: z.string(),
            protocol_versions: z.array(z.string()),
            tools: z.array(manifestTool),
          }),
        },
      },
    },
    async () => ({
      ...{ name: 'assay', version: interfaceVersion, endpoint: '/api/mcp', transport: 'streamable-http' },
      protocol_versions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
      tools,
    }),
  )
}
