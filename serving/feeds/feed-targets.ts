/** …/brands/{brandId}/distribution/{platform}/targets: where the files of a feed are sent to. */
import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { findBrand, lockBrand } from '../../infra/catalog/brands.ts'
import {
  deleteTarget,
  type FeedTarget,
  insertTarget,
  listTargets,
  updateTarget,
} from '../../infra/catalog/feed-targets.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { mostTargets, type TargetPlace, type TargetSecret, targetKinds } from '../../schemas/feed-file.ts'
import { brandId, workspaceId } from '../../schemas/ids.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds } from '../workspace/examples.ts'
import { recordChange } from '../workspace/record-change.ts'
import { findProfile } from './find-profile.ts'
import { changedTarget, invalid, partsOf, targetBody, targetChange } from './target-body.ts'

export interface TargetPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly feedTargets: {
    /** @throws ServiceError 400 for a place that nothing is sent to, or a key that cannot be read */
    check(place: TargetPlace, secret: TargetSecret): void
    seal(secret: TargetSecret, target: string): { keyId: string; sealed: Buffer }
  }
}

const resource = z.object({
  id: z.uuid(),
  platform: z.string(),
  kind: z.enum(targetKinds),
  /** All but what opens the door there. */
  place: z.record(z.string(), z.union([z.string(), z.int()])),
  /** Of an SFTP server; null until its first connection. */
  hostKey: z.string().nullable(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
})

const example = {
  ...{ id: exampleIds.targetId, platform: 'openai', kind: 'sftp' as const },
  place: { host: 'sftp.platform.example', port: 22, user: 'shop', path: '/incoming/' },
  ...{ hostKey: `SHA256:${'A'.repeat(43)}`, createdBy: exampleIds.subject, createdAt: '2026-11-28T09:30:00.000Z' },
}

const toResource = ({ id, platform, kind, place, hostKey: key, by, createdAt }: FeedTarget) => ({
  ...{ id, platform, kind, place: { ...place }, hostKey: key, createdBy: by, createdAt: createdAt.toISOString() },
})

export const feedTargets: FastifyPluginAsyncZod<TargetPorts> = async (app, { catalog, feedTargets: targets }) => {
  const tags = ['Distribution']
  const url = '/brands/:brandId/distribution/:platform/targets'
  const params = z.object({ workspaceId, brandId, platform: z.string().max(50) })
  const one = params.extend({ targetId: z.uuid().toLowerCase() })
  const errors = ['NOT_FOUND', 'FEED_001'] as const

  /** @throws ServiceError */
  async function platformOf(tx: PoolClient, workspace: string, name: string): Promise<string> {
    const profile = await findProfile(tx, workspace, name)
    if (profile) return profile.platform
    throw new ServiceError('FEED_001', { message: 'Unsupported platform', field: 'platform' })
  }
  async function requireBrand(tx: PoolClient, id: string, find = findBrand): Promise<void> {
    if (!(await find(tx, id))) throw new ServiceError('NOT_FOUND', { message: 'Brand not found', field: 'brandId' })
  }

  /** @throws ServiceError */
  function requireSame(named: string | undefined, brand: string): void {
    if (named !== undefined && named !== brand) throw invalid('brand_id', 'brand_id names another brand than the path')
  }
  /** @throws ServiceError 404 */
  async function requireTarget(tx: PoolClient, { workspaceId: workspace, brandId: brand, ...of }: z.infer<typeof one>) {
    await requireBrand(tx, brand, lockBrand)
    const platform = await platformOf(tx, workspace, of.platform)
    const found = (await listTargets(tx, brand, platform)).find(({ id }) => id === of.targetId)
    if (!found) throw new ServiceError('NOT_FOUND', { message: 'There is no such target', field: 'targetId' })
    return found
  }

  app.get(
    url,
    {
      config: { action: 'settings:write' },
      schema: {
        summary: 'List where a feed’s files are sent to',
        tags,
        errors: [...errors],
        examples: { answer: { targets: [example] } },
        params,
        response: { 200: z.object({ targets: z.array(resource) }) },
      },
    },
    async (request) =>
      catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        await requireBrand(tx, request.params.brandId)
        const { workspaceId: workspace, platform, brandId: brand } = request.params
        const rows = await listTargets(tx, brand, await platformOf(tx, workspace, platform))
        return { targets: rows.map(toResource) }
      }),
  )

  app.post(
    url,
    {
      config: { action: 'settings:write' },
      schema: {
        summary: 'Send a feed’s files to an SFTP server or a bucket',
        description:
          'Each file that is generated from then on is put at `path`; where that is empty or ends with a slash, under the platform’s name in it. Over SFTP it comes under another name first. `host_key` is the server’s fingerprint; without it the one of the first connection holds from then on, and who made the target is told. Passwords and keys are sealed, and never shown again.',
        tags,
        errors: [...errors, 'CONFLICT'],
        examples: {
          body: {
            kind: 'sftp',
            host: 'sftp.platform.example',
            user: 'shop',
            password: 'a password',
            path: '/incoming/',
          },
          answer: { target: example },
        },
        params,
        body: targetBody,
        response: { 201: z.object({ target: resource }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { brandId: brand } = request.params
      requireSame(request.body.brand_id, brand)
      const { of, secret } = partsOf(request.body)
      targets.check(of, secret)
      const row = await catalog.withTenant(principalOf(bearer), async (tx) => {
        await requireBrand(tx, brand, lockBrand)
        const platform = await platformOf(tx, bearer.workspace, request.params.platform)
        if ((await listTargets(tx, brand, platform)).length >= mostTargets)
          throw new ServiceError('CONFLICT', { message: `A feed has at most ${mostTargets} targets` })
        const id = randomUUID()
        const known = request.body.kind === 'sftp' ? (request.body.host_key ?? null) : null
        const made = { ...of, id, workspace: bearer.workspace, brand, platform, hostKey: known, by: bearer.subject }
        const row = await insertTarget(tx, made, targets.seal(secret, id))
        const change = { target: id, brand, before: null, after: toResource(row) }
        await recordChange(tx, request, { action: 'feed.target.create', ...change })
        return row
      })
      return reply.code(201).send({ target: toResource(row) })
    },
  )

  app.patch(
    `${url}/:targetId`,
    {
      config: { action: 'settings:write' },
      schema: {
        summary: 'Change where a feed’s files are sent to',
        description:
          'What is left out stays, passwords and keys too; `kind` is what it was made as. A secret goes nowhere else than it was given for: with another `host`, `port` or `endpoint`, send it again, and the fingerprint is then that of the next connection unless `host_key` says it. `host_key: null` takes that of the next connection. What waits for the target goes to the place as it is then.',
        tags,
        errors: [...errors],
        examples: { body: { path: '/incoming/autumn/' }, answer: { target: example } },
        params: one,
        body: targetChange,
        response: { 200: z.object({ target: resource }) },
      },
    },
    async (request) =>
      catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const { brandId: brand, targetId } = request.params
        requireSame(request.body.brand_id, brand)
        const found = await requireTarget(tx, request.params)
        const { of, secret, hostKey } = changedTarget(found, request.body)
        targets.check(of, secret ?? {})
        const row = await updateTarget(tx, targetId, { ...of, hostKey }, secret && targets.seal(secret, targetId))
        const change = { target: targetId, brand, before: toResource(found), after: toResource(row) }
        await recordChange(tx, request, { action: 'feed.target.update', ...change })
        return { target: toResource(row) }
      }),
  )

  app.delete(
    `${url}/:targetId`,
    {
      config: { action: 'settings:write' },
      schema: {
        summary: 'Send a feed’s files there no longer',
        tags,
        errors: [...errors],
        examples: { answer: { targetId: example.id, deleted: true } },
        params: one,
        response: { 200: z.object({ targetId: z.uuid(), deleted: z.literal(true) }) },
      },
    },
    async (request) =>
      catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const { brandId: brand, targetId } = request.params
        const found = await requireTarget(tx, request.params)
        await deleteTarget(tx, targetId)
        const change = { target: targetId, brand, before: toResource(found), after: null }
        await recordChange(tx, request, { action: 'feed.target.delete', ...change })
        return { targetId, deleted: true as const }
      }),
  )
}
