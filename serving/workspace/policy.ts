/** GET and PUT …/policy: from where, with how old a sign-in and with how many factors a workspace is entered. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Policy } from '../../infra/catalog/access-queries.ts'
import { readPolicy, writePolicy } from '../../infra/catalog/policies.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { lockWorkspace } from '../../infra/catalog/workspaces.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { workspaceId } from '../../schemas/ids.ts'
import { requireAllBrands } from '../access/all-brands.ts'
import type { Forget } from '../access/forget.ts'
import { readRange } from '../access/ip-ranges.ts'
import { violation } from '../access/principal.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { examplePolicy } from './examples.ts'
import { recordChange } from './record-change.ts'

const tags = ['Workspaces']
const range = z
  .string()
  .max(60)
  .refine(
    (text) => readRange(text) !== null,
    'is no IPv4 or IPv6 address or CIDR range, as 192.0.2.0/24 or 2001:db8::/32',
  )
const minutes = z.int().min(1).max(525_600)

const policyResource = z.object({
  ipAllow: z.array(z.string()),
  sessionMinutes: minutes.nullable(),
  requireSecondFactor: z.boolean(),
})
const answer = z.object({ policy: policyResource })

const newPolicy = z.strictObject({
  /** Empty: from everywhere. */
  ip_allow: z.array(range).max(200),
  /** null: as long as a token lives. */
  session_minutes: minutes.nullable(),
  require_second_factor: z.boolean(),
})

const toResource = ({ ipAllow, sessionMinutes, requireSecondFactor }: Policy) => ({
  ipAllow: [...ipAllow],
  sessionMinutes,
  requireSecondFactor,
})

interface PolicyPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly forget: Forget
  readonly now: () => Date
}

export const policy: FastifyPluginAsyncZod<PolicyPorts> = async (app, { catalog, forget, now }) => {
  const params = z.object({ workspaceId })

  app.get(
    '/policy',
    {
      config: { action: 'workspace:read' },
      schema: {
        summary: "Reads the workspace's policy",
        examples: { answer: { policy: examplePolicy } },
        tags,
        params,
        response: { 200: answer },
      },
    },
    async (request) => ({
      policy: toResource(await catalog.withTenant(principalOf(bearerOf(request)), readPolicy)),
    }),
  )

  app.put(
    '/policy',
    {
      config: { action: 'workspace:write' },
      schema: {
        summary: "Sets the workspace's policy",
        examples: {
          body: { ip_allow: ['192.0.2.0/24'], session_minutes: 480, require_second_factor: true },
          answer: { policy: examplePolicy },
        },
        tags,
        params,
        body: newPolicy,
        response: { 200: answer },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      requireAllBrands(bearer)
      const { ip_allow, session_minutes, require_second_factor } = request.body
      const after = { ipAllow: ip_allow, sessionMinutes: session_minutes, requireSecondFactor: require_second_factor }
      const broken = violation(after, bearer, request.ip, now())
      if (broken)
        throw new ServiceError('INVALID_REQUEST', {
          message: `This would lock you out. ${broken.says}`,
          field: broken.field,
        })
      await catalog.withTenant(principalOf(bearer), async (tx) => {
        await lockWorkspace(tx, bearer.workspace)
        const before = await readPolicy(tx)
        await writePolicy(tx, bearer.workspace, after, bearer.subject)
        const change = { target: bearer.workspace, brand: null, before, after }
        await recordChange(tx, request, { action: 'policy.update', ...change })
      })
      forget.policy(bearer.workspace)
      return { policy: toResource(after) }
    },
  )
}
