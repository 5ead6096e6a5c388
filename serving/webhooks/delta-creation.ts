/** Makes webhooks of a catalog: each is sent what every publish changed, in the shape of its target. */
import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { lockBrand } from '../../infra/catalog/brands.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { insertDelta } from '../../infra/catalog/webhook-deltas.ts'
import { countWebhooks, findWebhook, insertSecret, insertWebhook } from '../../infra/catalog/webhooks.ts'
import { deltaEvent, deltaOptions, deltaTargets, mostPartBytes, mostPartProducts } from '../../schemas/delta.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, webhookId } from '../../schemas/ids.ts'
import { mostWebhooks, signingSecret } from '../../schemas/webhook.ts'
import { deltaShapes } from '../../transforms/deltas/shapes.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { recordChange } from '../workspace/record-change.ts'
import { catalogChannel } from './channel.ts'
import { checkedAddress } from './checked-address.ts'
import { exampleOf } from './example-of.ts'
import { makeSecret } from './make-secret.ts'
import { saidOfWebhook, webhookNotFound, webhookOf, webhookResource } from './webhook-resource.ts'
import type { WebhookPorts } from './webhooks.ts'

const description = [
  `From the next publish on the address is sent one POST \`${deltaEvent}\` for each publish, signed as all webhooks are: \`event\`, \`workspace_id\`, \`brand_id\`, \`catalog_id\`, \`target\`, \`version\`, \`published_at\`, \`full\`, \`part\`, \`parts\`, \`position\`, \`previous_position\`, and the lists \`added\`, \`modified\` and \`removed\` in the shape of the target; \`removed\` is to be applied first. What is more than ${mostPartBytes} bytes or ${mostPartProducts} products comes in parts, one after the other; a single product that is larger comes alone. A receiver that has not passed \`previous_position\` has missed something, and reads it with \`GET …/changes?after=\`, or asks for a full push. Without \`secret\` one is made and shown this once.`,
  ...deltaTargets.map((target) => `\`${target}\`: ${deltaShapes[target].says}`),
].join('\n\n')

const options = z.record(z.string(), z.unknown())

/** @throws ServiceError 400 that names the option */
function checkedOptions(target: (typeof deltaTargets)[number], given: z.infer<typeof options>) {
  const read = deltaOptions[target].safeParse(given)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = ['options', ...(issue?.path ?? [])].join('.')
  throw new ServiceError('INVALID_REQUEST', { message: `${field} of ${target}: ${issue?.message}`, field })
}

export const deltaCreation: FastifyPluginAsyncZod<WebhookPorts> = async (app, { catalog, webhooks }) => {
  const { path, tags, errors, invalid, params } = catalogChannel
  const example = exampleOf(catalogChannel)
  app.post(
    path,
    {
      config: { ...catalogChannel.config, action: 'webhooks:write', shownOnce: true },
      schema: {
        summary: 'Make a webhook that is sent what each publish changes',
        description,
        tags,
        errors: [...errors, 'CONFLICT'],
        examples: {
          body: { url: example.url, target: example.target, secret: 'a secret of your own' },
          answer: { id: example.id, webhook: example },
        },
        params,
        body: z.strictObject({
          url: z.string().max(2_048),
          target: z.enum(deltaTargets),
          options: options.optional(),
          secret: signingSecret.optional(),
          brand_id: brandId.optional(),
        }),
        response: { 201: z.object({ id: webhookId, webhook: webhookResource, secret: z.string().optional() }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { secret, target } = request.body
      const { catalogId } = request.params as { catalogId: string }
      const address = checkedAddress(webhooks, request.body.url, invalid)
      const setUp = checkedOptions(target, request.body.options ?? {})
      const made = secret === undefined ? makeSecret() : null
      const row = await catalog.withTenant(principalOf(bearer), async (tx) => {
        const of = await findCatalog(tx, catalogId)
        if (!of || !(await lockBrand(tx, of.brandId)))
          throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
        if ((await countWebhooks(tx, of.brandId)) >= mostWebhooks)
          throw new ServiceError('CONFLICT', { message: `A brand has at most ${mostWebhooks} webhooks` })
        const facts = { id: randomUUID(), platform: null, url: address, events: [deltaEvent] }
        const place = { workspace: bearer.workspace, brand: of.brandId, by: bearer.subject }
        const inserted = await insertWebhook(tx, { ...facts, ...place, catalogId, target, options: setUp })
        await insertDelta(tx, inserted, catalogId)
        await insertSecret(tx, inserted, webhooks.seal(secret ?? made ?? '', inserted.id))
        const row = await findWebhook(tx, inserted.id, { platform: null, catalog: catalogId })
        if (!row) throw webhookNotFound()
        const change = { target: row.id, brand: of.brandId, before: null, after: saidOfWebhook(row) }
        await recordChange(tx, request, { action: 'webhook.create', ...change })
        return row
      })
      return reply.code(201).send({ id: row.id, webhook: webhookOf(row), ...(made === null ? {} : { secret: made }) })
    },
  )
}
