/** Searches, what is opened after them, recommendations and purchases, as chance has them: a walk in time, so that sessions go on and end. */
import { randomUUID } from 'node:crypto'
import type { AskedRecommendations } from '../../../infra/events/recommendation-sql.ts'
import type { AskedSearches } from '../../../infra/events/search-sql.ts'
import type { AgentEvent } from '../../../schemas/event.ts'
import { mulberry32 } from '../../faults/mulberry.ts'
import type { Asked } from './search-fold.ts'

const typed = [
  'mug',
  'Mug',
  ' MÜG ',
  'mug',
  'oak  table',
  'Oak Table',
  'łódka',
  'lodka',
  '',
  '自転車',
  "x'; drop table events; --",
  '{key:String}',
]
const channels = ['search', 'anonymous_search', 'tools', '', "it's"]
const agents = ['OpenAI', 'Perplexity', undefined]
const products = ['P1', 'P2', 'P3', 'P4', 'P5']
const methods = ['similar', 'trending', '']

export function someSearches(seed: number, now: Date) {
  const random = mulberry32(seed)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const maybe = <T extends object>(share: number, value: () => T): T | object => (random() < share ? value() : {})
  const brands = [randomUUID(), randomUUID()] as const
  const catalogs = [randomUUID(), randomUUID()] as const
  const some = () => products.filter(() => random() < 0.5).sort(() => random() - 0.5)
  const past: AgentEvent[] = []
  const one = (type: string) => pick([...past.filter((event) => event.type === type).slice(-6), undefined])

  const kinds: Record<string, () => Partial<AgentEvent>> = {
    search() {
      const found = some()
      const metadata: Record<string, string> = {
        ...(random() < 0.9 && { query: pick(typed) }),
        ...(random() < 0.9 && { channel: pick(channels) }),
        ...(random() < 0.9 && { results: String(found.length === 0 ? 0 : found.length * 7) }),
        ...(random() < 0.3 && { filter_material: pick(['oak', 'ash', 'Ä']), filter_: 'x' }),
        ...(random() < 0.2 && { filter_brand: pick(['Kelo', 'Orle']) }),
      }
      return { type: found.length === 0 ? pick(['search_zero_hit', 'search']) : 'search', products: found, metadata }
    },
    later() {
      const first = one('search')
      const metadata = { page: 'later', offset: '20', query: 'mug', results: '33', search_id: first?.id ?? 'none' }
      return { type: 'search', products: some(), metadata, ...(first?.session && { session: first.session }) }
    },
    view() {
      const first = one('search')
      const id = random() < 0.5 ? first?.id : pick([undefined, 'no id', first?.id.toUpperCase()])
      return {
        type: 'product_view',
        product: random() < 0.8 && first?.products?.length ? pick(first.products) : pick(products),
        ...(first?.session && random() < 0.8 && { session: first.session }),
        metadata: {
          ...(id && { search_id: id }),
          ...(random() < 0.5 && { position: pick(['1', '2', '250', '0', 'x', '-3']) }),
        },
      }
    },
    shown() {
      const products = some()
      return {
        type: 'recommendation_shown',
        products,
        metadata: {
          ...(random() < 0.9 && { recommendation_id: `r${Math.floor(random() * 40)}` }),
          ...{ method: pick(methods), channel: pick(channels) },
          ...(random() < 0.4 && { positions: pick([products.map((_, i) => i * 2 + 1).join(), '3', '1,x', '']) }),
        },
      }
    },
    click() {
      const list = one('recommendation_shown')
      const id = list?.metadata?.recommendation_id ?? pick(['', 'unknown'])
      return {
        type: 'recommendation_click',
        product: list?.products?.length ? pick(list.products) : pick(products),
        ...(list?.session && { session: list.session }),
        metadata: {
          ...(id && { recommendation_id: id }),
          method: 'said',
          ...(random() < 0.5 && { position: pick(['1', '4', 'x']) }),
        },
      }
    },
    bought() {
      const click = one('recommendation_click')
      return {
        type: pick(['add_to_cart', 'order']),
        products: some(),
        ...(click?.product && random() < 0.8 && { product: click.product }),
        ...(click?.session && random() < 0.6 && { session: click.session }),
        ...(click?.customer && random() < 0.6 && { customer: click.customer }),
        ...(random() < 0.2 && { metadata: { recommendation_id: click?.metadata?.recommendation_id ?? '' } }),
      }
    },
  }

  /** @returns in order of time, which is no two's */
  function events(count: number): AgentEvent[] {
    let at = now.getTime() - 6 * 86_400_000
    const step = (now.getTime() - at) / count
    for (let i = 0; i < count; i++) {
      at += 1 + Math.floor(random() ** 4 * step * 4.9)
      const time = new Date(at).toISOString()
      const session = { session: `s${Math.floor(at / 7_200_000)}.${Math.floor(random() * 2)}` }
      const agent = pick(agents)
      past.push({
        ...{ v: 1, id: randomUUID(), type: 'tool_call', time, received: time, workspace: 'ws_one' },
        brand: random() < 0.9 ? brands[0] : brands[1],
        ...maybe(0.5, () => ({ catalog: pick(catalogs) })),
        ...maybe(0.8, () => session),
        ...maybe(0.4, () => ({ customer: `c${Math.floor(random() * 5)}` })),
        ...(agent && { agent: { name: agent } }),
        ...(
          kinds[pick(['search', 'search', 'search', 'later', 'view', 'view', 'shown', 'click', 'bought'])] ??
          (() => ({}))
        )(),
      })
    }
    return past
  }

  const asked = () => ({
    days: pick([1, 3, 30]),
    zone: pick([null, 'Asia/Kolkata']),
    channel: pick([null, null, null, null, null, null, ...channels]),
    agent: pick([null, null, null, null, null, 'OpenAI', '']),
    limit: pick([2, 100]),
  })
  const scope = (): Asked['scope'] => ({
    workspace: 'ws_one',
    brand: pick([brands[0], brands[0], brands[0], brands[1]]),
    catalog: pick([null, null, ...catalogs]),
    isDefault: random() < 0.5,
  })
  const searches = (): AskedSearches => ({
    ...asked(),
    query: pick([null, null, null, null, null, 'mug', 'LODKA', 'never']),
  })
  const recommendations = (): AskedRecommendations => ({
    ...asked(),
    method: pick([null, null, 'similar', '', 'said']),
  })
  return { events, scope, searches, recommendations, brands }
}
