/** Content: does the product say enough to be understood and chosen? */
import { codePoints } from '../../../schemas/feeds/code-points.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { apparelOf } from '../apparel.ts'
import { percent } from '../percent.ts'
import type { RuleOfDimension } from '../rule.ts'

const fullTitle = 30
const cutTitle = 150
const fullDescription = 500
const cutDescription = 5000
/** So many facts beyond title and description make a product comparable. */
const fullFacts = 4

function titleLength({ title }: RefinedProduct): number {
  const length = title === null ? 0 : codePoints(title)
  return length > cutTitle ? 80 : percent.of(length, fullTitle)
}

function descriptionLength({ description }: RefinedProduct): number {
  const length = description === null ? 0 : codePoints(description)
  return length > cutDescription ? 90 : percent.of(length, fullDescription)
}

function sameText(a: string, b: string): boolean {
  return a.length === b.length && (a === b || a.toLowerCase() === b.toLowerCase())
}

function facts(p: RefinedProduct): number {
  let count = 0
  for (const text of [p.color, p.size, p.material, p.pattern, p.gender, p.ageGroup, p.weight]) {
    if (text !== null && text !== '') count++
  }
  return count + keys(p.options, fullFacts) + keys(p.attributes, fullFacts)
}

function keys(of: Readonly<Record<string, unknown>>, atMost: number): number {
  let count = 0
  for (const _ in of) if (++count === atMost) break
  return count
}

const toldApart = (p: RefinedProduct) =>
  keys(p.options, 1) > 0 || p.color !== null || p.size !== null || p.material !== null || p.pattern !== null

const forApparel = (text: string | null, p: RefinedProduct) => (apparelOf(p) === null ? null : percent.filled(text))

/**
 * A category may show that a product is apparel and so make the apparel rules apply with nothing attained yet. Those have 8
 * points together: no more than either category rule gives for any value, so a category that is added never lowers the score.
 */
export const contentRules: readonly RuleOfDimension[] = [
  {
    id: 'title.length',
    field: 'title',
    points: 22,
    why: 'A title of 30 to 150 characters has room for what the product is and what sets it apart',
    check: titleLength,
  },
  {
    id: 'description',
    field: 'description',
    points: 14,
    why: 'Agents and shoppers decide on what the description says',
    presence: true,
    check: (p) => percent.filled(p.description),
  },
  {
    id: 'description.length',
    field: 'description',
    points: 18,
    why: 'A description of 500 to 5000 characters answers the questions that come before buying',
    check: descriptionLength,
  },
  {
    id: 'description.own',
    field: 'description',
    points: 4,
    why: 'A description that repeats the title adds nothing',
    check: ({ title, description }) =>
      description === null || title === null ? null : percent.when(!sameText(title, description)),
  },
  {
    id: 'category',
    field: 'category',
    points: 12,
    why: 'A category of two or more levels puts the product beside those it competes with',
    presence: true,
    check: ({ categoryPath }) => [0, 70][categoryPath.length] ?? 100,
  },
  {
    id: 'google_product_category',
    field: 'google_product_category',
    points: 8,
    why: "A category of Google's taxonomy says to every platform what the shop's own words may not",
    presence: true,
    check: (p) => percent.filled(p.googleProductCategory),
  },
  {
    id: 'attributes',
    field: 'attributes',
    points: 10,
    why: 'Four facts such as material, weight or pattern make the product comparable',
    presence: true,
    check: (p) => percent.of(facts(p), fullFacts),
  },
  {
    id: 'options',
    field: 'options',
    points: 4,
    why: 'A variant must say what sets it apart from its siblings',
    presence: true,
    check: (p, kind) => (kind === 'variant' ? percent.when(toldApart(p)) : null),
  },
  {
    id: 'color',
    field: 'color',
    points: 2,
    why: 'Platforms ask for the colour of everything that is worn',
    presence: true,
    check: (p) => forApparel(p.color, p),
  },
  {
    id: 'size',
    field: 'size',
    points: 2,
    why: 'Platforms ask for the size of clothing and shoes',
    presence: true,
    check: (p) => (apparelOf(p) === 'clothing' ? percent.filled(p.size) : null),
  },
  {
    id: 'material',
    field: 'material',
    points: 1,
    why: 'Shoppers filter what they wear by material',
    presence: true,
    check: (p) => forApparel(p.material, p),
  },
  {
    id: 'gender',
    field: 'gender',
    points: 2,
    why: 'Platforms ask for whom something to wear is made',
    presence: true,
    check: (p) => forApparel(p.gender, p),
  },
  {
    id: 'age_group',
    field: 'age_group',
    points: 1,
    why: 'Platforms ask for the age group of everything that is worn',
    presence: true,
    check: (p) => forApparel(p.ageGroup, p),
  },
]
