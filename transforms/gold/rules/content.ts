/** Content: does the product say enough to be understood and chosen? */
import { codePoints } from '../../../schemas/feeds/code-points.ts'
import { googleAnswer, googleSpecification, metaDescriptions } from '../../../schemas/feeds/platform-pages.ts'
import { sameText } from '../../../schemas/feeds/same-text.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { apparelOf } from '../apparel.ts'
import { namesWord } from '../names-word.ts'
import { percent } from '../percent.ts'
import type { RuleOfDimension } from '../rule.ts'
import { saysSomething } from '../says-something.ts'

const fullTitle = 30
const cutTitle = 150
const fullDescription = 500
const cutDescription = 5000
/** So many facts beyond title and description make a product comparable. */
const fullFacts = 4

function titleLength({ title }: RefinedProduct): number {
  const length = saysSomething(title) ? codePoints(title) : 0
  return length > cutTitle ? 80 : percent.of(length, fullTitle)
}

function descriptionLength({ description }: RefinedProduct): number {
  const length = saysSomething(description) ? codePoints(description) : 0
  return length > cutDescription ? 90 : percent.of(length, fullDescription)
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

/** Whether a variant's title has one at least of the values that set it apart. */
function titleTellsApart(p: RefinedProduct): boolean {
  if (p.title === null) return false
  const title = p.title.toLowerCase()
  for (const name in p.options) if (namesWord(title, p.options[name] ?? '')) return true
  return [p.color, p.size, p.material, p.pattern].some((value) => value !== null && namesWord(title, value))
}

const forApparel = (text: string | null, p: RefinedProduct) => (apparelOf(p) === null ? null : percent.filled(text))

/**
 * A category may show that a product is apparel and so make the apparel rules apply with nothing attained yet. Those have 8
 * points together: no more than either category rule gives for any value, so a category that is added never lowers the score.
 */
export const contentRules: readonly RuleOfDimension[] = [
  {
    id: 'title.length',
    field: 'title',
    points: 18,
    why: 'A title of 30 to 150 characters has room for what the product is and what sets it apart',
    sources: [googleAnswer(6324415), 'Assay: 30 is where a type, a name and one detail have room'],
    check: titleLength,
  },
  {
    id: 'title.variant',
    field: 'title',
    points: 4,
    why: "A variant's title names what sets it apart, as in Oak stool, black: else all siblings look the same",
    sources: [googleAnswer(6324415)],
    check: (p, kind) => (kind === 'variant' ? percent.when(titleTellsApart(p)) : null),
  },
  {
    id: 'description',
    field: 'description',
    points: 14,
    why: 'Agents and shoppers decide on what the description says; lorem ipsum and words for nothing say nothing',
    sources: [googleAnswer(6324468)],
    presence: true,
    check: (p) => percent.when(saysSomething(p.description)),
  },
  {
    id: 'description.length',
    field: 'description',
    points: 18,
    why: 'A description of 500 to 5000 characters answers the questions that come before buying',
    sources: [googleAnswer(6324468), 'Assay: 500 is where use, material and size have been said'],
    check: descriptionLength,
  },
  {
    id: 'description.own',
    field: 'description',
    points: 4,
    why: 'A description that repeats the title adds nothing',
    sources: [metaDescriptions],
    check: ({ title, description }) =>
      description === null || title === null ? null : percent.when(!sameText(title, description)),
  },
  {
    id: 'category',
    field: 'category',
    points: 12,
    why: 'A category of two or more levels puts the product beside those it competes with',
    sources: [googleAnswer(6324406)],
    presence: true,
    check: ({ categoryPath }) => [0, 70][categoryPath.length] ?? 100,
  },
  {
    id: 'google_product_category',
    field: 'google_product_category',
    points: 8,
    why: "A category of Google's taxonomy says to every platform what the shop's own words may not",
    sources: [googleAnswer(6324436)],
    presence: true,
    check: (p) => percent.filled(p.googleProductCategory),
  },
  {
    id: 'attributes',
    field: 'attributes',
    points: 10,
    why: 'Four facts such as material, weight or pattern make the product comparable',
    sources: [googleAnswer(9218260)],
    presence: true,
    check: (p) => percent.of(facts(p), fullFacts),
  },
  {
    id: 'options',
    field: 'options',
    points: 4,
    why: 'A variant must say what sets it apart from its siblings',
    sources: [googleAnswer(12472646)],
    presence: true,
    check: (p, kind) => (kind === 'variant' ? percent.when(toldApart(p)) : null),
  },
  {
    id: 'color',
    field: 'color',
    points: 2,
    why: 'Platforms ask for the colour of everything that is worn',
    sources: [googleAnswer(12471922)],
    presence: true,
    check: (p) => forApparel(p.color, p),
  },
  {
    id: 'size',
    field: 'size',
    points: 2,
    why: 'Platforms ask for the size of clothing and shoes',
    sources: [googleAnswer(12471627)],
    presence: true,
    check: (p) => (apparelOf(p) === 'clothing' ? percent.filled(p.size) : null),
  },
  {
    id: 'material',
    field: 'material',
    points: 1,
    why: 'Shoppers filter what they wear by material',
    sources: [googleAnswer(12472145)],
    presence: true,
    check: (p) => forApparel(p.material, p),
  },
  {
    id: 'gender',
    field: 'gender',
    points: 2,
    why: 'Platforms ask for whom something to wear is made',
    sources: [googleSpecification],
    presence: true,
    check: (p) => forApparel(p.gender, p),
  },
  {
    id: 'age_group',
    field: 'age_group',
    points: 1,
    why: 'Platforms ask for the age group of everything that is worn',
    sources: [googleSpecification],
    presence: true,
    check: (p) => forApparel(p.ageGroup, p),
  },
]
