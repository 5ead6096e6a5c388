/** Rules of a brand's search: list, read, write and delete them. */
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import {
  countRules,
  deleteRule,
  findRule,
  listRules,
  type RuleRow,
  unknownProducts,
  writeRule,
} from '../../infra/catalog/search-rule-queries.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, workspaceId } from '../../schemas/ids.ts'
import { ruleKeys } from '../../transforms/search/rule-keys.ts'
import { listQuery, nextCursor, readCursor } from '../cursor.ts'
import { bearerOf } from '../plugins/access.ts'
import { exampleIds } from '../workspace/examples.ts'
import { recordChange } from '../workspace/record-change.ts'
import { holdCatalog, holdRule } from './hold-rule.ts'
import { newRule, productsOf, type RuleBody, ruleBody, ruleResource, toRule } from './rule-resource.ts'
import type { SearchPorts } from './run-search.ts'
import { tellingScope } from './telling-scope.ts'

export interface RulePorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly search: SearchPorts
  readonly now: () => Date
}

/** Those that ask for words are found by them, however many there are; the others are looked at in every search. */
const [mostRules, mostWithoutWords] = [5_000, 100]

const tags = ['Search']
const content = {
  when: { queries: ['mug'], match: 'exact' as const, categories: [] },
  pins: [{ product: exampleIds.productId, position: 1 }],
  hide: [],
  boosts: [{ products: [], brands: ['Lumo'], categories: [], attributes: [], steps: 3 }],
}
const example = {
  ...{ id: exampleIds.ruleId, brandId: exampleIds.brandId, name: 'Mugs in December', catalogId: null, locale: null },
  ...{ enabled: true, priority: 0, startsAt: '2026-12-01T00:00:00.000Z', endsAt: '2026-12-25T00:00:00.000Z' },
  ...content,
  ...{ createdAt: '2026-11-29T10:00:00.000Z', updatedAt: '2026-11-29T10:00:00.000Z' },
}
export const exampleRuleBody = {
  ...{ name: 'Mugs in December', starts_at: '2026-12-01', ends_at: '2026-12-24', when: { queries: ['mug'] } },
  ...{ pins: content.pins, boosts: [{ brands: ['Lumo'], steps: 3 }] },
}
const written = z.object({
  rule: ruleResource,
  /** Products that it names and that no catalog of the brand has. */
  unknownProducts: z.array(z.uuid()),
})

const description =
  '`when` says for which searches a rule holds: those that are (`exact`) or have in them (`contains`) one of its `queries`, compared without case, accents and marks, and those narrowed to one of its `categories` or to what lies under it; without either, all. `pins` puts products at places, `hide` leaves products out, `boosts` brings them sooner or later by up to ten steps, of which ten are all that lies between the best and the worst. Products are picked out by id, brand, category and attribute, written as the filters of a search are. What is hidden is not found, not even by its SKU. It counts from the next search on. With an `id` of your own the rule that has it is written over as a whole, and made where there is none.'

export const searchRules: FastifyPluginAsyncZod<RulePorts> = async (app, ports) => {
  const { catalog } = ports
  const params = z.object({ workspaceId })
  const one = params.extend({ ruleId: z.uuid().toLowerCase() })
  const ofBrand = z.object({ brand_id: z.string().optional() })
  const body = ruleBody.extend({ brand_id: brandId.optional(), id: z.uuid().toLowerCase().optional() })

  app.get(
    '/search/rules',
    {
      config: { action: 'search:read' },
      schema: {
        summary: 'Rules of a brand’s search',
        tags,
        params,
        querystring: listQuery.extend(ofBrand.shape),
        examples: { answer: { rules: [example], next: null } },
        response: { 200: z.object({ rules: z.array(ruleResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const { brand, within } = await tellingScope(bearerOf(request), catalog)
      const rows = await within((tx) => listRules(tx, brand, readCursor(after), limit + 1))
      return { rules: rows.slice(0, limit).map(toRule), next: nextCursor(rows, limit) }
    },
  )

  app.get(
    '/search/rules/:ruleId',
    {
      config: { action: 'search:read' },
      schema: {
        summary: 'Read a rule of search',
        tags,
        params: one,
        querystring: ofBrand,
        examples: { answer: { rule: example } },
        response: { 200: z.object({ rule: ruleResource }) },
      },
    },
    async (request) => {
      const { brand, within } = await tellingScope(bearerOf(request), catalog)
      const row = await within((tx) => findRule(tx, brand, request.params.ruleId))
      if (!row) throw notFound()
      return { rule: toRule(row) }
    },
  )

  app.post(
    '/search/rules',
    {
      config: { action: 'search:write' },
      schema: {
        summary: 'Write a rule of search',
        description,
        tags,
        params,
        body,
        errors: ['CATALOG_NOT_FOUND', 'CONFLICT'],
        examples: { body: exampleRuleBody, answer: { rule: example, unknownProducts: [] } },
        response: { 200: written, 201: written },
      },
    },
    async (request, reply) => {
      const { before, after, unknown } = await write(request, request.body.id ?? randomUUID(), request.body)
      return reply.code(before ? 200 : 201).send({ rule: toRule(after), unknownProducts: unknown })
    },
  )

  app.delete(
    '/search/rules/:ruleId',
    {
      config: { action: 'search:write' },
      schema: {
        summary: 'Delete a rule of search',
        tags,
        params: one,
        querystring: ofBrand,
        examples: { answer: { rule: example } },
        response: { 200: z.object({ rule: ruleResource }) },
      },
    },
    async (request) => {
      const { brand, within, place } = await tellingScope(bearerOf(request), catalog)
      const row = await within(async (tx) => {
        const gone = await deleteRule(tx, place, request.params.ruleId)
        if (!gone) throw notFound()
        const change = { action: 'search_rules.delete', target: gone.id, brand, before: said(gone), after: null }
        await recordChange(tx, request, change)
        return gone
      })
      return { rule: toRule(row) }
    },
  )

  async function write(request: FastifyRequest, id: string, body: RuleBody) {
    holdRule(body, '')
    const { brand, within, place } = await tellingScope(bearerOf(request), catalog)
    const rule = newRule(id, body)
    return within(async (tx) => {
      await holdCatalog(tx, brand, rule.catalog)
      const { before, after } = await writeRule(tx, place, rule, ruleKeys(rule.content.when))
      const { all, always } = await countRules(tx, brand)
      if (all > mostRules) throw tooMany(`A brand has at most ${mostRules} rules`)
      if (always > mostWithoutWords) throw tooMany(`A brand has at most ${mostWithoutWords} rules without queries`)
      const change = { target: id, brand, before: before && said(before), after: said(after) }
      await recordChange(tx, request, { action: 'search_rules.write', ...change })
      return { before, after, unknown: await unknownProducts(tx, brand, productsOf(rule.content)) }
    })
  }
}

/** What the audit log says of it. */
function said(row: RuleRow) {
  const { id: _id, brandId: _brand, createdAt: _created, updatedAt: _updated, ...rule } = toRule(row)
  return rule
}

const notFound = () => new ServiceError('NOT_FOUND', { message: 'Rule not found', field: 'ruleId' })
const tooMany = (says: string) => new ServiceError('CONFLICT', { message: `${says}; delete some first` })
