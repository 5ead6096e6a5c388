/** Conditions on events by which a question is narrowed: all of them hold for each event that is counted. */
import { z } from 'zod'
import { decimal, numberFields } from './event.ts'

/** `metadata.<key>`: what callers say of their events beside its fields. */
export const metadataField = /^metadata\.([a-z_][a-z0-9_]{0,62})$/
/** Not the customer's: what events know of customers is a hash that nobody can name. */
const filterTexts = [
  ...(['type', 'product_id', 'session_id', 'agent_id', 'agent_name', 'agent_version', 'agent_kind'] as const),
  'currency',
] as const

const mostFilters = 20
const mostValues = 100
/** They travel to the store in an address. */
const mostCharacters = 8_192

const ranges = ['gte', 'gt', 'lte', 'lt'] as const
const conditions = ['equals', 'in', 'exists', ...ranges] as const
const value = z.union([z.string().max(1_000), z.number(), z.boolean()], {
  error: 'is a text of at most 1,000 characters, a number, true or false',
})
const fieldSays = `is one of ${[...filterTexts, ...numberFields].join(', ')}, or metadata.<key>`
const valuesSay = `is a list of 1 to ${mostValues} values`
const amounts: ReadonlySet<string> = new Set(numberFields)

export const eventFilter = z
  .strictObject({
    field: z
      .union([z.enum([...filterTexts, ...numberFields]), z.string().regex(metadataField, fieldSays)], {
        error: fieldSays,
      })
      .describe('A field of events, or `metadata.<key>`'),
    equals: value.optional(),
    in: z.array(value, { error: valuesSay }).min(1, valuesSay).max(mostValues, valuesSay).optional(),
    exists: z.boolean().optional().describe('Whether the event has the field at all'),
    gte: decimal.optional().describe('Of fields with amounts, as `gt`, `lte` and `lt`'),
    gt: decimal.optional(),
    lte: decimal.optional(),
    lt: decimal.optional(),
  })
  .superRefine((filter, context) => {
    const wrong = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (conditions.every((one) => filter[one] === undefined))
      wrong(['field'], `needs a condition: one of ${conditions.join(', ')}`)
    const isAmount = amounts.has(filter.field)
    const given = [
      ...(filter.equals === undefined ? [] : [[['equals'], filter.equals] as const]),
      ...(filter.in ?? []).map((one, i) => [['in', i], one] as const),
    ]
    for (const [path, one] of given) {
      if (isAmount && !decimal.safeParse(one).success) wrong([...path], `${filter.field} is an amount, like 12.90`)
      if (!isAmount && typeof one !== 'string' && !filter.field.startsWith('metadata.'))
        wrong([...path], `${filter.field} is a text`)
    }
    if (isAmount) return
    for (const one of ranges) if (filter[one] !== undefined) wrong([one], `${filter.field} has no amounts`)
  })
export type EventFilter = z.output<typeof eventFilter>

export const eventFilters = z
  .array(eventFilter, { error: 'is a list of conditions, like [{ "field": "type", "equals": "order" }]' })
  .max(mostFilters, `has at most ${mostFilters} conditions`)
  .refine((filters) => JSON.stringify(filters).length <= mostCharacters, {
    error: `have at most ${mostCharacters} characters in all`,
  })

/** The key of `metadata.<key>`; null for another field. */
export const metadataKeyOf = (field: string): string | null => metadataField.exec(field)?.[1] ?? null
