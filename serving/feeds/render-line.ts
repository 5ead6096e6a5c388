/** What a published product comes to in a feed: its line, or for what the platform refuses it, and until when that holds. */
import type { ConfigSettings } from '../../infra/catalog/feed-configs.ts'
import type { Render } from '../../infra/catalog/feed-lines.ts'
import type { PublishedRow } from '../../infra/catalog/feed-queries.ts'
import { feedProduct } from '../../schemas/feeds/feed-product.ts'
import { problemsOf } from '../../schemas/feeds/problems-of.ts'
import type { FeedProblem, FeedProduct, FeedProfile } from '../../schemas/feeds/profile.ts'
import { feedLink } from './feed-link.ts'
import { type LineFault, lineCheck } from './forms/line-check.ts'
import { holdsUntil } from './holds-until.ts'

export type LineSettings = Pick<ConfigSettings, 'linkTemplate' | 'tracking' | 'options'>

/** A SKU that two products have is no feed id: the publish left it out. */
export function feedProductOf({ id, content }: PublishedRow, at: string, settings: LineSettings): FeedProduct {
  const link = feedLink(content.product, id, settings)
  const product = link === content.product.link ? content.product : { ...content.product, link }
  return { ...feedProduct(product, id, content.kind, at), id: content.feedId ?? id, settings: settings.options }
}

/** Only what a report says of a problem. */
const said = (problems: readonly FeedProblem[]) =>
  problems.map(({ field, reason, mends }) => ({ field, reason, ...(mends && { mends }) }))

/** What its rules let pass must look as the platform's schema has it, whatever the product is. */
export function lineRenderer(profile: FeedProfile, settings: LineSettings): Render {
  const check = lineCheck(profile)
  const { named } = profile
  const render: Render = (row, at) => {
    const product = feedProductOf(row, at, settings)
    const until = holdsUntil(row.content.product, at)
    const shaped = shapedBy(profile, product)
    // Left out by the profile itself, and refused by nobody.
    if (shaped === null) return { line: null, problems: null, holdsUntil: until }
    const { line, problems } = shaped
    if (problems.length > 0 || line === null) return { line: null, problems: said(problems), holdsUntil: until }
    const faults = check(line)
    if (faults.length > 0) return { line: null, problems: faults.map(toProblem), holdsUntil: until }
    const name = named === undefined ? {} : { name: String(line[named]) }
    return { line: JSON.stringify(line), problems: null, holdsUntil: until, ...name }
  }
  return Object.assign(render, { named })
}

/** Of a platform's own profile what is refused needs no line. @returns null where the profile leaves the product out */
export function shapedBy(profile: FeedProfile, product: FeedProduct) {
  if (profile.shaped) return profile.shaped(product)
  const problems = problemsOf(profile, product)
  return { line: problems.length > 0 ? null : profile.line(product), problems }
}

const toProblem = ({ field, asks }: LineFault): FeedProblem => ({
  field,
  reason: `What the product has for it does not fit: it ${asks}; change the value`,
})
