/** GET …/rubric: every rule that gold grades by, why it is there and who says so, with the workspace's weights. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { platformNames } from '../../schemas/feeds/profile.ts'
import { platforms } from '../../schemas/feeds/registry.ts'
import { workspaceId } from '../../schemas/ids.ts'
import { dimensions, feedReadyFrom, type Weights } from '../../schemas/score.ts'
import { rubricVersion, rubric as rules } from '../../transforms/gold/rubric.ts'
import { bearerOf } from '../plugins/access.ts'

const ruleResource = z.object({
  id: z.string(),
  field: z.string(),
  /** All rules of a dimension have 100 together; one of 0 points says what keeps a product out of a feed. */
  points: z.int().min(0).max(100),
  why: z.string(),
  sources: z.array(z.string()),
  /** Whether it asks if the field is there at all: a gap of such a rule can be missing. */
  presence: z.boolean(),
})
const rubricResource = z.object({
  version: z.int(),
  feedReadyFrom: z.int(),
  dimensions: z.array(
    z.object({
      name: z.enum(dimensions),
      /** Parts of 10,000 that it has of the score, by the weights in force. */
      weight: z.int(),
      rules: z.array(ruleResource),
    }),
  ),
  platforms: z.array(
    z.object({
      platform: z.enum(platformNames),
      version: z.int(),
      /** A product that breaks one of these is not taken. */
      rules: z.array(z.object({ field: z.string(), asks: z.string(), source: z.string() })),
    }),
  ),
})

const ruled = dimensions.map((name) => ({
  name,
  rules: rules
    .filter(({ dimension }) => dimension === name)
    .map(({ id, field, points, why, sources, presence = false }) => ({
      ...{ id, field, points, why, presence },
      sources: [...sources],
    })),
}))
const judged = platforms.map(({ platform, version, rules }) => ({
  platform,
  version,
  rules: rules.map(({ field, asks, source }) => ({ field, asks, source })),
}))

const rubricOf = (weights: Weights): z.infer<typeof rubricResource> => ({
  version: rubricVersion,
  feedReadyFrom,
  dimensions: ruled.map((one, place) => ({ ...one, weight: weights[place] ?? 0 })),
  platforms: judged,
})

const exampleRubric = {
  version: 4,
  feedReadyFrom,
  dimensions: [{ name: 'identity', weight: 2000, rules: ruled[0]?.rules.slice(0, 1) }],
  platforms: [{ platform: 'google', version: 4, rules: judged[0]?.rules.slice(0, 1) }],
}

export const rubric: FastifyPluginAsyncZod<{ weights: (workspace: string) => Promise<Weights> }> = async (
  app,
  { weights },
) => {
  app.get(
    '/rubric',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'Read the rubric',
        description:
          'Every rule with its points, why it is there and its sources, the weights in force, and for what each platform refuses a product. Scores name the version that they were made with.',
        tags: ['Products'],
        examples: { answer: { rubric: exampleRubric } },
        params: z.object({ workspaceId }),
        response: { 200: z.object({ rubric: rubricResource }) },
      },
    },
    async (request) => ({ rubric: rubricOf(await weights(bearerOf(request).workspace)) }),
  )
}
