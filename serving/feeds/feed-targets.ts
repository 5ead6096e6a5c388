/** …/brands/{brandId}/distribution/{platform}/targets: where the files of a feed are sent to. */
import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { findBrand, lockBrand } from '../../infra/catalog/brands.ts'
import { deleteTarget, type FeedTarget, insertTarget, listTargets } from '../../infra/catalog/feed-targets.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { hostKey, mostTargets, type TargetPlace, type TargetSecret, targetKinds } from '../../schemas/feed-file.ts'
import { brandId, workspaceId } from '../../schemas/ids.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds } from '../workspace/examples.ts'
import { recordChange } from '../workspace/record-change.ts'
import { findProfile } from './find-profile.ts'

export interface TargetPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly feedTargets: {
    /** @throws ServiceError 400 for a place that nothing is sent to, or a key that cannot be read */
    check(place: TargetPlace, secret: TargetSecret): void
    seal(secret: TargetSecret, target: string): { keyId: string; sealed: Buffer }
  }
}

const printable = /^[\x20-\x7e\xa0-\uffff]*$/
const path = z
  .string()
  .max(1_000)
  .regex(printable)
  .refine((text) => !text.split('/').some((part) => part === '.' || part === '..'), 'has no . or .. in it')
  .default('')
const host = z
  .string()
  .regex(
    /^(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$|^[0-9A-Fa-f:.]{2,45}$/,
    'is a host name or an address',
  )
const secretText = z.string().min(1).max(1_000)

const sftp = z.strictObject({
  kind: z.literal('sftp'),
  host,
  port: z.int().min(1).max(65_535).default(22),
  user: z.string().min(1).max(200).regex(printable),
  path,
  password: secretText.optional(),
  private_key: z.string().min(1).max(20_000).optional(),
  passphrase: secretText.optional(),
  host_key: hostKey.optional(),
  brand_id: brandId.optional(),
})
const s3 = z.strictObject({
  kind: z.literal('s3'),
  endpoint: z
    .string()
    .max(500)
    .regex(/^https?:\/\/[^/?#\s]+\/?$/, 'is the address of a store, without a path'),
  bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is the name of a bucket'),
  region: z.string().min(1).max(50).default('us-east-1'),
  path,
  key_id: z.string().min(1).max(200).regex(printable),
  secret: secretText,
  brand_id: brandId.optional(),
})
const body = z.discriminatedUnion('kind', [sftp, s3])

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

const invalid = (field: string, message: string) => new ServiceError('INVALID_REQUEST', { field, message })

/** What is said of the place, and apart from it what is sealed. */
function partsOf(given: z.infer<typeof body>): { of: TargetPlace; secret: TargetSecret } {
  if (given.kind === 's3') {
    const { endpoint, bucket, region, path: at, key_id: keyId } = given
    return {
      of: { kind: 's3', place: { endpoint, bucket, region, keyId, path: at } },
      secret: { password: given.secret },
    }
  }
  const { host: to, port, user, path: at, password, private_key: privateKey, passphrase } = given
  if ((password === undefined) === (privateKey === undefined))
    throw invalid('password', 'Give a password or a private_key, one of the two')
  if (passphrase !== undefined && privateKey === undefined)
    throw invalid('passphrase', 'A passphrase is of a private_key')
  const key = { ...(privateKey && { privateKey }), ...(passphrase && { passphrase }) }
  return {
    of: { kind: 'sftp', place: { host: to, port, user, path: at } },
    secret: password === undefined ? key : { password },
  }
}

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
        body,
        response: { 201: z.object({ target: resource }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { brandId: brand } = request.params
      if (request.body.brand_id !== undefined && request.body.brand_id !== brand)
        throw invalid('brand_id', 'brand_id names another brand than the path')
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
        const { brandId: brand, workspaceId: workspace, targetId } = request.params
        await requireBrand(tx, brand, lockBrand)
        const platform = await platformOf(tx, workspace, request.params.platform)
        const found = (await listTargets(tx, brand, platform)).find(({ id }) => id === targetId)
        if (!found) throw new ServiceError('NOT_FOUND', { message: 'There is no such target', field: 'targetId' })
        await deleteTarget(tx, targetId)
        const change = { target: targetId, brand, before: toResource(found), after: null }
        await recordChange(tx, request, { action: 'feed.target.delete', ...change })
        return { targetId, deleted: true as const }
      }),
  )
}
