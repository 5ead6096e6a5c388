/** What a search asks in its address, read into a question. */
import { z } from 'zod'
import { ServiceError } from '../../schemas/errors.ts'
import { catalogId } from '../../schemas/ids.ts'
import { availability, condition } from '../../schemas/product.ts'
import { attributeName } from '../../transforms/search/attribute-values.ts'
import type { FacetName } from '../../transforms/search/count-facets.ts'
import type { SearchFilter } from '../../transforms/search/filter-documents.ts'
import { attributeOf, attributesOf, categoryOf } from '../../transforms/search/filter-texts.ts'
import { sorts } from '../../transforms/search/search-segments.ts'
import { wholeNumber } from '../whole-number.ts'
import { sessionId } from './opened-event.ts'
import { type PublishedField, publishedFields } from './published-resource.ts'

/** The contract's, in characters as people count them. */
const longestQuery = 512
const mostValues = 50
/** A request's head has 16,384 bytes. */
export const longestCursor = 12_000

/** Named once or several times. */
const several = z
  .union([z.string().max(500), z.array(z.string().max(500)).max(mostValues)])
  .transform((value) => [value].flat().filter((text) => text.trim() !== ''))
  .default([])
const flag = z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true')
const listed = z
  .string()
  .max(1_000)
  .transform((text) =>
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )
const facetName =
  /^(?:brand|category|price|availability|condition|attributes(?:\.(?=[^.,]*[\p{L}\p{N}])[^.,]{1,60})?)$/u
const fieldSet = new Set<string>(publishedFields)

export const askedFields = listed
  .refine((names) => names.every((name) => fieldSet.has(name)), `names fields of ${publishedFields.join(', ')}`)
  .optional()

const money = wholeNumber(0, 999_999_999_999_999)

export const searchQuery = z.object({
  q: z.string().default(''),
  catalog_id: catalogId.optional(),
  category: several,
  brand: several,
  price_min: money.optional(),
  price_max: money.optional(),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/, 'is a code of ISO 4217, like EUR')
    .transform((code) => code.toUpperCase())
    .optional(),
  availability: several.pipe(z.array(availability)),
  condition: several.pipe(z.array(condition)),
  attributes: several.refine(
    (pairs) => pairs.every((pair) => attributeOf(pair) !== null),
    'is a name, a colon and a value, like color:red',
  ),
  feed_ready: flag.optional(),
  facets: listed
    .refine(
      (names) => names.every((name) => facetName.test(name)),
      'names brand, category, price, availability, condition, attributes or attributes.NAME',
    )
    .default([]),
  sort: z.enum(sorts).default('relevance'),
  locale: z
    .string()
    .regex(/^[a-z]{2}(?:-[A-Za-z]{2})?$/, 'is a language, like de or de-CH')
    .transform((text) => text.slice(0, 2))
    .optional(),
  fields: askedFields,
  highlights: flag.default(true),
  session_id: sessionId.optional(),
  limit: wholeNumber(1, 100).default(20),
  after: z.string().max(longestCursor).optional(),
})
export type SearchQuery = z.output<typeof searchQuery>

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is stripped
const control = /[\u0000-\u001f\u007f-\u009f]+/g

/** @throws SEARCH_002 */
export function queryText(q: string): string {
  const text = q.toWellFormed().replace(control, ' ').trim()
  if ([...text].length <= longestQuery) return text
  throw new ServiceError('SEARCH_002', {
    message: `A query has at most ${longestQuery} characters; this one has ${[...text].length}`,
    field: 'q',
  })
}

/** @param required see `requiredBits` */
export function filterFrom(asked: SearchQuery, required: number): SearchFilter {
  return {
    categories: asked.category.map(categoryOf),
    brands: asked.brand,
    ...{ priceMin: asked.price_min ?? null, priceMax: asked.price_max ?? null, currency: asked.currency ?? null },
    ...{ availability: asked.availability, condition: asked.condition, attributes: attributesOf(asked.attributes) },
    feedReady: asked.feed_ready === undefined ? null : { is: asked.feed_ready, required },
  }
}

export const facetsFrom = ({ facets }: SearchQuery): FacetName[] =>
  [...new Set(facets)].map((name) =>
    name.startsWith('attributes.') ? (`attributes.${attributeName(name.slice(11))}` as const) : (name as FacetName),
  )

export const fieldsFrom = ({ fields }: Pick<SearchQuery, 'fields'>): ReadonlySet<PublishedField> | null =>
  fields === undefined ? null : new Set(fields as PublishedField[])

/** As an event can tell it: a letter of two halves is not cut in two. */
export const toldText = (text: string): string => text.slice(0, 1_000).toWellFormed()

/** What an event says of it: `filter_` and what was filtered by, each with all its values. */
export function filtersSaid(asked: SearchQuery): Record<string, string> {
  const said: Record<string, string> = {}
  const add = (name: string, value: string | number | boolean | undefined) => {
    if (value !== undefined && value !== '') said[`filter_${name}`] = toldText(String(value))
  }
  for (const name of ['category', 'brand', 'availability', 'condition'] as const) add(name, asked[name].join(', '))
  for (const name of ['price_min', 'price_max', 'currency', 'feed_ready'] as const) add(name, asked[name])
  for (const [name, values] of attributesOf(asked.attributes)) {
    const before = said[`filter_${name}`]
    if (/^[a-z_][a-z0-9_]{0,50}$/.test(name)) add(name, [...(before ? [before] : []), ...values].join(', '))
  }
  return said
}
