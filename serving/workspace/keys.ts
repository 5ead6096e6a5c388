/** API keys of a workspace: list, create, read, rotate, revoke; a key is shown once, when it is made. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  findKeyById,
  insertKey,
  type KeyRow,
  listKeys,
  lockKey,
  replaceKey,
  revokeKey,
} from '../../infra/catalog/api-keys.ts'
import { holdBrand } from '../../infra/catalog/brands.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import type { Action } from '../../schemas/access.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { workspaceId } from '../../schemas/ids.ts'
import { requireAllBrands } from '../access/all-brands.ts'
import { makeApiKey } from '../access/api-key.ts'
import type { Forget } from '../access/forget.ts'
import { listQuery, nextCursor, readCursor } from '../cursor.ts'
import { type Bearer, bearerOf, principalOf } from '../plugins/access.ts'
import { exampleKey, exampleSecret } from './examples.ts'
import { keyResource, newKey, rotation, toResource } from './key-resource.ts'
import { recordChange } from './record-change.ts'

const tags = ['API keys']
const answer = z.object({ key: keyResource })
const made = answer.extend({ secret: z.string() })

export interface KeyPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly forget: Forget
  readonly now: () => Date
}

const notFound = () => new ServiceError('NOT_FOUND', { message: 'Key not found', field: 'keyId' })

const factsOf = ({ name, prefix, brandId, scopes, expiresAt }: KeyRow) => ({ name, prefix, brandId, scopes, expiresAt })

/** Who holds a token of few scopes must not make themselves a key of many. */
function requireScopes({ actions }: Pick<Bearer, 'actions'>, scopes: readonly Action[]) {
  const beyond = scopes.find((scope) => !actions.has(scope))
  if (beyond !== undefined)
    throw new ServiceError('INSUFFICIENT_PERMISSIONS', {
      message: `You may not do ${beyond} yourself, so a key of yours may not either`,
      field: 'scopes',
    })
}

export const keys: FastifyPluginAsyncZod<KeyPorts> = async (app, { catalog, forget, now }) => {
  const params = z.object({ workspaceId })
  const one = params.extend({ keyId: z.uuid().toLowerCase() })

  app.get(
    '/keys',
    {
      config: { action: 'keys:read' },
      schema: {
        summary: 'API keys, revoked ones among them',
        examples: { query: { limit: 20 }, answer: { keys: [exampleKey], next: null } },
        tags,
        params,
        querystring: listQuery,
        response: { 200: z.object({ keys: z.array(keyResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const rows = await catalog.withTenant(principalOf(bearerOf(request)), (tx) =>
        listKeys(tx, readCursor(after), limit + 1),
      )
      return { keys: rows.slice(0, limit).map(toResource), next: nextCursor(rows, limit) }
    },
  )

  app.post(
    '/keys',
    {
      config: { action: 'keys:write', shownOnce: true },
      schema: {
        summary: 'Makes an API key',
        examples: {
          body: { name: 'Feeds', scopes: ['mcp:feed:read'], brand_id: exampleKey.brandId },
          answer: { key: exampleKey, secret: exampleSecret },
        },
        tags,
        params,
        body: newKey,
        response: { 201: made },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { name, scopes, brand_id: brandId, expires_at } = request.body
      const expiresAt = expires_at === null ? null : new Date(expires_at)
      if (expiresAt && expiresAt <= now())
        throw new ServiceError('INVALID_REQUEST', { message: 'A key expires in the future', field: 'expires_at' })
      if (brandId === null) requireAllBrands(bearer)
      requireScopes(bearer, scopes)
      const { key: secret, prefix, secretHash } = makeApiKey()
      const row = await catalog.withTenant(principalOf(bearer), async (tx) => {
        if (brandId !== null && !(await holdBrand(tx, brandId)))
          throw new ServiceError('FORBIDDEN', { message: 'There is no such brand among yours', field: 'brand_id' })
        const facts = { name, prefix, brandId, scopes: [...new Set(scopes)], expiresAt }
        const row = await insertKey(tx, { ...facts, workspace: bearer.workspace, secretHash, by: bearer.subject })
        const change = { target: row.id, brand: brandId, before: null, after: facts }
        await recordChange(tx, request, { action: 'key.create', ...change })
        return row
      })
      return reply.code(201).send({ key: toResource(row), secret })
    },
  )

  app.get(
    '/keys/:keyId',
    {
      config: { action: 'keys:read' },
      schema: {
        summary: 'Reads an API key, never its secret',
        examples: { answer: { key: exampleKey } },
        tags,
        params: one,
        response: { 200: answer },
      },
    },
    async (request) => {
      const row = await catalog.withTenant(principalOf(bearerOf(request)), (tx) =>
        findKeyById(tx, request.params.keyId),
      )
      if (!row) throw notFound()
      return { key: toResource(row) }
    },
  )

  app.post(
    '/keys/:keyId/rotate',
    {
      config: { action: 'keys:write', shownOnce: true },
      schema: {
        summary: 'Makes a new key in place of one, which works on for a while',
        examples: { body: { overlap_minutes: 60 }, answer: { key: exampleKey, secret: exampleSecret } },
        tags,
        params: one,
        body: rotation,
        response: { 201: made },
        errors: ['CONFLICT'],
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const overlap = request.body?.overlap_minutes ?? 60
      const { key: secret, prefix, secretHash } = makeApiKey()
      const { row, old } = await catalog.withTenant(principalOf(bearer), async (tx) => {
        const brand = (await findKeyById(tx, request.params.keyId))?.brandId ?? null
        // The brand before its keys, as who removes it takes them.
        if (brand !== null && !(await holdBrand(tx, brand))) throw notFound()
        const old = await lockKey(tx, request.params.keyId)
        if (!old) throw notFound()
        requireScopes(bearer, old.scopes)
        if (old.revokedAt || old.rotatedTo || (old.expiresAt && old.expiresAt <= now()))
          throw new ServiceError('CONFLICT', { message: 'The key is revoked, expired or rotated already' })
        const facts = { ...factsOf(old), prefix }
        const row = await insertKey(tx, { ...facts, workspace: bearer.workspace, secretHash, by: bearer.subject })
        await replaceKey(tx, old.id, row.id, overlap)
        const after = { rotatedTo: row.id, overlapMinutes: overlap, ...facts }
        const change = { target: old.id, brand: old.brandId, before: factsOf(old), after }
        await recordChange(tx, request, { action: 'key.rotate', ...change })
        return { row, old }
      })
      forget.key(old.prefix)
      return reply.code(201).send({ key: toResource(row), secret })
    },
  )

  app.delete(
    '/keys/:keyId',
    {
      config: { action: 'keys:write' },
      schema: {
        summary: 'Revokes an API key; it stays in the list',
        examples: { answer: { key: { ...exampleKey, revokedAt: exampleKey.createdAt } } },
        tags,
        params: one,
        response: { 200: answer },
      },
    },
    async (request) => {
      const row = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const found = await lockKey(tx, request.params.keyId)
        if (!found) throw notFound()
        const revoked = await revokeKey(tx, found.id)
        if (!revoked) return found
        const change = { target: found.id, brand: found.brandId, before: factsOf(found), after: null }
        await recordChange(tx, request, { action: 'key.revoke', ...change })
        return revoked
      })
      forget.key(row.prefix)
      return { key: toResource(row) }
    },
  )
}
