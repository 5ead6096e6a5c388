/** GET and PUT …/settings/events: how long a workspace keeps what agents did. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { readEventDays, writeEventDays } from '../../infra/catalog/event-days.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { lockWorkspace } from '../../infra/catalog/workspaces.ts'
import { brandId, workspaceId } from '../../schemas/ids.ts'
import { retention } from '../../schemas/retention.ts'
import { requireAllBrands } from '../access/all-brands.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { recordChange } from './record-change.ts'

const { days: usual, atLeast, atMost } = retention.events
const days = z.int().min(atLeast).max(atMost)
const answer = z.object({ events: z.object({ keepDays: days, isDefault: z.boolean() }) })
const toAnswer = (own: number | null) => ({ events: { keepDays: own ?? usual, isDefault: own === null } })

export const eventRetention: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> }> = async (
  app,
  { catalog },
) => {
  const params = z.object({ workspaceId })
  const tags = ['Settings']

  app.get(
    '/settings/events',
    {
      config: { action: 'settings:read' },
      schema: {
        summary: 'Read how long events are kept',
        tags,
        examples: { answer: toAnswer(null) },
        params,
        response: { 200: answer },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      return toAnswer(await catalog.withTenant(principalOf(bearer), (tx) => readEventDays(tx, bearer.workspace)))
    },
  )

  app.put(
    '/settings/events',
    {
      config: { action: 'settings:write' },
      schema: {
        summary: 'Set how long events are kept',
        description: `Days, ${atLeast} to ${atMost}, counted from when an event happened; null: ${usual}, as where nothing was ever set. Events that are older are removed within minutes, also those of before, and do not come back: a longer time holds for what comes after it.`,
        tags,
        examples: { body: { keep_days: 90 }, answer: toAnswer(90) },
        params,
        body: z.strictObject({ keep_days: days.nullable(), brand_id: brandId.optional() }),
        response: { 200: answer },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      requireAllBrands(bearer)
      const { workspace } = bearer
      const wanted = request.body.keep_days
      await catalog.withTenant(principalOf(bearer), async (tx) => {
        await lockWorkspace(tx, workspace)
        const before = await readEventDays(tx, workspace)
        if (before === wanted) return
        await writeEventDays(tx, workspace, wanted)
        const change = { before: { keepDays: before }, after: { keepDays: wanted } }
        await recordChange(tx, request, { action: 'events.retention', target: workspace, brand: null, ...change })
      })
      return toAnswer(wanted)
    },
  )
}
