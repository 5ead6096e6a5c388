/** Compliance: will platforms take the product as it is? */
import type { Field } from '../../../schemas/product.ts'
import { percent } from '../percent.ts'
import { isPlainText } from '../plain-text.ts'
import type { RuleOfDimension } from '../rule.ts'

/** One rule a field and not one for the whole feed, so that the gap names what has to be mended. */
const taken = (field: Field, points: number, attributes: readonly string[]): RuleOfDimension => ({
  id: `feed.${field}`,
  field,
  points,
  why: `Google refuses the product for its ${attributes.join(' or ')}`,
  check: (_product, _kind, problems) =>
    percent.when(problems.length === 0 || !problems.some((problem) => attributes.includes(problem.field))),
})

export const complianceRules: readonly RuleOfDimension[] = [
  {
    id: 'condition',
    field: 'condition',
    points: 12,
    why: 'Used and refurbished goods must be marked; what is new is better said than assumed',
    presence: true,
    check: ({ condition }) => percent.when(condition !== null),
  },
  {
    id: 'category.any',
    field: 'category',
    points: 10,
    why: "Policies go by category: the shop's own or one of Google's must be known",
    check: (p) => percent.when(p.categoryPath.length > 0 || percent.filled(p.googleProductCategory) > 0),
  },
  {
    id: 'title.plain',
    field: 'title',
    points: 8,
    why: 'Platforms refuse or rewrite titles in capitals or with markup',
    check: ({ title }) => (title === null ? null : percent.when(isPlainText(title))),
  },
  {
    id: 'description.plain',
    field: 'description',
    points: 8,
    why: 'Platforms show descriptions as plain text: markup and capitals stay visible',
    check: ({ description }) => (description === null ? null : percent.when(isPlainText(description))),
  },
  taken('sku', 6, ['id', 'item_group_id']),
  taken('title', 8, ['title']),
  taken('description', 7, ['description']),
  taken('link', 8, ['link']),
  taken('image', 8, ['image_link']),
  taken('price', 10, ['price']),
  taken('sale_price', 3, ['sale_price']),
  taken('availability', 8, ['availability', 'availability_date']),
  taken('brand', 4, ['brand', 'mpn']),
]
