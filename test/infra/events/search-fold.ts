/** The search analytics as a plain reading of what the README says of them, event by event: an independent answer to the same question. */
import type { AnalyticsScope, AskedAnalytics } from '../../../infra/events/analytics-scope.ts'
import type { SearchAnalytics } from '../../../infra/events/search-analytics.ts'
import type { AskedSearches } from '../../../infra/events/search-sql.ts'
import type { AgentEvent } from '../../../schemas/event.ts'
import { foldLetters } from '../../../transforms/search/fold-letters.ts'

export interface Asked {
  readonly scope: Omit<AnalyticsScope, 'upTo'>
}

const minuteMs = 60_000
const dayMs = 86_400_000
const msOf = ({ time }: AgentEvent) => Date.parse(time)
export const foldQuery = (text: string) => foldLetters(text).replace(/\s+/g, ' ').trim()

/** Only of UTC and of a zone that is always five and a half hours ahead. */
export function eventsIn(
  events: readonly AgentEvent[],
  { workspace, brand }: Asked['scope'],
  { days, zone }: Pick<AskedAnalytics, 'days' | 'zone'>,
  now: Date,
): AgentEvent[] {
  const ahead = zone === null ? 0 : 330 * minuteMs
  const from = Math.floor((now.getTime() + ahead) / dayMs) * dayMs - ahead - (days - 1) * dayMs
  return events.filter((one) => one.workspace === workspace && one.brand === brand && msOf(one) >= from)
}

export const isOfCatalog = (of: string | undefined, { catalog, isDefault }: Asked['scope']) =>
  catalog === null || of === catalog || (isDefault && of === undefined)
export const isAsked = (asked: string | null, said: string | undefined) => asked === null || asked === (said ?? '')
export const share = (part: number, whole: number) => (whole === 0 ? null : part / whole)

export const placeSaid = ({ metadata }: AgentEvent) => {
  const said = metadata?.position ?? ''
  return /^\d+$/.test(said) && Number(said) > 0 ? Number(said) : null
}

interface Search {
  readonly event: AgentEvent
  readonly channel: string
  readonly agent: string
  readonly typed: string
  readonly folded: string
  readonly nothing: boolean
  readonly found: number | null
  /** Where each product was opened first. */
  readonly opened: Map<string, number | null>
}

export function foldSearches(
  all: readonly AgentEvent[],
  asked: AskedSearches,
  scope: Asked['scope'],
  now: Date,
): Omit<SearchAnalytics, 'rowsRead'> {
  const events = eventsIn(all, scope, asked, now)
  const isSearch = ({ type }: AgentEvent) => type === 'search' || type === 'search_zero_hit'
  const every = new Map(
    events.filter((one) => isSearch(one) && one.metadata?.page !== 'later').map((one) => [one.id, searchOf(one)]),
  )
  join(events, every)
  const searches = [...every.values()].filter(
    ({ event, channel, agent, folded }) =>
      isOfCatalog(event.catalog, scope) &&
      isAsked(asked.channel, channel) &&
      isAsked(asked.agent, agent) &&
      (asked.query === null || folded === foldQuery(asked.query)),
  )
  const queries = [
    ...Map.groupBy(
      searches.filter(({ folded }) => folded !== ''),
      ({ folded }) => folded,
    ),
  ].map(([key, of]) => ({
    key,
    query: commonest(of.map(({ typed }) => typed)),
    share: of.length / searches.length,
    ...figuresOf(of),
  }))
  const list = (name: 'searches' | 'zero_hits' | 'unclicked') =>
    queries
      .filter((one) => one[name] > 0)
      .sort((a, b) => b[name] - a[name] || (a.key < b.key ? -1 : 1))
      .slice(0, asked.limit)
      .map(({ key: _, ...one }) => one)
  const places = Map.groupBy(
    searches.flatMap(({ opened }) => [...opened.values()]),
    (place) => (place === null ? null : Math.min(place, 101)),
  )
  return {
    totals: figuresOf(searches),
    lists: { searches: list('searches'), zero_hits: list('zero_hits'), no_click: list('unclicked') },
    positions: [...places]
      .map(([position, of]) => ({ position, clicks: of.length }))
      .sort((a, b) => (a.position ?? 999) - (b.position ?? 999)),
    refinements: refinementsOf(searches).slice(0, asked.limit),
    filters: filtersOf(searches).slice(0, asked.limit),
    channels: [...Map.groupBy(searches, ({ channel, agent }) => `${channel}\n${agent}`)]
      .map(([key, of]) => ({ key, of, names: key.split('\n') }))
      .sort((a, b) => b.of.length - a.of.length || (a.key < b.key ? -1 : 1))
      .slice(0, asked.limit)
      .map(({ of, names: [channel, agent] }) => ({ channel: channel || null, agent: agent || null, ...figuresOf(of) })),
  }
}

