/** What came of recommendations in a time: shown, opened, put into a cart and ordered, by method, product, place, channel, agent and day. */
import { lastPosition } from '../../schemas/search-event.ts'
import { questionLimits } from './aggregate.ts'
import { timeKey } from './aggregate-sql.ts'
import { type AnalyticsScope, boundOf, windowOf } from './analytics-scope.ts'
import type { EventStore } from './port.ts'
import { type AskedRecommendations, factsSql } from './recommendation-sql.ts'
import { byPosition, shareOf } from './search-figures.ts'
import { stepsOf } from './steps.ts'

export interface RecommendationFigures {
  /** Lists with at least one product. */
  readonly shown: number
  /** Of these, lists of which something was opened. */
  readonly clicked: number
  /** `clicked` as a share of `shown`. */
  readonly click_through: number | null
  readonly products_shown: number
  /** Products that were opened; one that was opened again of the same list is one. */
  readonly clicks: number
  /** Of opened products whose place is known; 1 is the first. */
  readonly mean_position: number | null
  /** Events of products that had been opened. */
  readonly added_to_cart: number
  readonly orders: number
}

export interface ProductFigures extends Pick<RecommendationFigures, 'clicks' | 'added_to_cart' | 'orders'> {
  readonly shown: number
  readonly click_through: number | null
}

export interface RecommendationAnalytics {
  readonly totals: RecommendationFigures
  readonly methods: readonly (RecommendationFigures & { readonly method: string | null })[]
  readonly channels: readonly (RecommendationFigures & {
    readonly channel: string | null
    readonly agent: string | null
  })[]
  readonly products: readonly (ProductFigures & {
    readonly product_id: string
    readonly mean_position: number | null
  })[]
  /** null: opened at a place that nobody knows. */
  readonly positions: readonly (ProductFigures & { readonly position: number | null })[]
  readonly days: readonly (Pick<RecommendationFigures, 'shown' | 'clicks' | 'added_to_cart' | 'orders'> & {
    readonly day: string
  })[]
  readonly rowsRead: number
}

const figures = `countIf(kind = 'list') as lists, countIf(kind = 'list' and clicked) as clicked_lists,
  sumIf(n, kind = 'list') as products, sumIf(n, kind = 'product') as showings,
  countIf(kind = 'click') as clicks, sumIf(place, kind = 'click') as place_sum, countIf(kind = 'click' and place > 0) as place_n,
  uniqExactIf(event, kind = 'add_to_cart') as carts, uniqExactIf(event, kind = 'order') as orders`

/** By what facts are told. */
const sets = {
  ...{ whole: [], method: ['method'], channel: ['channel', 'agent'], day: ['day'] },
  ...{ product: ['product'], position: ['spot'] },
} as const
type SetName = keyof typeof sets

type Told = Readonly<
  Record<
    'lists' | 'clicked_lists' | 'products' | 'showings' | 'clicks' | 'place_sum' | 'place_n' | 'carts' | 'orders',
    string
  > &
    Record<'method' | 'channel' | 'agent' | 'product' | 'day', string> & { told_by: SetName; spot: number }
>

/** @throws TooMuch, EventsAway */
export async function recommendationAnalytics(
  store: Pick<EventStore, 'ask'>,
  asked: AskedRecommendations,
  scope: AnalyticsScope,
  now: Date,
  signal: AbortSignal,
): Promise<RecommendationAnalytics> {
  const windows = windowOf(asked, now)
  const day = timeKey('day', windows, asked.days)
  const bound = {
    ...boundOf(asked, scope, windows),
    ...day.bound,
    ...(asked.method !== null && { method: asked.method }),
  }
  const { rows, rowsRead } = await store.ask<Told>(setsSql(factsSql(asked, scope, day.sql)), bound, {
    ...questionLimits,
    signal,
  })
  const of = (name: SetName) => rows.filter(({ told_by }) => told_by === name)
  const byDay = new Map(of('day').map((row) => [row.day, row]))
  return {
    totals: toFigures(of('whole')[0]),
    methods: of('method').map((row) => ({ method: row.method || null, ...toFigures(row) })),
    channels: of('channel').map((row) => ({
      channel: row.channel || null,
      agent: row.agent || null,
      ...toFigures(row),
    })),
    products: of('product').map((row) => ({
      product_id: row.product,
      ...toProductFigures(row),
      mean_position: shareOf(Number(row.place_sum), Number(row.place_n)),
    })),
    positions: of('position')
      .map((row) => ({ position: Number(row.spot) || null, ...toProductFigures(row) }))
      .sort(byPosition),
    days: stepsOf('day', windows, asked.days)
      .filter(({ key, isAhead }) => !isAhead || byDay.has(key))
      .map(({ key }) => {
        const { shown, clicks, added_to_cart, orders } = toFigures(byDay.get(key))
        return { day: key, shown, clicks, added_to_cart, orders }
      }),
    rowsRead,
  }
}

/** Each set has its own first rows; of days and positions, which are few, all are told. */
function setsSql(facts: string): string {
  const names = Object.entries(sets)
  const grouped = names.map(([, columns]) => `(${columns.join(', ')})`).join(', ')
  const cases = names.flatMap(([name, [column]]) => (column ? [`grouping(${column}) = 0, '${name}'`] : []))
  return `
    select * from (
      select *, row_number() over (partition by told_by order by lists + showings desc, clicks desc, method, channel, agent, product) as rank
        from (select method, channel, agent, product, spot, day, multiIf(${cases.join(', ')}, 'whole') as told_by, ${figures}
                from (select *, if(place > ${lastPosition}, ${lastPosition + 1}, place) as spot from (${facts}))
               group by grouping sets (${grouped}))
       where not (told_by = 'product' and product = '') and not (told_by = 'position' and spot = 0 and clicks + carts + orders = 0))
     where told_by in ('day', 'position') or rank <= {limit:UInt32}
     order by told_by, rank`
}

function toFigures(row: Told | undefined): RecommendationFigures {
  const of = (name: Exclude<keyof Told, 'told_by'>) => Number(row?.[name] ?? 0)
  return {
    ...{ shown: of('lists'), clicked: of('clicked_lists'), click_through: shareOf(of('clicked_lists'), of('lists')) },
    ...{ products_shown: of('products'), clicks: of('clicks') },
    mean_position: shareOf(of('place_sum'), of('place_n')),
    ...{ added_to_cart: of('carts'), orders: of('orders') },
  }
}

function toProductFigures(row: Told): ProductFigures {
  const { clicks, added_to_cart, orders } = toFigures(row)
  const shown = Number(row.showings)
  return { shown, clicks, click_through: shareOf(clicks, shown), added_to_cart, orders }
}
