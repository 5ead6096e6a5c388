/** Compliance: will platforms take the product as it is? */
import { hasLink } from '../../../schemas/feeds/has-link.ts'
import {
  googleAnswer,
  googleSpecification,
  metaDescriptions,
  metaFields,
} from '../../../schemas/feeds/platform-pages.ts'
import { platforms } from '../../../schemas/feeds/registry.ts'
import type { Field } from '../../../schemas/product.ts'
import { isPromotion } from '../is-promotion.ts'
import { percent } from '../percent.ts'
import { isPlainText } from '../plain-text.ts'
import type { RuleOfDimension } from '../rule.ts'
import { isAbout, takenBy } from '../taken-by.ts'

/** The pages of the platforms' own rules over this field, each once. */
const pagesOf = (field: Field, attributes: readonly string[]) => [
  ...new Set(
    platforms.flatMap(({ rules }) =>
      rules.filter((rule) => isAbout(rule, field, attributes)).map(({ source }) => source),
    ),
  ),
]

/**
 * One rule a field and not one a feed, so that the gap names what has to be mended: what is promised of it must come true.
 * @param attributes what the platforms call it, if they have a name for it
 */
const taken = (field: Field, points: number, ...attributes: readonly string[]): RuleOfDimension => ({
  id: `feed.${field}`,
  field,
  points,
  why: `Platforms refuse the product for its ${attributes.join(' or ') || field}: Google costs 60 %, Meta 25 %, OpenAI 15 %`,
  sources: pagesOf(field, attributes),
  check: (_product, _kind, refusals) => takenBy(refusals, field, attributes),
})

/** A category is a right value, and must not cost points for what it makes Google ask: those are lost in content, which gives for it. */
const ofWorn = (field: Field): RuleOfDimension => ({
  ...taken(field, 0, field),
  why: 'Google takes nothing to wear without it; it costs points in content, and here the place in the feed alone',
})

export const complianceRules: readonly RuleOfDimension[] = [
  {
    id: 'condition',
    field: 'condition',
    points: 8,
    why: 'Used and refurbished goods must be marked; what is new is better said than assumed',
    sources: [googleSpecification, metaFields],
    presence: true,
    check: ({ condition }) => percent.when(condition !== null),
  },
  {
    id: 'category.any',
    field: 'category',
    points: 8,
    why: "Policies go by category: the shop's own or one of Google's must be known",
    sources: [googleAnswer(6324436), googleAnswer(6324406)],
    check: (p) => percent.when(p.categoryPath.length > 0 || percent.filled(p.googleProductCategory) > 0),
  },
  {
    id: 'title.plain',
    field: 'title',
    points: 6,
    why: 'Platforms refuse or rewrite titles in capitals or with markup',
    sources: [googleAnswer(6324415)],
    check: ({ title }) => (title === null ? null : percent.when(isPlainText(title))),
  },
  {
    id: 'title.promotion',
    field: 'title',
    points: 4,
    why: 'A title names the product: platforms refuse free shipping, discounts and calls to buy in it',
    sources: [googleAnswer(6324415)],
    check: ({ title }) => (title === null ? null : percent.when(!isPromotion(title))),
  },
  {
    id: 'description.plain',
    field: 'description',
    points: 6,
    why: 'Platforms show descriptions as plain text: markup and capitals stay visible',
    sources: [googleAnswer(6324468), metaDescriptions],
    check: ({ description }) => (description === null ? null : percent.when(isPlainText(description))),
  },
  {
    id: 'description.links',
    field: 'description',
    points: 4,
    why: 'Platforms take no addresses in a description',
    sources: [googleAnswer(6324468), metaDescriptions],
    check: ({ description }) => (description === null ? null : percent.when(!hasLink(description))),
  },
  taken('sku', 4, 'id', 'item_id'),
  taken('item_group_id', 1, 'item_group_id'),
  taken('title', 8, 'title'),
  taken('description', 7, 'description'),
  taken('link', 7, 'link', 'url'),
  taken('image', 8, 'image_link', 'image_url'),
  taken('price', 5, 'price'),
  taken('currency', 3),
  taken('original_price', 1),
  taken('sale_price', 3, 'sale_price'),
  taken('availability', 5, 'availability'),
  taken('availability_date', 2, 'availability_date'),
  taken('brand', 3, 'brand'),
  taken('mpn', 1, 'mpn'),
  taken('condition', 3, 'condition'),
  taken('options', 2, 'variant_dict'),
  taken('expiration_date', 1, 'expiration_date'),
  ofWorn('color'),
  ofWorn('gender'),
  ofWorn('age_group'),
  ofWorn('size'),
]
