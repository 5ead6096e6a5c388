/** Products that a platform would refuse, in pages, each with all that it is refused for and what would mend it. */
import { z } from 'zod'
import { versionOf } from '../../infra/catalog/feed-edition.ts'
import { countLines, type Refused, refusedPage } from '../../infra/catalog/feed-pages.ts'
import type { FeedProblem, FeedProfile } from '../../schemas/feeds/profile.ts'
import { nextCursor, readCursor } from '../cursor.ts'
import { type Bearer, principalOf } from '../plugins/access.ts'
import { chooseFeed } from './choose-feed.ts'
import type { FeedPorts } from './feed-ports.ts'

const problem = z.object({
  /** As the platform names it. */
  field: z.string(),
  /** What the platform asks of it. */
  rule: z.string(),
  reason: z.string(),
  fix: z.string(),
  /** Each keeps the product out of the feed. */
  severity: z.literal('error'),
  source: z.string(),
})

export const validationResource = z.object({
  platform: z.string(),
  profileVersion: z.int(),
  catalogId: z.uuid(),
  version: z.int(),
  counts: z.object({ valid: z.int(), refused: z.int() }).nullable(),
  products: z.array(
    z.object({
      productId: z.uuid(),
      sku: z.string().nullable(),
      title: z.string().nullable(),
      problems: z.array(problem),
    }),
  ),
  next: z.string().nullable(),
})

export interface AskedValidation {
  readonly platform: string
  readonly catalog: string | undefined
  readonly after: string | undefined
  readonly limit: number
}

/** Of the published version as the feed has it. @throws FEED_001, FEED_002, DATA_002 */
export async function validationPage(
  { catalog, feeds }: Pick<FeedPorts, 'catalog' | 'feeds'>,
  bearer: Bearer,
  { platform, catalog: of, after, limit }: AskedValidation,
): Promise<z.infer<typeof validationResource>> {
  const within = <T>(work: Parameters<typeof catalog.withTenant<T>>[1]) => catalog.withTenant(principalOf(bearer), work)
  const { row, profile, settings } = await within((tx) => chooseFeed(tx, bearer, platform, of))
  const place = { catalog: row.id, workspace: row.workspaceId, brand: row.brandId }
  for (;;) {
    const config = await feeds.configFor(place, settings, row.publishedVersion)
    const edition = (await feeds.present(config))?.edition
    // Retired between two looks.
    if (edition == null) continue
    const page = { config: config.id, edition, after: readCursor(after), limit: limit + 1 }
    const [refused, counts] = await within(async (tx) => [
      await refusedPage(tx, page, row.id),
      after === undefined ? await countLines(tx, config.id, edition) : null,
    ])
    return {
      ...{ platform: profile.platform, profileVersion: profile.version, catalogId: row.id },
      ...{ version: versionOf(edition), counts },
      products: refused.slice(0, limit).map((one) => toProduct(one, profile)),
      next: nextCursor(
        refused.map(({ product }) => ({ id: product })),
        limit,
      ),
    }
  }
}

const toProduct = ({ product, sku, title, problems }: Refused, profile: FeedProfile) => ({
  productId: product,
  sku,
  title,
  problems: problems.map((one) => explained(one, profile)),
})

/** A reason says what is wrong, and behind the last semicolon what would be right. */
function explained({ field, reason, mends }: FeedProblem, { rules }: FeedProfile) {
  const rule = rules.find((one) => one.field === field && one.mends === mends)
  const at = reason.lastIndexOf('; ')
  return {
    field,
    rule: rule?.asks ?? '',
    reason: at < 0 ? reason : reason.slice(0, at),
    fix: at < 0 ? '' : reason.slice(at + 2),
    severity: 'error' as const,
    source: rule?.source ?? '',
  }
}
