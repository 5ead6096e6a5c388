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
const mostProducts = 200

export const mostEvents = 10_000
/** As JSON: a block of many must not fill the memory of who writes it. */
export const largestEventCharacters = 16_384
export const largestEventsBytes = 16 * 1024 * 1024

/** Fifteen digits before the point and nine behind it, which is what the store keeps. */
export const decimal = z.union([
  z.number().refine((value) => Math.abs(value) < 1e15, 'is below a thousand million million'),
  z.string().regex(/^-?\d{1,15}(\.\d{1,9})?$/, 'is a decimal number as text, like "12.90"'),
])
const text = z.string().max(200)

export const eventInput = z.strictObject({
  id: z.uuid().toLowerCase().optional(),
  type: eventType,
  time: instant.optional(),
  brand_id: brandId.optional(),
  catalog_id: catalogId.optional(),
  product_id: text.optional(),
  /** That a search found, a tool returned or a list showed; ids or SKUs, in the order in which they were shown. */
  product_ids: z.array(text).max(mostProducts).optional(),
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
    .record(z.string().regex(metadataKey), z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]))
    .refine((found) => Object.keys(found).length <= 50, 'has at most 50 keys')
    .optional(),
})

/** What Assay's own channels tell of themselves. */
export type RecordedEvent = Pick<
  AgentEvent,
  'brand' | 'catalog' | 'product' | 'products' | 'session' | 'numbers' | 'metadata'
> & {
  readonly type: keyof typeof eventTypes
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
