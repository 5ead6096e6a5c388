/** What a filter of products means to the database: the conditions that lists and bulk edits share. */
import type { ProductKind, Stage } from '../../schemas/product.ts'
import type { Weights } from '../../schemas/score.ts'

export interface ProductFilter {
  readonly catalog: string
  readonly kind?: ProductKind | undefined
  readonly sku?: string | undefined
  readonly family?: string | undefined
  readonly stage?: Stage | undefined
  /** First and last score, both included. */
  readonly scores?: readonly [number, number] | undefined
  readonly feedReady?: boolean | undefined
  /** Places among the rule points of which one at least costs points. */
  readonly gap?: readonly number[] | undefined
  /** Places of which one at least has attained nothing. */
  readonly absent?: readonly number[] | undefined
  /** Words that all stand in title, SKU, GTIN, brand or part number, in any case. */
  readonly words?: readonly string[] | undefined
  /** Whether it is in a group of duplicates. */
  readonly duplicate?: boolean | undefined
  readonly updatedSince?: Date | undefined
  readonly brand?: string | undefined
  /** Levels that all stand in the category path. */
  readonly category?: readonly string[] | undefined
}

export interface Scoring {
  readonly weights: Weights
  /** Bits of the profiles that a feed-ready product must pass, and the score from which it is. */
  readonly required: number
  readonly feedReadyFrom: number
  /** Scores of an older one are no longer known to be feed-ready, and their rule points stand in other places. */
  readonly rubric: number
}

/** Gathers conditions on `p` and `s` with the values that they name; SKU and family are the caller's, who knows their index. */
export function conditions(filter: ProductFilter, { weights, required, feedReadyFrom, rubric }: Scoring) {
  const values: unknown[] = []
  const all: string[] = []
  const $ = (value: unknown) => `$${values.push(value)}`
  const score = () =>
    `((${weights.map((weight, i) => `s.s${i + 1}::bigint * ${$(weight)}::bigint`).join(' + ')} + 500000) / 1000000)`
  const pointsAt = (places: readonly number[], holds: string) =>
    `s.rubric_version = ${$(rubric)} and exists (select from unnest(${$(places)}::int[]) i
       where case when i < octet_length(s.rule_points) then get_byte(s.rule_points, i) ${holds} else false end)`
  const { kind, stage, scores, feedReady, gap, absent, words, duplicate, updatedSince, brand, category } = filter
  if (kind !== undefined) all.push(`p.kind = ${$(kind)}`)
  if (stage !== undefined) all.push(`p.stage = ${$(stage)}`)
  if (updatedSince !== undefined) all.push(`p.updated_at >= ${$(updatedSince)}`)
  if (scores !== undefined) all.push(`${score()} between ${$(scores[0])} and ${$(scores[1])}`)
  if (feedReady !== undefined) {
    const valid = `s.rubric_version = ${$(rubric)} and s.valid & ${$(required)}::int = ${$(required)}::int`
    const ready = `${score()} >= ${$(feedReadyFrom)} and ${valid}`
    all.push(`coalesce(${ready}, false) = ${$(feedReady)}`)
  }
  if (duplicate !== undefined) {
    const grouped =
      'exists (select from duplicate_member m where m.catalog_id = p.catalog_id and m.product_id = p.product_id)'
    all.push(`${grouped} = ${$(duplicate)}::boolean`)
  }
  if (gap !== undefined) all.push(pointsAt(gap, '< 100'))
  if (absent !== undefined) all.push(pointsAt(absent, '= 0'))
  if (brand !== undefined) all.push(`p.refined->>'brand' = ${$(brand)}`)
  if (category !== undefined) all.push(`p.refined->'categoryPath' @> to_jsonb(${$(category)}::text[])`)
  for (const word of words ?? [])
    all.push(`position(lower(${$(word)}) in
      lower(concat_ws(' ', p.title, p.sku, p.gtin, p.refined->>'brand', p.refined->>'mpn'))) > 0`)
  return { values, all, $ }
}
