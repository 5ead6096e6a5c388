/** What a profile says of a product in words that can be counted: that it goes out, for which rules it is refused, or that the profile leaves it out. */
import type { ForecastProblem } from '../../infra/catalog/feed-forecasts.ts'
import type { PublishedRow } from '../../infra/catalog/feed-queries.ts'
import type { FeedProblem, FeedProduct, FeedProfile } from '../../schemas/feeds/profile.ts'
import { lineCheck } from './forms/line-check.ts'
import { feedProductOf, type LineSettings, shapedBy } from './render-line.ts'

export type Judged =
  /** Under which id, where rules of a workspace's own write it: another product may come to the same. */
  | { readonly verdict: 'valid'; readonly name?: string }
  | { readonly verdict: 'out' }
  | { readonly verdict: 'refused'; readonly problems: readonly ForecastProblem[] }

export function lineJudge(profile: FeedProfile, settings: LineSettings): (row: PublishedRow, at: string) => Judged {
  const check = lineCheck(profile)
  const { named } = profile
  return (row, at) => {
    const product = feedProductOf(row, at, settings)
    const shaped = shapedBy(profile, product)
    if (shaped === null) return { verdict: 'out' }
    if (shaped.problems.length > 0)
      return { verdict: 'refused', problems: shaped.problems.map((one) => ruled(one, profile, product)) }
    const faults = check(shaped.line)
    if (faults.length === 0) return { verdict: 'valid', ...(named && { name: String(shaped.line?.[named]) }) }
    const problems = faults.map(({ field, asks }) => ({ field, rule: asks, reason: `What the product has ${asks}` }))
    return { verdict: 'refused', problems }
  }
}

/** Of several rules about one attribute, that which says so. */
function ruled({ field, reason, mends }: FeedProblem, { rules }: FeedProfile, product: FeedProduct): ForecastProblem {
  const rule = rules.find((one) => one.field === field && one.mends === mends && one.broken(product) === reason)
  return { field, rule: rule?.asks ?? '', reason }
}
