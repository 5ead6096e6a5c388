/** The rubric: every rule that gold grades by, in the order in which a product's rule points are stored. */
import type { Dimension } from '../../schemas/score.ts'
import type { Rule, RuleOfDimension } from './rule.ts'
import { availabilityRules } from './rules/availability.ts'
import { complianceRules } from './rules/compliance.ts'
import { contentRules } from './rules/content.ts'
import { identityRules } from './rules/identity.ts'
import { mediaRules } from './rules/media.ts'
import { pricingRules } from './rules/pricing.ts'
import { seoRules } from './rules/seo.ts'

/** Grows with every change of a rule, its points or its place, and with every platform's version: stored points are read by place. */
export const rubricVersion = 5

const of = (dimension: Dimension, rules: readonly RuleOfDimension[]): Rule[] =>
  rules.map((rule) => ({ ...rule, dimension }))

export const rubric: readonly Rule[] = [
  ...of('identity', identityRules),
  ...of('content', contentRules),
  ...of('media', mediaRules),
  ...of('pricing', pricingRules),
  ...of('availability', availabilityRules),
  ...of('seo', seoRules),
  ...of('compliance', complianceRules),
]
