/** Workspaces: those of a person and new ones, under /api/workspaces; one, its plan and usage, under /api/workspace/{workspaceId}. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import {
  findWorkspace,
  lockWorkspace,
  removeWorkspace,
  renameWorkspace,
  type WorkspaceRow,
} from '../../infra/catalog/workspaces.ts'
import { displayName } from '../../schemas/display-name.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { workspaceId } from '../../schemas/ids.ts'
import { planLimits, planNames, plans } from '../../schemas/plan.ts'
import { requireAllBrands } from '../access/all-brands.ts'
import type { Forget } from '../access/forget.ts'
import type { Person } from '../access/person.ts'
import { listQuery, nextTextCursor, readTextCursor } from '../cursor.ts'
import { bearerOf, personOf, principalOf } from '../plugins/access.ts'
import { exampleUsage, exampleWorkspace } from './examples.ts'
import { recordChange } from './record-change.ts'

const tags = ['Workspaces']
const body = z.strictObject({ name: displayName })
const workspaceResource = z.object({
  id: workspaceId,
  name: z.string(),
  plan: z.enum(planNames),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
const answer = z.object({ workspace: workspaceResource })
const idForm = /^ws_[a-z0-9]+$/

export interface WorkspacePorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly forget: Forget
  /** Asked where no workspace is named, so under no policy. */
  readonly workspaces: {
    create(name: string, by: Person, requestId: string): Promise<WorkspaceRow>
    of(person: Person, after: string | null, limit: number): Promise<readonly WorkspaceRow[]>
    /** What counts against the plan. */
    used(workspace: string): Promise<z.infer<typeof planLimits>>
  }
}

const toResource = (row: WorkspaceRow) => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const gone = () => new ServiceError('FORBIDDEN', { message: 'There is no such workspace' })

export const workspaces: FastifyPluginAsyncZod<WorkspacePorts> = async (app, { catalog, forget, workspaces }) => {
  const params = z.object({ workspaceId })
  const one = '/api/workspace/:workspaceId'

  app.get(
    '/api/workspaces',
    {
      config: { person: true },
      schema: {
        summary: "The caller's workspaces",
        examples: { query: { limit: 20 }, answer: { workspaces: [exampleWorkspace], next: null } },
        tags,
        querystring: listQuery,
        response: { 200: z.object({ workspaces: z.array(workspaceResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const rows = await workspaces.of(personOf(request), readTextCursor(after, idForm), limit + 1)
      const ids = rows.map(({ id }) => id)
      return { workspaces: rows.slice(0, limit).map(toResource), next: nextTextCursor(ids, limit) }
    },
  )

  app.post(
    '/api/workspaces',
    {
      config: { person: true },
      schema: {
        summary: 'Makes a workspace with the brand main, a catalog, and the caller as its owner',
        examples: { body: { name: 'Demonstration' }, answer: { workspace: exampleWorkspace } },
        tags,
        body,
        response: { 201: answer },
      },
    },
    async (request, reply) => {
      const person = personOf(request)
      if (person.local && person.local.role !== 'owner')
        throw new ServiceError('INSUFFICIENT_PERMISSIONS', {
          message: 'A token of the local issuer makes workspaces only with the role owner',
        })
      const row = await workspaces.create(request.body.name, person, request.id)
      forget.member(person.subject)
      return reply.code(201).send({ workspace: toResource(row) })
    },
  )

  app.get(
    one,
    {
      config: { action: 'workspace:read' },
      schema: {
        summary: 'Reads a workspace',
        examples: { answer: { workspace: exampleWorkspace } },
        tags,
        params,
        response: { 200: answer },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const row = await catalog.withTenant(principalOf(bearer), (tx) => findWorkspace(tx, bearer.workspace))
      if (!row) throw gone()
      return { workspace: toResource(row) }
    },
  )

  app.patch(
    one,
    {
      config: { action: 'workspace:write' },
      schema: {
        summary: 'Renames a workspace',
        examples: { body: { name: 'Demonstration' }, answer: { workspace: exampleWorkspace } },
        tags,
        params,
        body,
        response: { 200: answer },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      requireAllBrands(bearer)
      const { workspace: id } = bearer
      const { name } = request.body
      const row = await catalog.withTenant(principalOf(bearer), async (tx) => {
        await lockWorkspace(tx, id)
        const found = await findWorkspace(tx, id)
        if (!found || found.name === name) return found
        const change = { target: id, brand: null, before: { name: found.name }, after: { name } }
        await recordChange(tx, request, { action: 'workspace.update', ...change })
        return renameWorkspace(tx, id, name)
      })
      if (!row) throw gone()
      return { workspace: toResource(row) }
    },
  )

  app.delete(
    one,
    {
      config: { action: 'workspace:own' },
      schema: {
        summary: 'Deletes a workspace: nobody has access to it any more',
        examples: { answer: { workspaceId: exampleWorkspace.id, deleted: true } },
        tags,
        params,
        response: { 200: z.object({ workspaceId, deleted: z.literal(true) }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      requireAllBrands(bearer)
      const { workspace: id } = bearer
      await catalog.withTenant(principalOf(bearer), async (tx) => {
        const row = await removeWorkspace(tx, id)
        if (!row) throw gone()
        const change = { target: id, brand: null, before: { name: row.name }, after: null }
        await recordChange(tx, request, { action: 'workspace.delete', ...change })
      })
      forget.policy(id)
      return { workspaceId: id, deleted: true as const }
    },
  )

  app.get(
    `${one}/usage`,
    {
      config: { action: 'workspace:read' },
      schema: {
        summary: 'The plan, its limits, and what is used of them',
        examples: { answer: exampleUsage },
        tags,
        params,
        response: { 200: z.object({ plan: z.enum(planNames), limits: planLimits, used: planLimits }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const row = await catalog.withTenant(principalOf(bearer), (tx) => findWorkspace(tx, bearer.workspace))
      if (!row) throw gone()
      return { plan: row.plan, limits: plans[row.plan], used: await workspaces.used(row.id) }
    },
  )
}
