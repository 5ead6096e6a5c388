/** What agents do: the event as callers send it, the types that Assay knows, and the event as it stands on the log. */
import { z } from 'zod'
import { brandId, catalogId, workspaceId } from './ids.ts'
import { instant } from './instant.ts'

/** Those that Assay records itself or draws conclusions from; any other name of the form is a type of the caller's own. */
const eventTypes = {
  feed_read: 'a feed was read',
  search: 'a search was answered',
  search_zero_hit: 'a search found nothing',
  recommendation_shown: 'a product was recommended',
  recommendation_click: 'a recommended product was opened',
  tool_call: 'an agent called a tool',
  product_view: 'a product was looked at',
  add_to_cart: 'a product was put into a cart',
  remove_from_cart: 'a product was taken out of a cart',
  checkout_started: 'a checkout was begun',
  order: 'an order was placed',
  order_cancelled: 'an order was cancelled',
} as const

export const eventType = z.string().regex(/^[a-z][a-z0-9_]{1,62}$/, 'a type is a small word like product_view')
const metadataKey = /^[a-z_][a-z0-9_]{0,62}$/

/** Fields with amounts, which may be summed and averaged. */
export const numberFields = ['value', 'amount', 'price', 'quantity', 'duration_ms', 'score', 'rating'] as const
export type NumberField = (typeof numberFields)[number]

/** Days before now that an event may have happened; the longest window of a question, and a month. */
export const oldestDays = 400
/** Clocks of callers that are ahead by more are wrong. */
export const aheadMs = 5 * 60_000

/** That one event can name. */
export const mostProducts = 200

export const mostEvents = 10_000
/** As JSON: a block of many must not fill the memory of who writes it. */
export const largestEventCharacters = 16_384
export const largestEventsBytes = 16 * 1024 * 1024
/** Of one event as it is sent: each character may be six as an escape, and there may be blanks between. What is more is not parsed to be measured. */
export const largestSentBytes = 8 * largestEventCharacters

/** Fifteen digits before the point and nine behind it, which is what the store keeps. */
const decimalSays =
  'is a number, or one as text like "12.90", with at most 15 digits before the point and at most nine behind it'
export const decimal = z.union(
  [
    z.number().refine((value) => Math.abs(value) < 1e15, decimalSays),
    z.string().regex(/^-?\d{1,15}(\.\d{1,9})?$/, decimalSays),
  ],
  decimalSays,
)
const text = z.string('is text').max(200, 'is text of at most 200 characters')
const keySays = 'a key is small letters, digits and _, at most 63, the first no digit'
const metadataSays = 'is text of at most 1000 characters, a number, true, false or null'
/** What is beyond has been rounded when it was parsed, so that two ids would be one. */
const metadataNumber = z
  .number()
  .refine(
    (value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER,
    `numbers beyond ${Number.MAX_SAFE_INTEGER} would be rounded: send them as text`,
  )

export const eventInput = z.strictObject({
  id: z.uuid('is a UUID').toLowerCase().optional(),
  type: eventType,
  time: instant.optional(),
  brand_id: brandId.optional(),
  catalog_id: catalogId.optional(),
  product_id: text.optional(),
  /** That a search found, a tool returned or a list showed; ids or SKUs, in the order in which they were shown. */
  product_ids: z.array(text).max(mostProducts, `names at most ${mostProducts} products`).optional(),
  session_id: text.optional(),
  agent_id: text.optional(),
  agent: z
    .strictObject({ name: text.optional(), version: text.optional(), user_agent: z.string().max(1_000).optional() })
    .optional(),
  /** Kept only as a keyed hash. */
  customer_id: text.optional(),
  ...(Object.fromEntries(numberFields.map((name) => [name, decimal.optional()] as const)) as Record<
    NumberField,
    z.ZodOptional<typeof decimal>
  >),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'is a code of ISO 4217, like EUR')
    .optional(),
  metadata: z
    .record(
      z.string().regex(metadataKey, keySays),
      z.union([z.string().max(1_000, metadataSays), metadataNumber, z.boolean(), z.null()], metadataSays),
      {
        error: ({ code }) =>
          code === 'invalid_key' ? keySays : 'is an object of texts, numbers, true, false and null',
      },
    )
    .refine((found) => Object.keys(found).length <= 50, 'has at most 50 keys')
    .optional(),
})

/** What Assay's own channels tell of themselves. */
export type RecordedEvent = Pick<
  AgentEvent,
  'brand' | 'catalog' | 'product' | 'products' | 'session' | 'numbers' | 'metadata'
> & {
  readonly type: keyof typeof eventTypes
  /** As the agent names itself, where it says more than its user agent. */
  readonly agent?: { readonly name: string; readonly version?: string }
}

/** On the log: whole, so that a row is a pure function of it. */
export interface AgentEvent {
  readonly v: 1
  readonly id: string
  readonly type: string
  /** ISO 8601, UTC, milliseconds. */
  readonly time: string
  readonly received: string
  readonly workspace: string
  readonly brand: string
  readonly catalog?: string
  readonly product?: string
  readonly products?: readonly string[]
  readonly session?: string
  readonly agent?: { readonly id?: string; readonly name?: string; readonly version?: string; readonly kind?: string }
  /** A keyed hash with a salt of the customer's own. */
  readonly customer?: string
  /** Decimal text. */
  readonly numbers?: Readonly<Partial<Record<NumberField, string>>>
  readonly currency?: string
  readonly metadata?: Readonly<Record<string, string>>
}

const words = z.string()
const amount = z.string().regex(/^-?\d{1,15}(\.\d{1,9})?$/)
/** A record of zod's asks a schema for each key, which took a quarter of the time that an event is read in. */
const texts = z.custom<Readonly<Record<string, string>>>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((one) => typeof one === 'string'),
  'is no object of texts',
)
/** The same, as it is read from there. */
export const storedEvent = z.object({
  v: z.literal(1),
  id: z.uuid(),
  type: eventType,
  time: z.iso.datetime(),
  received: z.iso.datetime(),
  workspace: workspaceId,
  brand: brandId,
  catalog: catalogId.optional(),
  product: words.optional(),
  products: z.array(words).optional(),
  session: words.optional(),
  agent: z
    .object({ id: words.optional(), name: words.optional(), version: words.optional(), kind: words.optional() })
    .optional(),
  customer: words.optional(),
  numbers: z.strictObject(Object.fromEntries(numberFields.map((name) => [name, amount.optional()]))).optional(),
  currency: words.optional(),
  metadata: texts.optional(),
})
