/** GET …/inbound: the topic that a workspace may write products to, and the format of what it writes. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { workspaceId } from '../../schemas/ids.ts'
import { inboundHeaders, inboundJsonSchema, inboundTopic } from '../../schemas/inbound.ts'

const answer = z.object({
  topic: z.string(),
  /** By name, what each is for. */
  headers: z.record(z.string(), z.string()),
  /** JSON Schema of a message's value. */
  schema: z.record(z.string(), z.unknown()),
})

const formatOf = (workspace: string) => ({
  topic: inboundTopic(workspace),
  headers: { ...inboundHeaders },
  schema: { ...inboundJsonSchema },
})

export const inbound: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/inbound',
    {
      config: { action: 'catalogs:read' },
      schema: {
        summary: 'Read how to write to the inbound topic',
        description:
          'Where the log is Kafka, a workspace may write products to a topic of its own; the broker decides who may. The workspace is the ' +
          "topic's, whatever a message says; what nobody can read is a dead letter with reason and offset. Versions of the format only gain optional members.",
        tags: ['Imports'],
        examples: { answer: formatOf('ws_demo') },
        params: z.object({ workspaceId }),
        response: { 200: answer },
      },
    },
    async (request) => formatOf(request.params.workspaceId),
  )
}
