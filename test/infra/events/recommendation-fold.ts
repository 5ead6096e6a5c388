/** The analytics of recommendations as a plain reading of what the README says of them, event by event. */
import type { RecommendationAnalytics } from '../../../infra/events/recommendation-analytics.ts'
import type { AskedRecommendations } from '../../../infra/events/recommendation-sql.ts'
import type { AgentEvent } from '../../../schemas/event.ts'
import { type Asked, eventsIn, isAsked, isOfCatalog, placeSaid, share } from './search-fold.ts'

interface Fact {
  readonly kind: 'list' | 'product' | 'click' | 'add_to_cart' | 'order'
  readonly catalog: string | undefined
  readonly method: string
  readonly channel: string
  readonly agent: string
  readonly atMs: number
  readonly product: string
  readonly place: number
  readonly event: string
  clicked: boolean
}
type Said = Pick<Fact, 'catalog' | 'method' | 'channel' | 'agent'>

const msOf = ({ time }: AgentEvent) => Date.parse(time)
const saidBy = ({ catalog, metadata, agent }: AgentEvent): Said => ({
  ...{ catalog, method: metadata?.method ?? '', channel: metadata?.channel ?? '', agent: agent?.name ?? '' },
})
const productsOf = ({ product, products = [] }: AgentEvent) => [
  ...new Set([...products, ...(product ? [product] : [])]),
]
const listOf = ({ id, metadata }: AgentEvent) => metadata?.recommendation_id || id

export function foldRecommendations(
  all: readonly AgentEvent[],
  asked: AskedRecommendations,
  scope: Asked['scope'],
  now: Date,
): Omit<RecommendationAnalytics, 'rowsRead'> {
  const facts = factsOf(eventsIn(all, scope, asked, now)).filter(
    (one) =>
      isOfCatalog(one.catalog, scope) &&
      isAsked(asked.channel, one.channel) &&
      isAsked(asked.agent, one.agent) &&
      isAsked(asked.method, one.method),
  )
  const parts = (key: (fact: Fact) => string) =>
    [...Map.groupBy(facts, key)]
      .map(([name, of]) => ({ name, of, figures: figuresOf(of) }))
      .sort(
        (a, b) =>
          b.figures.shown + b.figures.products_shown - a.figures.shown - a.figures.products_shown ||
          b.figures.clicks - a.figures.clicks ||
          (a.name < b.name ? -1 : 1),
      )
  const ofProduct = ({ products_shown: shown, clicks, added_to_cart, orders }: ReturnType<typeof figuresOf>) => ({
    ...{ shown, clicks, click_through: share(clicks, shown), added_to_cart, orders },
  })
  const ahead = asked.zone === null ? 0 : 330 * 60_000
  const dayOf = (ms: number) => new Date(ms + ahead).toISOString().slice(0, 10)
  const days = Array.from({ length: asked.days }, (_, i) => dayOf(now.getTime() - (asked.days - 1 - i) * 86_400_000))
  return {
    totals: figuresOf(facts),
    methods: parts(({ method }) => method)
      .slice(0, asked.limit)
      .map(({ name, figures }) => ({ method: name || null, ...figures })),
    channels: parts(({ channel, agent }) => `${channel}\n${agent}`)
      .slice(0, asked.limit)
      .map(({ name, figures }) => ({
        channel: name.split('\n')[0] || null,
        agent: name.split('\n')[1] || null,
        ...figures,
      })),
    products: parts(({ product }) => product)
      .filter(({ name }) => name !== '')
      .slice(0, asked.limit)
      .map(({ name, figures }) => ({ product_id: name, ...ofProduct(figures), mean_position: figures.mean_position })),
    positions: parts(({ place }) => String(Math.min(place, 101)))
      .map(({ name, of }) => ({ position: Number(name), of: of.filter(({ kind }) => kind !== 'list') }))
      .filter(({ of }) => of.length > 0)
      .sort((a, b) => (a.position || 999) - (b.position || 999))
      .map(({ position, of }) => ({ position: position || null, ...ofProduct(figuresOf(of)) })),
    days: days.map((day) => {
      const { shown, clicks, added_to_cart, orders } = figuresOf(facts.filter(({ atMs }) => dayOf(atMs) === day))
      return { day, shown, clicks, added_to_cart, orders }
    }),
  }
}

