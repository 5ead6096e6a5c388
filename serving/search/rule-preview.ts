/** POST …/search/rules/preview: what a rule would change of searches, before it is kept. */
import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { unknownProducts } from '../../infra/catalog/search-rule-queries.ts'
import { brandId, catalogId, workspaceId } from '../../schemas/ids.ts'
import { bearerOf } from '../plugins/access.ts'
import { exampleIds } from '../workspace/examples.ts'
import { holdCatalog, holdRule } from './hold-rule.ts'
import { previewRule } from './preview-rule.ts'
import { asSearchRule, newRule, productsOf, ruleBody } from './rule-resource.ts'
import { exampleRuleBody, type RulePorts } from './rules.ts'
import { tellingScope } from './telling-scope.ts'

const moves = { id: z.uuid(), from: z.int(), to: z.int() }
const effect = z.object({
  q: z.string(),
  /** Whether the rule holds for it. */
  applies: z.boolean(),
  before: z.int(),
  after: z.int(),
  came: z.array(z.object(moves).omit({ from: true })),
  went: z.array(z.object(moves).omit({ to: true })),
  moved: z.array(z.object(moves)),
})

export const rulePreview: FastifyPluginAsyncZod<RulePorts> = async (app, ports) => {
  app.post(
    '/search/rules/preview',
    {
      config: { action: 'search:read' },
      schema: {
        summary: 'What a rule of search would change',
        description:
          'Runs each query as it is and with the rule, in place of the one with `rule_id` where that is given, as if it were enabled and its time had come; writes nothing. Of each search the first 50 products are compared. Without `queries` the rule’s own, without `category` the first of the rule’s own.',
        tags: ['Search'],
        params: z.object({ workspaceId }),
        body: z.strictObject({
          brand_id: brandId.optional(),
          catalog_id: catalogId.optional(),
          rule: ruleBody,
          rule_id: z.uuid().toLowerCase().optional(),
          queries: z.array(z.string().trim().max(512)).min(1).max(20).optional(),
          category: z.string().trim().min(1).max(500).optional(),
        }),
        errors: ['DATA_002', 'CATALOG_NOT_FOUND'],
        examples: {
          body: { rule: exampleRuleBody, queries: ['mug'] },
          answer: {
            queries: [
              {
                ...{ q: 'mug', applies: true, before: 3, after: 3, came: [], went: [] },
                moved: [{ id: exampleIds.productId, from: 3, to: 1 }],
              },
            ],
            unknownProducts: [],
          },
        },
        response: { 200: z.object({ queries: z.array(effect), unknownProducts: z.array(z.uuid()) }) },
      },
    },
    async (request) => {
      const { rule_id, queries, category, catalog_id } = request.body
      const { principal, brand, within } = await tellingScope(bearerOf(request), ports.catalog)
      holdRule(request.body.rule, 'rule.')
      const rule = newRule(rule_id ?? randomUUID(), request.body.rule)
      const unknown = await within(async (tx) => {
        await holdCatalog(tx, brand, rule.catalog)
        return unknownProducts(tx, brand, productsOf(rule.content))
      })
      const scope = { principal, brand, catalog: catalog_id ?? rule.catalog, nowMs: ports.now().getTime() }
      const { when } = rule.content
      const asked = queries ?? (when.queries.length > 0 ? when.queries.slice(0, 20) : [''])
      const narrowed = category ?? when.categories[0] ?? null
      const effects = await previewRule(ports.search, scope, asSearchRule(rule), asked, narrowed)
      return { queries: effects, unknownProducts: unknown }
    },
  )
}
