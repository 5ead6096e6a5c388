/** Writes a product anew by its own facts and its brand's specification; put in force, it is an edit like any other. */
import { findBrandSpec } from '../../infra/catalog/brand-specs.ts'
import { type AiSpec, noAiSpec } from '../../schemas/brand.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type Platform, platformNames } from '../../schemas/feeds/profile.ts'
import { profileFor } from '../../schemas/feeds/registry.ts'
import { score } from '../../schemas/score.ts'
import { rewrite } from '../../transforms/writing/rewrite.ts'
import { writingRules } from '../../transforms/writing/writing-rules.ts'
import { principalOf } from '../plugins/access.ts'
import { feedProductOf } from '../workspace/grading.ts'
import { type OneProduct, revisionOf } from '../workspace/present-products.ts'
import { recordChange } from '../workspace/record-change.ts'
import { asShare, requireGraded } from './score-of.ts'
import type { ToolContext } from './tool.ts'

interface Texts {
  readonly title: string | null
  readonly description: string | null
}

export interface Optimized {
  readonly product_id: string
  readonly original: Texts
  readonly optimized: Texts
  /** Under the weights in force, of the product as it is and as it would be; both really graded. */
  readonly score_before: number
  readonly score_after: number
  /** The product has the optimized texts. */
  readonly applied: boolean
}

/** @throws FEED_001 for what nobody writes by rules for */
export function platformsNamed(named: string | undefined): readonly Platform[] {
  if (named === undefined || named === 'all') return platformNames
  const platform = profileFor(named)?.platform
  const found = platformNames.find((one) => one === platform)
  if (found) return [found]
  throw new ServiceError('FEED_001', {
    message: `Texts are written for ${platformNames.join(', ')}; leave target_platform out for all`,
    field: 'target_platform',
  })
}

/** How products are written: for which platforms, and whether it is put in force; of each brand its specification is asked once. */
export function writer(
  { platforms, apply }: { readonly platforms: readonly Platform[]; readonly apply: boolean },
  context: ToolContext,
): (row: OneProduct) => Promise<Optimized> {
  const { bearer, ports } = context
  const specs = new Map<string, Promise<AiSpec>>()
  const specOf = (brand: string) => {
    const asked =
      specs.get(brand) ??
      ports.catalog
        .withTenant(principalOf(bearer), (tx) => findBrandSpec(tx, brand))
        .then((found) => ({ ...noAiSpec, ...found?.spec }))
    specs.set(brand, asked)
    return asked
  }
  return async (row) => {
    context.tell({ brand: row.brandId, catalog: row.catalogId })
    requireGraded(row)
    const [{ weights }, spec] = await Promise.all([ports.recentWeights(bearer.workspace), specOf(row.brandId)])
    const product = feedProductOf(row, ports.now().toISOString())
    const { original, optimized, before, after } = rewrite(product, row.kind, weights, writingRules(platforms, spec))
    if (apply) await write(row, original, optimized, context)
    return {
      ...{ product_id: row.id, original, optimized },
      score_before: asShare(score(before.sub, weights)),
      score_after: asShare(score(after.sub, weights)),
      applied: apply,
    }
  }
}

/** A repeat finds the texts in place and writes nothing. @throws ServiceError where the product was changed meanwhile */
async function write(
  row: OneProduct,
  original: Texts,
  optimized: Texts,
  { bearer, ports, request, agent }: ToolContext,
) {
  const cells = Object.fromEntries(
    (['title', 'description'] as const).flatMap((field) => {
      const text = optimized[field]
      return text === null || text === original[field] ? [] : [[field, text]]
    }),
  )
  if (Object.keys(cells).length === 0) return
  const scope = { workspace: row.workspaceId, brand: row.brandId, catalog: row.catalogId, by: bearer.subject }
  const settled = await ports.edits.edit(scope, row, cells, revisionOf(row))
  if (settled.kind === 'refused')
    throw new ServiceError(settled.code, { message: settled.says, ...(settled.field && { field: settled.field }) })
  await ports.catalog.withTenant(principalOf(bearer), (tx) =>
    recordChange(tx, request, {
      ...{ action: 'product.optimize', target: row.id, brand: row.brandId, before: original },
      after: { ...optimized, agent: agent ?? request.headers['user-agent'] ?? null },
    }),
  )
}
