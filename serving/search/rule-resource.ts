/** A rule of search as the API shows and takes it, and what makes one a rule at all. */
import { z } from 'zod'
import type { NewRule, RuleRow } from '../../infra/catalog/search-rule-queries.ts'
import { catalogId } from '../../schemas/ids.ts'
import { instant } from '../../schemas/instant.ts'
import { type RuleContent, ruleContent, type SearchRule, type Selection } from '../../schemas/search-rule.ts'
import { mostTermWords } from '../../transforms/search/apply-synonyms.ts'
import { attributeOf, categoryOf } from '../../transforms/search/filter-texts.ts'
import { queryKey } from '../../transforms/search/rule-keys.ts'

const day = z.iso.date().refine((text) => instant.safeParse(`${text}T00:00:00Z`).success)
/** A day is all of it, in UTC. */
const moment = z.union([day, instant], 'is a day like 2026-12-24 or an instant of ISO 8601, of 1970 to 2199')

export const ruleBody = ruleContent.extend({
  name: z.string().trim().min(1).max(200).nullable().default(null),
  catalog_id: catalogId.nullable().default(null),
  locale: z
    .string()
    .regex(/^[a-z]{2}$/, 'is a language of two letters, like de')
    .nullable()
    .default(null),
  enabled: z.boolean().default(true),
  /** The greater counts first. */
  priority: z.int().min(-1_000).max(1_000).default(0),
  starts_at: moment.nullable().default(null),
  ends_at: moment.nullable().default(null),
})
export type RuleBody = z.output<typeof ruleBody>

export const ruleResource = ruleContent.extend({
  id: z.uuid(),
  brandId: z.uuid(),
  name: z.string().nullable(),
  catalogId: z.uuid().nullable(),
  locale: z.string().nullable(),
  enabled: z.boolean(),
  priority: z.int(),
  startsAt: z.iso.datetime().nullable(),
  /** The first instant at which it does not hold any more. */
  endsAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})

export const toRule = ({ id, brand, catalog, startsAt, endsAt, content, createdAt, updatedAt, ...row }: RuleRow) => ({
  ...{ id, brandId: brand, name: row.name, catalogId: catalog, locale: row.locale },
  ...{ enabled: row.enabled, priority: row.priority },
  ...{ startsAt: startsAt?.toISOString() ?? null, endsAt: endsAt?.toISOString() ?? null },
  ...content,
  ...{ createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() },
})

const isDay = (text: string) => text.length === 10
const dayMs = 86_400_000
const startOf = (text: string | null) => (text === null ? null : new Date(text))
const endOf = (text: string | null) => (text === null ? null : new Date(Date.parse(text) + (isDay(text) ? dayMs : 0)))

export function newRule(id: string, body: RuleBody): NewRule {
  const { name, catalog_id: catalog, locale, enabled, priority, when, pins, hide, boosts } = body
  return {
    ...{ id, name, catalog, locale, enabled, priority },
    ...{ startsAt: startOf(body.starts_at), endsAt: endOf(body.ends_at), content: { when, pins, hide, boosts } },
  }
}

export const asSearchRule = ({ id, catalog, locale, priority, content }: NewRule): SearchRule => ({
  ...content,
  ...{ id, catalog, locale, priority },
})

export interface RuleFault {
  readonly field: string
  readonly says: string
}

/** @returns why it is none; null where it is one */
export function ruleFault(body: RuleBody): RuleFault | null {
  const { when, pins, hide, boosts, starts_at, ends_at } = body
  if (pins.length + hide.length + boosts.length === 0)
    return { field: 'pins', says: 'it does nothing: give it pins, hide or boosts' }
  const [start, end] = [startOf(starts_at), endOf(ends_at)]
  if (start && end && end <= start) return { field: 'ends_at', says: 'it ends before it starts' }
  return conditionFault(when) ?? pinsFault(pins) ?? selectionsFault('hide', hide) ?? selectionsFault('boosts', boosts)
}

function conditionFault({ queries, match, categories }: RuleContent['when']): RuleFault | null {
  for (const [i, text] of queries.entries()) {
    const [field, key] = [`when.queries.${i}`, queryKey(text)]
    if (key === '') return { field, says: `${text} has neither letters nor digits` }
    if (match === 'contains' && key.split(' ').length > mostTermWords)
      return { field, says: `a query that is contained has at most ${mostTermWords} words; ${text} has more` }
  }
  return categoriesFault('when.categories', categories)
}

function pinsFault(pins: RuleContent['pins']): RuleFault | null {
  for (const [i, { product, position }] of pins.entries()) {
    const before = pins.slice(0, i)
    if (before.some((pin) => pin.product === product))
      return { field: `pins.${i}.product`, says: `${product} has a place already` }
    if (before.some((pin) => pin.position === position))
      return { field: `pins.${i}.position`, says: `another product is at ${position} already` }
  }
  return null
}

function selectionsFault(name: string, selections: readonly Selection[]): RuleFault | null {
  for (const [i, { products, brands, categories, attributes }] of selections.entries()) {
    if (products.length + brands.length + categories.length + attributes.length === 0)
      return { field: `${name}.${i}`, says: 'it picks nothing out: give it products, brands, categories or attributes' }
    const wrong = attributes.findIndex((text) => attributeOf(text) === null)
    if (wrong >= 0)
      return { field: `${name}.${i}.attributes.${wrong}`, says: 'it is a name, a colon and a value, like color:red' }
    const fault = categoriesFault(`${name}.${i}.categories`, categories)
    if (fault) return fault
  }
  return null
}

function categoriesFault(name: string, categories: readonly string[]): RuleFault | null {
  const wrong = categories.findIndex((text) => categoryOf(text).includes(''))
  return wrong < 0 ? null : { field: `${name}.${wrong}`, says: 'it is a level, or a path like Shoes > Boots' }
}

/** Each once. */
export const productsOf = ({ pins, hide, boosts }: RuleContent): string[] => [
  ...new Set([...pins.map(({ product }) => product), ...[...hide, ...boosts].flatMap(({ products }) => products)]),
]
