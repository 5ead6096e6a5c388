/** GET and PUT …/settings/pipeline: how a workspace's columns are read, its products weighed, and what runs unasked. */
import { isDeepStrictEqual } from 'node:util'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import {
  findSettings,
  nextSettingsNumber,
  saveSettings,
  saveWeights,
  type WorkspaceSettings,
} from '../../infra/catalog/settings.ts'
import { lockWorkspace } from '../../infra/catalog/workspaces.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, workspaceId } from '../../schemas/ids.ts'
import type { PipelineSettings } from '../../schemas/settings.ts'
import { readsOtherwise } from '../../transforms/silver/reads-otherwise.ts'
import { requireAllBrands } from '../access/all-brands.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleSettings } from './examples.ts'
import { recordChange } from './record-change.ts'
import { fromBody, settingsBody, toBody } from './settings-body.ts'

const numbered = settingsBody.extend({ number: z.int().min(1) })
const answer = z.object({
  settings: numbered,
  /** The weights above are saved and not in force yet. */
  weights_pending: z.boolean(),
  /** Products are being refined under these settings, or wait for a batch run over silver. */
  refine_pending: z.boolean(),
})

export const settings: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> }> = async (app, { catalog }) => {
  const params = z.object({ workspaceId })
  const tags = ['Settings']

  app.get(
    '/settings/pipeline',
    {
      config: { action: 'settings:read' },
      schema: {
        summary: 'Read the pipeline settings',
        description: 'The header `ETag` names their number, for `If-Match` of the next PUT.',
        tags,
        examples: { answer: exampleAnswer },
        params,
        response: { 200: answer },
      },
    },
    async (request, reply) => {
      const { workspace } = bearerOf(request)
      const found = await catalog.withTenant(principalOf(bearerOf(request)), (tx) => present(tx, workspace))
      reply.header('etag', tagOf(found.silver.number))
      return toAnswer(found)
    },
  )

  app.put(
    '/settings/pipeline',
    {
      config: { action: 'settings:write' },
      schema: {
        summary: 'Replace the pipeline settings',
        description:
          'The whole document. With `If-Match` or `number` it is taken only where nobody has saved since, else 412. ' +
          'Mappings name columns as the header of a file does: without the space around them, which is trimmed, and otherwise exactly, so that `Foo` and `foo` are two columns. ' +
          'Weights may be on any scale. A change of how columns are read refines all products anew, in the background.',
        tags,
        errors: [{ code: 'CONFLICT', status: 412 }],
        examples: { body: exampleSettings, answer: exampleAnswer },
        params,
        body: settingsBody.extend({ number: z.int().min(1).optional(), brand_id: brandId.optional() }),
        response: { 200: answer },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      requireAllBrands(bearer)
      const { workspace, subject } = bearer
      const { number, brand_id: _named, ...body } = request.body
      const wanted = fromBody(body)
      const saved = await catalog.withTenant(principalOf(bearer), async (tx) => {
        await lockWorkspace(tx, workspace)
        const before = await present(tx, workspace)
        requirePresent(before.silver.number, number, request.headers['if-match'])
        const { taxonomy } = before.silver
        const next: PipelineSettings = {
          ...wanted.settings,
          ...(taxonomy === undefined ? {} : { taxonomy }),
          number: await nextSettingsNumber(tx, workspace),
        }
        const weighed = weightsOf(before)
        const same = isDeepStrictEqual(next, { ...before.silver, number: next.number })
        const sameWeights = isDeepStrictEqual(wanted.weights, [...weighed])
        if (same && sameWeights) return before
        await saveSettings(tx, workspace, next, subject, readsOtherwise(before.silver, next))
        if (!sameWeights) await saveWeights(tx, workspace, wanted.weights, subject)
        await recordChange(tx, request, {
          action: 'settings.update',
          target: workspace,
          brand: null,
          before: { number: before.silver.number, ...toBody(before.silver, weighed) },
          after: { number: next.number, ...toBody(next, wanted.weights) },
        })
        return present(tx, workspace)
      })
      reply.header('etag', tagOf(saved.silver.number))
      return toAnswer(saved)
    },
  )
}

async function present(tx: PoolClient, workspace: string): Promise<WorkspaceSettings> {
  const found = await findSettings(tx, workspace)
  if (!found) throw new ServiceError('FORBIDDEN', { message: 'There is no such workspace' })
  return found
}

/** The last that were saved. */
const weightsOf = ({ pending, weights }: WorkspaceSettings) => pending?.weights ?? weights

const tagOf = (number: number) => `"${number}"`

function requirePresent(now: number, number: number | undefined, ifMatch: string | undefined) {
  const tags = ifMatch?.split(',').map((tag) => tag.trim())
  const matches = tags === undefined || tags.includes('*') || tags.includes(tagOf(now))
  if (matches && (number === undefined || number === now)) return
  throw new ServiceError('CONFLICT', {
    status: 412,
    message: `The settings have changed since you read them; they are number ${now} now`,
    ...(matches ? { field: 'number' } : {}),
  })
}

const toAnswer = (found: WorkspaceSettings) => ({
  settings: { number: found.silver.number, ...toBody(found.silver, weightsOf(found)) },
  weights_pending: found.pending !== null,
  refine_pending: found.refinedNumber < found.silverNumber,
})

const exampleAnswer = {
  settings: { number: 2, ...exampleSettings },
  weights_pending: false,
  refine_pending: true,
}
