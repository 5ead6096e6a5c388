/** Members of a workspace: list, add, read, change, remove. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { knownBrands } from '../../infra/catalog/brands.ts'
import {
  countMembers,
  deleteMember,
  findMember,
  insertMember,
  listMembers,
  type Membership,
  updateMember,
} from '../../infra/catalog/members.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { isLastOwner, isUniqueViolation } from '../../infra/catalog/sql-errors.ts'
import { findWorkspace, lockWorkspace } from '../../infra/catalog/workspaces.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { workspaceId } from '../../schemas/ids.ts'
import { plans } from '../../schemas/plan.ts'
import { subjectForm } from '../../schemas/subject.ts'
import type { Forget } from '../access/forget.ts'
import { listQuery, nextTextCursor, readTextCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleMember } from './examples.ts'
import { memberChange, memberResource, newMember, subject, toResource } from './member-resource.ts'
import { judgeMembership } from './membership.ts'
import { recordChange } from './record-change.ts'

const tags = ['Members']
const answer = z.object({ member: memberResource })

const notFound = () => new ServiceError('NOT_FOUND', { message: 'Member not found', field: 'subject' })

/** The audit row of a member of one brand is that brand's. */
function auditBrand(...states: readonly (Membership | null)[]): string | null {
  const ids = new Set(states.flatMap((one) => (one ? (one.allBrands ? ['*'] : one.brandIds) : [])))
  const [only, another] = ids
  return only === undefined || only === '*' || another !== undefined ? null : only
}

const factsOf = ({ role, allBrands, brandIds }: Membership) => ({ role, allBrands, brandIds })

async function requireBrands(tx: PoolClient, { brandIds }: Membership) {
  const known = await knownBrands(tx, brandIds)
  if (brandIds.some((id) => !known.has(id)))
    throw new ServiceError('FORBIDDEN', { message: 'There is no such brand among yours', field: 'brand_ids' })
}

function tellConflict(error: unknown): never {
  if (isLastOwner(error)) throw new ServiceError('CONFLICT', { message: 'The last owner cannot leave or be lowered' })
  if (isUniqueViolation(error))
    throw new ServiceError('CONFLICT', { message: 'This subject is a member already', field: 'subject' })
  throw error
}

export const members: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'>; forget: Forget }> = async (
  app,
  { catalog, forget },
) => {
  const params = z.object({ workspaceId })
  const one = params.extend({ subject })

  app.get(
    '/members',
    {
      config: { action: 'members:read' },
      schema: {
        summary: 'Members, in order of their subjects',
        examples: { query: { limit: 20 }, answer: { members: [exampleMember], next: null } },
        tags,
        params,
        querystring: listQuery,
        response: { 200: z.object({ members: z.array(memberResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const rows = await catalog.withTenant(principalOf(bearerOf(request)), (tx) =>
        listMembers(tx, readTextCursor(after, subjectForm), limit + 1),
      )
      const subjects = rows.map((row) => row.subject)
      return { members: rows.slice(0, limit).map(toResource), next: nextTextCursor(subjects, limit) }
    },
  )

  app.post(
    '/members',
    {
      config: { action: 'members:write' },
      schema: {
        summary: 'Adds a member',
        examples: {
          body: { subject: exampleMember.subject, role: 'editor', brand_ids: exampleMember.brandIds },
          answer: { member: exampleMember },
        },
        tags,
        params,
        body: newMember,
        response: { 201: answer },
        errors: ['CONFLICT', 'PLAN_LIMIT'],
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { workspace } = bearer
      const { role, all_brands: allBrands, brand_ids, email, name, subject } = request.body
      const to = { role, allBrands, brandIds: [...new Set(brand_ids)] }
      judgeMembership(bearer, { subject, from: null, to })
      const row = await catalog
        .withTenant(principalOf(bearer), async (tx) => {
          await lockWorkspace(tx, workspace)
          await requireBrands(tx, to)
          const count = await countMembers(tx)
          const most = plans[(await findWorkspace(tx, workspace))?.plan ?? 'free'].members
          if (count >= most)
            throw new ServiceError('PLAN_LIMIT', { message: `The plan takes ${most} members, and they are there` })
          const said = { email: email ?? null, name: name ?? null }
          const change = { target: subject, brand: auditBrand(to), before: null, after: { ...to, ...said } }
          await recordChange(tx, request, { action: 'member.create', ...change })
          return insertMember(tx, { ...to, ...said, workspace, subject, by: bearer.subject })
        })
        .catch(tellConflict)
      forget.member(subject)
      return reply.code(201).send({ member: toResource(row) })
    },
  )

  app.get(
    '/members/:subject',
    {
      config: { action: 'members:read' },
      schema: {
        summary: 'Reads a member',
        examples: { answer: { member: exampleMember } },
        tags,
        params: one,
        response: { 200: answer },
      },
    },
    async (request) => {
      const { subject } = request.params
      const row = await catalog.withTenant(principalOf(bearerOf(request)), (tx) => findMember(tx, subject))
      if (!row) throw notFound()
      return { member: toResource(row) }
    },
  )

  app.patch(
    '/members/:subject',
    {
      config: { action: 'members:write' },
      schema: {
        summary: "Changes a member's role or brands",
        examples: { body: { role: 'editor' }, answer: { member: exampleMember } },
        tags,
        params: one,
        body: memberChange,
        response: { 200: answer },
        errors: ['CONFLICT'],
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { role, all_brands, brand_ids } = request.body
      const { subject } = request.params
      const row = await catalog
        .withTenant(principalOf(bearer), async (tx) => {
          await lockWorkspace(tx, bearer.workspace)
          const from = await findMember(tx, subject)
          if (!from) throw notFound()
          const to = {
            role: role ?? from.role,
            allBrands: all_brands ?? (brand_ids === undefined && from.allBrands),
            brandIds: brand_ids ? [...new Set(brand_ids)] : all_brands === true ? [] : from.brandIds,
          }
          judgeMembership(bearer, { subject, from, to })
          // Those that it has may be of brands that are gone.
          if (brand_ids) await requireBrands(tx, to)
          const change = { before: factsOf(from), after: to, brand: auditBrand(from, to) }
          await recordChange(tx, request, { action: 'member.update', target: subject, ...change })
          return updateMember(tx, subject, to)
        })
        .catch(tellConflict)
      if (!row) throw notFound()
      forget.member(subject)
      return { member: toResource(row) }
    },
  )

  app.delete(
    '/members/:subject',
    {
      config: { action: 'members:write' },
      schema: {
        summary: 'Removes a member',
        examples: { answer: { subject: exampleMember.subject, deleted: true } },
        tags,
        params: one,
        response: { 200: z.object({ subject, deleted: z.literal(true) }) },
        errors: ['CONFLICT'],
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { subject } = request.params
      await catalog
        .withTenant(principalOf(bearer), async (tx) => {
          await lockWorkspace(tx, bearer.workspace)
          const from = await findMember(tx, subject)
          if (!from) throw notFound()
          judgeMembership(bearer, { subject, from, to: null })
          const change = { before: factsOf(from), after: null, brand: auditBrand(from) }
          await recordChange(tx, request, { action: 'member.delete', target: subject, ...change })
          await deleteMember(tx, subject)
        })
        .catch(tellConflict)
      forget.member(subject)
      return { subject, deleted: true as const }
    },
  )
}
