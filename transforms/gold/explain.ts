/** Explains a grade rule by rule: what each rule looked at, what it could give, gave and took, and why. */
import { problemsOf } from '../../schemas/feeds/problems-of.ts'
import type { FeedProblem, FeedProduct } from '../../schemas/feeds/profile.ts'
import { platforms } from '../../schemas/feeds/registry.ts'
import type { ProductKind, RefinedProduct } from '../../schemas/product.ts'
import { dimensions, type Weights } from '../../schemas/score.ts'
import { refinedAs } from '../bronze/provenance.ts'
import { type Grade, grade } from './grade.ts'
import { rubric } from './rubric.ts'
import { notApplied, type Rule } from './rule.ts'
import { type ShownValue, shownValue } from './shown-value.ts'

export interface ExplainedRule {
  readonly rule: Rule
  /** null where the rule does not apply. */
  readonly percent: number | null
  /** Hundredths of a point of the score; given and lost make up possible. */
  readonly possible: number
  readonly given: number
  readonly lost: number
  readonly saw: readonly (ShownValue & { readonly name: string })[]
  /** Why platforms refuse the product, where the rule speaks of that. */
  readonly refusals: readonly FeedProblem[]
}

export interface Explanation {
  readonly grade: Grade
  readonly rules: readonly ExplainedRule[]
  readonly platforms: readonly {
    readonly platform: string
    readonly version: number
    readonly bit: number
    readonly problems: readonly FeedProblem[]
  }[]
}

export function explain(product: FeedProduct, kind: ProductKind, weights: Weights): Explanation {
  const given = grade(product, kind)
  const asked = platforms.map((rules) => ({
    platform: rules.platform,
    version: rules.version,
    bit: rules.bit,
    problems: problemsOf(rules, product),
  }))
  const possibleOf = dimensions.map((dimension) =>
    rubric.reduce((sum, rule, i) => sum + (rule.dimension === dimension && applies(given, i) ? rule.points : 0), 0),
  )
  const rules = rubric.map((rule, i): ExplainedRule => {
    const place = dimensions.indexOf(rule.dimension)
    const percent = applies(given, i) ? (given.points[i] ?? 0) : null
    // Weights sum to 10,000, so this is in hundredths already.
    const share = percent === null ? 0 : (rule.points * (weights[place] ?? 0)) / (possibleOf[place] ?? 1)
    const possible = Math.round(share)
    const lost = Math.round((share * (100 - (percent ?? 100))) / 100)
    const found = asked.flatMap(({ problems }, at) =>
      problems.filter((problem) => isMoved(rule, product.product, kind, at, problem)),
    )
    // What several platforms say in the same words is said once.
    const refusals = [...new Map(found.map((problem) => [problem.reason, problem])).values()]
    return { rule, percent, possible, given: possible - lost, lost, saw: sawOf(rule, product.product, kind), refusals }
  })
  return { grade: given, rules, platforms: asked }
}

const applies = ({ points }: Grade, place: number) => (points[place] ?? notApplied) !== notApplied

/** Whether the rule gives otherwise for this problem of this platform alone. */
const isMoved = (rule: Rule, product: RefinedProduct, kind: ProductKind, at: number, problem: FeedProblem) =>
  rule.check(
    product,
    kind,
    platforms.map((_, i) => (i === at ? [problem] : [])),
  ) !== rule.check(product, kind, [])

/** Asked of the rule itself, so that it cannot be told otherwise than it is; a rule that only hears the platform is about its field. */
function sawOf(rule: Rule, product: RefinedProduct, kind: ProductKind): ExplainedRule['saw'] {
  const seen = new Set<keyof RefinedProduct>()
  const watched = new Proxy(product, {
    get(of, name) {
      if (Object.hasOwn(of, name)) seen.add(name as keyof RefinedProduct)
      return Reflect.get(of, name)
    },
  })
  rule.check(watched, kind, [])
  if (seen.size > 0) return [...seen].map((name) => ({ name, ...shownValue(product[name]) }))
  return [{ name: rule.field, ...shownValue(refinedAs[rule.field]?.(product) ?? null) }]
}