function factsOf(events: readonly AgentEvent[]): Fact[] {
  const nowhere = { product: '', place: 0, event: '', clicked: false }
  const lists = events
    .filter((event) => event.type === 'recommendation_shown' && productsOf(event).length > 0)
    .map((event) => {
      const fact: Fact = { ...nowhere, ...saidBy(event), kind: 'list', atMs: msOf(event) }
      const products = productsOf(event)
      const given = (event.metadata?.positions ?? '').split(',').map(Number)
      const isGiven = given.length === products.length && given.every((place) => place > 0)
      return { id: listOf(event), fact, products, places: isGiven ? given : products.map((_, i) => i + 1) }
    })
  const shownBy = (id: string, product: string) => {
    const own = lists.filter((one) => one.id === id)
    return own.find(({ products }) => products.includes(product)) ?? own[0]
  }

  const clicks = new Map<
    string,
    { fact: Fact; list: string; session: string | undefined; customer: string | undefined; place: number | null }
  >()
  for (const event of events.filter(({ type, product }) => type === 'recommendation_click' && product)) {
    const [list, product] = [listOf(event), event.product ?? '']
    const known = shownBy(list, product)
    if (known) known.fact.clicked = true
    const key = `${list}\n${product}`
    const former = clicks.get(key)
    const { catalog, method, channel, agent } = known?.fact ?? saidBy(event)
    const fact: Fact = { ...nowhere, catalog, method, channel, agent, kind: 'click', atMs: msOf(event), product }
    clicks.set(key, {
      ...(former ?? { fact, list, session: event.session, customer: event.customer }),
      place: former?.place ?? placeSaid(event),
    })
  }
  const opened = [...clicks.values()].map(({ fact, place, ...one }) => {
    const by = shownBy(one.list, fact.product)
    const shown = by?.places[by.products.indexOf(fact.product)] ?? 0
    return { ...one, fact: { ...fact, place: place ?? shown } }
  })

  const bought = events
    .filter(({ type }) => type === 'add_to_cart' || type === 'order')
    .flatMap((event) =>
      productsOf(event).flatMap((product): Fact[] => {
        const by = (['list', 'session', 'customer'] as const).flatMap((actor) => {
          const name = actor === 'list' ? event.metadata?.recommendation_id : event[actor]
          const last = opened
            .filter(
              ({ fact, ...one }) => name && one[actor] === name && fact.product === product && fact.atMs <= msOf(event),
            )
            .sort((a, b) => b.fact.atMs - a.fact.atMs)[0]
          return last && msOf(event) <= last.fact.atMs + 86_400_000 ? [last.fact] : []
        })
        const [fact] = by.sort((a, b) => b.atMs - a.atMs)
        return fact ? [{ ...fact, kind: event.type as 'order', atMs: msOf(event), event: event.id }] : []
      }),
    )
  return [
    ...lists.flatMap(({ fact, products, places }) => [
      fact,
      ...products.map((product, i): Fact => ({ ...fact, kind: 'product', product, place: places[i] ?? 0 })),
    ]),
    ...opened.map(({ fact }) => fact),
    ...bought,
  ]
}

function figuresOf(facts: readonly Fact[]) {
  const of = (kind: Fact['kind']) => facts.filter((one) => one.kind === kind)
  const lists = of('list')
  const clicked = lists.filter((one) => one.clicked).length
  const places = of('click').flatMap(({ place }) => (place > 0 ? [place] : []))
  return {
    ...{ shown: lists.length, clicked, click_through: share(clicked, lists.length) },
    ...{ products_shown: of('product').length, clicks: of('click').length },
    mean_position: share(
      places.reduce((sum, one) => sum + one, 0),
      places.length,
    ),
    added_to_cart: new Set(of('add_to_cart').map(({ event }) => event)).size,
    orders: new Set(of('order').map(({ event }) => event)).size,
  }
}
