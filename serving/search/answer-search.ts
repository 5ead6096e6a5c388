/** Answers a search in either of its two places: reads what is asked, runs it, shows what was found, and tells it as an event. */
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Principal } from '../../infra/catalog/postgres.ts'
import { cursorMinutes } from '../../infra/catalog/search-sweep.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { RecordedEvent } from '../../schemas/event.ts'
import type { Weights } from '../../schemas/score.ts'
import { laterPage, type SearchChannel, searchKeys } from '../../schemas/search-event.ts'
import { highlight } from '../../transforms/search/highlight.ts'
import {
  ownFields,
  type PublishedField,
  type PublishedResource,
  publishedProduct,
  publishedResource,
} from './published-resource.ts'
import { type FoundSearch, runSearch, type SearchPorts } from './run-search.ts'
import { type PageCursor, questionDigest, readSearchCursor, writeSearchCursor } from './search-cursor.ts'
import {
  facetsFrom,
  fieldsFrom,
  filterFrom,
  filtersSaid,
  queryText,
  type SearchQuery,
  toldText,
} from './search-query.ts'

export interface AnswerPorts {
  readonly search: SearchPorts
  readonly weights: (workspace: string) => Promise<Weights>
  /** Bits of the platforms that a feed-ready product of the brand must be valid for. */
  readonly requiredProfiles: (brand: string) => Promise<number>
  /** @returns the event's id */
  readonly recordFor: (workspace: string, request: FastifyRequest, event: RecordedEvent) => string
  readonly now: () => Date
}

/** Who asks, and of what. */
export interface SearchScope {
  readonly principal: Principal
  readonly brand: string
  /** Shows what is the brand's own affair. */
  readonly known: boolean
}

/** By which way a search came, as its event tells. */
export interface SearchOrigin {
  readonly channel: SearchChannel
  /** Where the agent names itself. */
  readonly agent?: RecordedEvent['agent'] | null
}

const counted = z.object({ value: z.string(), count: z.int() })
const highlights = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  brand: z.string().optional(),
})

export const searchAnswer = z.object({
  products: z.array(publishedResource.partial().extend({ highlights: highlights.optional() })),
  total: z.int(),
  total_is_estimate: z.boolean(),
  facets: z
    .object({
      brand: z.array(counted).optional(),
      category: z.array(z.object({ value: z.array(z.string()), count: z.int() })).optional(),
      price: z.array(z.object({ currency: z.string(), min: z.int(), max: z.int(), count: z.int() })).optional(),
      availability: z.array(counted).optional(),
      condition: z.array(counted).optional(),
      attributes: z.record(z.string(), z.array(counted)).optional(),
      /** Products that they are counted over. */
      counted_over: z.int(),
    })
    .optional(),
  /** What was searched for instead of what was typed, which nothing has. */
  corrected_to: z.string().nullable(),
  /** Nothing has all the words: so many of them a product has at least. */
  relaxed: z.object({ at_least: z.int(), of: z.int() }).nullable(),
  /** Rules of the brand that had a say; only for who has a key or a token. */
  rules: z.array(z.uuid()).optional(),
  next: z.string().nullable(),
  /** Of all its pages: `metadata.search_id` of the event by which a caller tells that a product was opened. */
  search_id: z.uuid(),
})
export type SearchAnswer = z.infer<typeof searchAnswer>

/** Before what it reads is swept away. */
const cursorMs = (cursorMinutes - 5) * 60_000