function searchOf(event: AgentEvent): Search {
  const { metadata = {}, type, agent } = event
  const typed = (metadata.query ?? '').replace(/^ +| +$/g, '')
  const isNothing = type === 'search_zero_hit' || metadata.results === '0'
  return {
    ...{ event, typed, folded: foldQuery(typed), nothing: isNothing, opened: new Map() },
    ...{ channel: metadata.channel ?? '', agent: agent?.name ?? '' },
    found: type === 'search_zero_hit' ? 0 : metadata.results === undefined ? null : Number(metadata.results),
  }
}

/** Each opened product goes to its search, in order of time. */
function join(events: readonly AgentEvent[], searches: ReadonlyMap<string, Search>) {
  const isId = (text: string | undefined) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text ?? '')
  const rootOf = (page: AgentEvent) => (page.metadata?.page === 'later' ? page.metadata.search_id : page.id)
  const pages = events.filter(({ type }) => type === 'search')
  const placeIn = (page: AgentEvent, product: string) => {
    const at = page.products?.indexOf(product) ?? -1
    return at < 0 ? null : at + 1 + Number(page.metadata?.offset ?? 0)
  }
  for (const view of events.filter(({ type, product }) => type === 'product_view' && product)) {
    const product = view.product ?? ''
    const told = view.metadata?.search_id
    const id = isId(told) ? told?.toLowerCase() : undefined
    let place = placeSaid(view)
    let of = id
    if (id) {
      const known = pages.filter((page) => rootOf(page) === id).flatMap((page) => placeIn(page, product) ?? [])
      place ??= known.length > 0 ? Math.min(...known) : null
    } else {
      if (!view.session) continue
      const last = pages.findLast(
        (page) => page.session === view.session && page.products?.includes(product) && msOf(page) <= msOf(view),
      )
      if (!last || msOf(view) > msOf(last) + 30 * minuteMs) continue
      of = rootOf(last)
      place ??= placeIn(last, product)
    }
    const search = searches.get(of ?? '')
    const before = search?.opened.get(product)
    if (before === undefined || before === null) search?.opened.set(product, place)
  }
}

function figuresOf(searches: readonly Search[]) {
  const zeros = searches.filter(({ nothing }) => nothing).length
  const clicked = searches.filter(({ nothing, opened }) => !nothing && opened.size > 0).length
  const places = searches.flatMap(({ opened }) => [...opened.values()].filter((place) => place !== null))
  const found = searches.flatMap((one) => one.found ?? [])
  return {
    ...{ searches: searches.length, zero_hits: zeros, clicked, unclicked: searches.length - zeros - clicked },
    clicks: searches.reduce((sum, { opened }) => sum + opened.size, 0),
    click_through: share(clicked, searches.length - zeros),
    mean_results: share(sumOf(found), found.length),
    mean_position: share(sumOf(places), places.length),
  }
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)

/** Of equally common ones the last in the order of the alphabet. */
function commonest(texts: readonly string[]): string {
  const [first] = [...Map.groupBy(texts, (one) => one)].sort(
    ([a, of], [b, other]) => other.length - of.length || (a > b ? -1 : 1),
  )
  return first?.[0] ?? ''
}

function refinementsOf(searches: readonly Search[]) {
  const bySession = Map.groupBy(
    searches.filter(({ event, folded }) => event.session && folded !== ''),
    ({ event }) => event.session,
  )
  const pairs = [...bySession.values()].flatMap((of) =>
    of.slice(1).flatMap((next, i) => {
      const one = of[i] as Search
      const isSoon = msOf(next.event) <= msOf(one.event) + 10 * minuteMs
      return isSoon && next.folded !== one.folded ? [{ one, next }] : []
    }),
  )
  return [...Map.groupBy(pairs, ({ one, next }) => `${one.folded}\n${next.folded}`).values()]
    .map((of) => {
      const [query = '', next = ''] = commonest(of.map((pair) => `${pair.one.typed}\n${pair.next.typed}`)).split('\n')
      return { query, next, times: of.length }
    })
    .sort((a, b) => b.times - a.times || (`${a.query}\n${a.next}` < `${b.query}\n${b.next}` ? -1 : 1))
}

function filtersOf(searches: readonly Search[]) {
  const used = searches.flatMap(({ event }) =>
    Object.entries(event.metadata ?? {})
      .filter(([name]) => name.startsWith('filter_') && name !== 'filter_')
      .map(([name, value]) => ({ filter: name.slice(7), value })),
  )
  return [...Map.groupBy(used, ({ filter }) => filter)]
    .map(([filter, of]) => ({
      filter,
      searches: of.length,
      values: [...Map.groupBy(of, ({ value }) => value)]
        .map(([value, those]) => ({ value, searches: those.length }))
        .sort((a, b) => b.searches - a.searches || (a.value < b.value ? -1 : 1))
        .slice(0, 5),
    }))
    .sort((a, b) => b.searches - a.searches || (a.filter < b.filter ? -1 : 1))
}
