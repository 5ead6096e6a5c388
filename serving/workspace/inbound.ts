/** …/inbound: the topic that a workspace may write products to, and the format of what it writes. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ServiceError } from '../../schemas/errors.ts'
import { workspaceId } from '../../schemas/ids.ts'
import { inboundHeaders, inboundJsonSchema, inboundTopic } from '../../schemas/inbound.ts'

export interface InboundRoutePorts {
  readonly inbound: {
    /** As clients of the brokers name it. */
    nameOf(workspace: string): string
    /** Found, or made. @param partitions null: as many as the log has @returns null where the log is on no brokers */
    make(workspace: string, partitions: number | null): Promise<{ readonly partitions: number } | null>
  }
}

const mostPartitions = 64

const answer = z.object({
  topic: z.string(),
  /** By name, what each is for. */
  headers: z.record(z.string(), z.string()),
  /** JSON Schema of a message's value. */
  schema: z.record(z.string(), z.unknown()),
})
const made = z.object({ topic: z.string(), partitions: z.int() })

const formatOf = (topic: string) => ({
  topic,
  headers: { ...inboundHeaders },
  schema: { ...inboundJsonSchema },
})

export const inbound: FastifyPluginAsyncZod<InboundRoutePorts> = async (app, { inbound: topics }) => {
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
        examples: { answer: formatOf(inboundTopic('ws_demo')) },
        params: z.object({ workspaceId }),
        response: { 200: answer },
      },
    },
    async (request) => formatOf(topics.nameOf(request.params.workspaceId)),
  )

  app.put(
    '/inbound',
    {
      config: { action: 'settings:write' },
      schema: {
        summary: 'Make the inbound topic',
        description:
          'Makes the topic on the brokers; one that is there stays as it is. Who may write to it the operator says, on the brokers. Without `partitions` it has as ' +
          'many as the log. Messages of one product keep their order only within a partition: give each the same key. 409 where the log is embedded, to which nobody else can write.',
        tags: ['Imports'],
        errors: ['CONFLICT'],
        examples: { body: { partitions: 4 }, answer: { topic: inboundTopic('ws_demo'), partitions: 4 } },
        params: z.object({ workspaceId }),
        body: z.strictObject({ partitions: z.int().min(1).max(mostPartitions).optional() }),
        response: { 200: made },
      },
    },
    async ({ params, body }) => {
      const found = await topics.make(params.workspaceId, body.partitions ?? null)
      if (!found)
        throw new ServiceError('CONFLICT', {
          message:
            'The log of this Assay is not on Kafka, so there is no topic to write to; send products through the API',
        })
      return { topic: topics.nameOf(params.workspaceId), partitions: found.partitions }
    },
  )
}
