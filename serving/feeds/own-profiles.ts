/** …/feed-profiles: profiles of feeds that a workspace makes of a platform's; each change is a version, and former ones stay servable. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  brandsOn,
  countOwnProfiles,
  findOwnProfile,
  holdOwnProfile,
  insertOwnProfile,
  listOwnProfiles,
  type OwnProfileRow,
  ownVersions,
  withdrawOwnProfile,
} from '../../infra/catalog/feed-profiles.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { ownName, ownRules } from '../../schemas/feeds/own-rules.ts'
import { profileFor } from '../../schemas/feeds/registry.ts'
import { workspaceId } from '../../schemas/ids.ts'
import { listQuery, nextTextCursor, readTextCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { wholeNumber } from '../whole-number.ts'
import { exampleIds } from '../workspace/examples.ts'
import { recordChange } from '../workspace/record-change.ts'
import { baseOf, checkedRules, warningsOf } from './checked-rules.ts'

const tags = ['Feed profiles']

/** Each is compiled and kept. */
const mostProfiles = 50

const resource = z.object({
  name: z.string(),
  version: z.int(),
  platform: z.string(),
  platformVersion: z.int(),
  rules: ownRules,
  /** What the platform will miss. */
  warnings: z.array(z.string()),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
})
const one = z.object({ profile: resource })

const definition = {
  platform: z.string().max(50),
  platform_version: z.int().positive().optional(),
  rules: ownRules,
}
const exampleRules = [
  { kind: 'condition', field: 'availability', is: ['out_of_stock'], does: 'exclude' },
  { kind: 'template', field: 'title', text: '{brand} {title}' },
  { kind: 'constant', field: 'custom_label_0', value: 'autumn' },
  { kind: 'rename', field: 'id', to: 'sku' },
] satisfies z.infer<typeof ownRules>
const example = {
  ...{ name: 'autumn-partner', version: 1, platform: 'google', platformVersion: 4, rules: exampleRules },
  warnings: ['google asks for "id", which goes out as "sku": google itself would not find it'],
  ...{ createdBy: exampleIds.subject, createdAt: '2026-11-28T09:30:00.000Z' },
}
const exampleBody = { platform: 'google', rules: exampleRules }

const toResource = ({ createdAt, rules, ...row }: OwnProfileRow) => ({
  ...row,
  rules: [...rules],
  warnings: [...warningsOf({ ...row, rules })],
  createdAt: createdAt.toISOString(),
})

const notFound = () => new ServiceError('NOT_FOUND', { message: 'The workspace has no such profile', field: 'name' })