export async function answerSearch(
  request: FastifyRequest,
  ports: AnswerPorts,
  { principal, brand, known }: SearchScope,
  asked: SearchQuery,
  origin: SearchOrigin,
): Promise<SearchAnswer> {
  const q = queryText(asked.q)
  const required = await ports.requiredProfiles(brand)
  const filter = filterFrom(asked, required)
  const facets = facetsFrom(asked)
  const fields = fieldsFrom(asked)
  const now = ports.now()
  const { sort, locale = null, limit } = asked
  const digest = questionDigest([
    brand,
    asked.catalog_id,
    q,
    { ...filter, attributes: [...filter.attributes] },
    sort,
    locale,
  ])
  const after = asked.after === undefined ? null : cursorFrom(asked.after, digest, now.getTime())
  const found = await runSearch(ports.search, principal, {
    ...{
      brand,
      catalog: asked.catalog_id ?? null,
      q,
      locale,
      filter,
      sort,
      facets,
      limit,
      after,
      nowMs: now.getTime(),
    },
  })
  const search = tell(ports, request, { principal, brand }, { asked, q, after, origin }, found)
  const weights = await ports.weights(principal.workspaceId)
  const products = found.products.map((row) => {
    const whole = publishedProduct(row, weights, required)
    const shown = asked.highlights && q !== '' ? { highlights: highlightsOf(whole, found) } : {}
    return { ...fieldsOf(whole, fields, known), ...shown }
  })
  return {
    products,
    ...{ total: found.total, total_is_estimate: false },
    ...(facets.length > 0 && {
      facets: {
        ...(found.facets as Omit<NonNullable<SearchAnswer['facets']>, 'counted_over'>),
        counted_over: found.facetsOver,
      },
    }),
    corrected_to: found.corrected,
    relaxed: found.relaxed && { at_least: found.relaxed.least, of: found.relaxed.of },
    ...(known && { rules: [...found.rules] }),
    next:
      found.next &&
      writeSearchCursor({ ...found.next, search, shown: (after?.shown ?? 0) + found.products.length }, digest),
    search_id: search,
  }
}

/** @throws where it goes on with another question, or with what is no longer there */
function cursorFrom(text: string, digest: string, nowMs: number): PageCursor {
  const cursor = readSearchCursor(text, digest)
  if (!cursor) throw new ServiceError('SEARCH_001', { message: 'after is a cursor of another search', field: 'after' })
  if (nowMs - cursor.askedMs <= cursorMs) return cursor
  throw new ServiceError('NOT_FOUND', {
    status: 410,
    message: 'What this cursor goes on from is no longer kept; search anew without after',
    field: 'after',
  })
}

export function fieldsOf(
  whole: PublishedResource,
  fields: ReadonlySet<PublishedField> | null,
  known: boolean,
): Partial<PublishedResource> {
  if (fields === null && known) return whole
  return Object.fromEntries(
    Object.entries(whole).filter(
      ([name]) =>
        (fields === null || fields.has(name as PublishedField)) && (known || !ownFields.has(name as PublishedField)),
    ),
  )
}

function highlightsOf({ title, description, brand }: PublishedResource, { terms, languages }: FoundSearch) {
  const shown = Object.entries({ title, description, brand }).flatMap(([name, text]) => {
    const marked = text ? highlight(text, terms, languages) : null
    return marked === null ? [] : [[name, marked] as const]
  })
  return Object.fromEntries(shown)
}

interface Told {
  readonly asked: SearchQuery
  readonly q: string
  readonly after: PageCursor | null
  readonly origin: SearchOrigin
}

/** @returns the id of the search: a page after the first is the same one */
function tell(
  ports: AnswerPorts,
  request: FastifyRequest,
  { principal, brand }: Pick<SearchScope, 'principal' | 'brand'>,
  { asked, q, after, origin }: Told,
  found: FoundSearch,
): string {
  const metadata = {
    channel: origin.channel,
    results: String(found.total),
    ...(q && { query: toldText(q) }),
    ...(found.corrected && { corrected_to: toldText(found.corrected) }),
    ...(found.relaxed && { relaxed: `${found.relaxed.least}/${found.relaxed.of}` }),
    ...(asked.sort !== 'relevance' && { sort: asked.sort }),
    ...(after && { page: laterPage, [searchKeys.search]: after.search, [searchKeys.offset]: String(after.shown) }),
    ...filtersSaid(asked),
  }
  const products = found.products.map(({ id }) => id)
  const id = ports.recordFor(principal.workspaceId, request, {
    type: found.total === 0 ? 'search_zero_hit' : 'search',
    brand,
    ...(asked.catalog_id && { catalog: asked.catalog_id }),
    ...(products.length > 0 && { products }),
    ...(asked.session_id && { session: asked.session_id }),
    ...(origin.agent && { agent: origin.agent }),
    metadata,
  })
  return after?.search ?? id
}