export const ownProfiles: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> }> = async (
  app,
  { catalog },
) => {
  const url = '/feed-profiles'
  const named = z.object({ workspaceId, name: z.string().max(50) })

  app.get(
    url,
    {
      config: { action: 'settings:read' },
      schema: {
        summary: 'List the workspace’s own profiles of feeds',
        description: 'Each at its newest version, by name.',
        tags,
        errors: [],
        examples: { answer: { profiles: [example], next: null } },
        params: z.object({ workspaceId }),
        querystring: listQuery,
        response: { 200: z.object({ profiles: z.array(resource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { after, limit } = request.query
      const from = readTextCursor(after, /^[a-z0-9-]{1,50}$/)
      const rows = await catalog.withTenant(principalOf(bearer), (tx) =>
        listOwnProfiles(tx, bearer.workspace, from, limit + 1),
      )
      const next = nextTextCursor(
        rows.map(({ name }) => name),
        limit,
      )
      return { profiles: rows.slice(0, limit).map(toResource), next }
    },
  )

  app.post(
    url,
    {
      config: { action: 'settings:write' },
      schema: {
        summary: 'Make a profile of the workspace’s own',
        description:
          'A platform’s profile, changed by rules in their order: `rename` an attribute, write a `constant` or a `template` (a text with {field}s; where one has no value, what there was stays), or by a `condition` leave products out (`exclude`, or all others: `include`) or `set` a value. Rules name attributes as the platform does; new names become columns of their own. No formulas. What a rule writes is judged by the platform’s form of it, and no longer by what the product says. Read it at `/api/v1/feeds/{name}`; the distribution of a brand takes the name where a platform stands.',
        tags,
        errors: ['FEED_001', 'CONFLICT'],
        examples: { body: { name: example.name, ...exampleBody }, answer: { profile: example } },
        params: z.object({ workspaceId }),
        body: z.strictObject({ name: ownName, ...definition }),
        response: { 201: one },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { name, rules } = request.body
      if (profileFor(name))
        throw new ServiceError('CONFLICT', { message: `"${name}" is a platform; choose another name`, field: 'name' })
      const base = baseOf(request.body)
      checkedRules(base, rules)
      const row = await catalog.withTenant(principalOf(bearer), async (tx) => {
        await holdOwnProfile(tx, bearer.workspace, name)
        if (await findOwnProfile(tx, bearer.workspace, name))
          throw new ServiceError('CONFLICT', {
            message: 'There is a profile of this name; change it with PUT',
            field: 'name',
          })
        if ((await countOwnProfiles(tx, bearer.workspace)) >= mostProfiles)
          throw new ServiceError('CONFLICT', { message: `A workspace has at most ${mostProfiles} profiles of its own` })
        const profile = { name, platform: base.platform, platformVersion: base.version, rules }
        const row = await insertOwnProfile(tx, bearer.workspace, profile, bearer.subject)
        const change = { target: name, brand: null, before: null, after: toResource(row) }
        await recordChange(tx, request, { action: 'feed_profile.create', ...change })
        return row
      })
      return reply.code(201).send({ profile: toResource(row) })
    },
  )

  app.get(
    `${url}/:name`,
    {
      config: { action: 'settings:read' },
      schema: {
        summary: 'Read a profile of the workspace’s own',
        description: 'The newest version, or `version`; `versions` are those there are, the newest first.',
        tags,
        errors: ['NOT_FOUND'],
        examples: {
          params: { name: example.name },
          query: { version: 1 },
          answer: { profile: example, versions: [1] },
        },
        params: named,
        querystring: z.object({ version: wholeNumber(1, 1_000_000).optional() }),
        response: { 200: one.extend({ versions: z.array(z.int()) }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { name } = request.params
      return catalog.withTenant(principalOf(bearer), async (tx) => {
        const row = await findOwnProfile(tx, bearer.workspace, name, request.query.version)
        if (!row) throw notFound()
        return { profile: toResource(row), versions: await ownVersions(tx, bearer.workspace, name) }
      })
    },
  )

  app.put(
    `${url}/:name`,
    {
      config: { action: 'settings:write' },
      schema: {
        summary: 'Change a profile of the workspace’s own',
        description:
          'Makes the next version, whole; what it says already makes none. Feeds that name no version have it from the next read on, and positions in them as they were are gone.',
        tags,
        errors: ['NOT_FOUND', 'FEED_001'],
        examples: { params: { name: example.name }, body: exampleBody, answer: { profile: example } },
        params: named,
        body: z.strictObject(definition),
        response: { 200: one },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { name } = request.params
      const { rules } = request.body
      const base = baseOf(request.body)
      checkedRules(base, rules)
      return catalog.withTenant(principalOf(bearer), async (tx) => {
        await holdOwnProfile(tx, bearer.workspace, name)
        const before = await findOwnProfile(tx, bearer.workspace, name)
        if (!before) throw notFound()
        const profile = { name, platform: base.platform, platformVersion: base.version, rules }
        if (isSame(before, profile)) return { profile: toResource(before) }
        const row = await insertOwnProfile(tx, bearer.workspace, profile, bearer.subject)
        const change = { target: name, brand: null, before: toResource(before), after: toResource(row) }
        await recordChange(tx, request, { action: 'feed_profile.update', ...change })
        return { profile: toResource(row) }
      })
    },
  )

  app.delete(
    `${url}/:name`,
    {
      config: { action: 'settings:write' },
      schema: {
        summary: 'Withdraw a profile of the workspace’s own',
        description: 'All its versions; 409 while a brand is on it. A later one of this name goes on counting.',
        tags,
        errors: ['NOT_FOUND', 'CONFLICT'],
        examples: { params: { name: example.name }, answer: { withdrawn: true } },
        params: named,
        response: { 200: z.object({ withdrawn: z.literal(true) }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { name } = request.params
      return catalog.withTenant(principalOf(bearer), async (tx) => {
        await holdOwnProfile(tx, bearer.workspace, name)
        const before = await findOwnProfile(tx, bearer.workspace, name)
        if (!before) throw notFound()
        const [brand] = await brandsOn(tx, bearer.workspace, name)
        if (brand !== undefined) {
          const message = `Brand ${brand} is on it; take it off the brand's distribution first`
          throw new ServiceError('CONFLICT', { message, field: 'name' })
        }
        await withdrawOwnProfile(tx, bearer.workspace, name)
        const change = { target: name, brand: null, before: toResource(before), after: null }
        await recordChange(tx, request, { action: 'feed_profile.delete', ...change })
        return { withdrawn: true as const }
      })
    },
  )
}

const said = ({ platform, platformVersion, rules }: Pick<OwnProfileRow, 'platform' | 'platformVersion' | 'rules'>) =>
  JSON.stringify([platform, platformVersion, ownRules.parse(rules)])

/** The database keeps the names of a rule in an order of its own. */
const isSame = (...[a, b]: readonly [Parameters<typeof said>[0], Parameters<typeof said>[0]]) => said(a) === said(b)
