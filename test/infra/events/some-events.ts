/** Events and questions about them as chance has it: late ones, odd texts, the very edges of days, and all that a question may ask. */
import { randomUUID } from 'node:crypto'
import { type AggregationParams, aggregationParams } from '../../../schemas/aggregation.ts'
import type { AgentEvent } from '../../../schemas/event.ts'
import { mulberry32 } from '../../faults/mulberry.ts'

export interface Asked {
  readonly params: AggregationParams
  readonly scope: { readonly workspace: string; readonly brand: string; readonly catalog: string | null }
}

const dayMs = 86_400_000
const workspaces = ['ws_one', 'ws_two']
const odd = ['oak', 'Ä ß', "it's", 'tab\there', '', '"quoted"', '🧦', "x'; drop table events; --", '\\', '{key:String}']
const products = ['MUG-1', 'POT-1', 'Ü-9', "x'; drop"]
/** Behind UTC and ahead of it, with half hours, a summer that begins at midnight, one of half an hour, and none. */
const zones = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Kiritimati'],
  ...['America/Havana', 'Africa/Cairo', 'America/St_Johns'],
]

const groups = [
  ...['none', 'event_type', 'session', 'product_id', 'day', 'hour'],
  ...['metadata.material', 'metadata.rare', 'metadata.absent'],
]

export function chance(seed: number, now: Date) {
  const random = mulberry32(seed)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const maybe = <T extends object>(share: number, value: () => T): T | object => (random() < share ? value() : {})
  const brands = [randomUUID(), randomUUID()]
  const catalogs = [randomUUID(), randomUUID()]

  function event(): AgentEvent {
    // Late ones among them, and the very edges of days.
    const days = random() < 0.8 ? random() * 10 : random() * 380
    const exact = now.getTime() - days * dayMs
    const ms = random() < 0.05 ? Math.floor(exact / dayMs) * dayMs - (random() < 0.5 ? 1 : 0) : Math.floor(exact)
    const time = new Date(ms).toISOString()
    return {
      ...{ v: 1, id: randomUUID(), type: pick(['order', 'search', 'tool_call', 'own_type']), time, received: time },
      ...{ workspace: pick(workspaces), brand: pick(brands) },
      ...maybe(0.5, () => ({ catalog: pick(catalogs) })),
      ...maybe(0.7, () => ({ product: pick(products) })),
      ...maybe(0.8, () => ({ session: `s${Math.floor(random() * 300)}` })),
      ...maybe(0.6, () => ({
        numbers: {
          amount: (random() * 1_000).toFixed(2),
          quantity: String(Math.floor(random() * 5)),
          value: pick(['-0.5', '0', '0.000000001', '999999999999999.999999999']),
        },
      })),
      ...maybe(0.7, () => ({ metadata: { material: pick(odd), ...maybe(0.2, () => ({ rare: '1' })) } })),
    }
  }

  const filter = () =>
    pick([
      () => ({ field: 'type', in: ['order', 'nothing_such'] }),
      () => ({ field: 'product_id', equals: pick(products) }),
      () => ({ field: 'product_id', exists: pick([true, false]) }),
      () => ({ field: 'session_id', exists: true, in: Array.from({ length: 90 }, (_, i) => `s${i}`) }),
      () => ({ field: 'currency', exists: false }),
      () => ({ field: 'amount', gte: '100.5', lt: 900 }),
      () => ({ field: 'amount', exists: pick([true, false]) }),
      () => ({ field: 'quantity', in: [1, '2.0', 3] }),
      () => ({ field: 'quantity', gt: 0, lte: '3' }),
      () => ({ field: 'value', equals: -0.5 }),
      () => ({ field: 'metadata.material', equals: pick(odd) }),
      () => ({ field: 'metadata.material', in: [pick(odd), pick(odd), 'never'] }),
      () => ({ field: 'metadata.rare', equals: 1 }),
      () => ({ field: 'metadata.rare', exists: pick([true, false]) }),
      () => ({ field: 'metadata.absent', exists: false }),
    ])()

  function question(): Asked {
    const group_by = pick(groups)
    const isTime = group_by === 'day' || group_by === 'hour'
    const compares = random() < 0.4
    const days = pick(group_by === 'hour' ? [1, 2, 7, 30] : [1, 2, 7, 30, 180, 365])
    const params = aggregationParams.parse({
      event_types: pick([null, [], ['order'], ['order', 'search', 'nothing_such']]),
      group_by,
      aggregation: pick(['count', 'count_distinct', 'sum', 'avg']),
      value_field: pick(['amount', 'quantity', 'value', 'price', 'session_id']),
      time_window_days: days,
      limit: 1_000,
      ...maybe(0.5, () => ({ filters: Array.from({ length: 1 + Math.floor(random() * 2) }, filter) })),
      // An hour that a clock shows twice, or not at all, compared with another day is for a test of its own.
      ...(!(compares && group_by === 'hour') && maybe(0.5, () => ({ time_zone: pick(zones) }))),
      ...(compares && { compare: 'previous_period' }),
      ...(isTime && maybe(0.5, () => ({ step: 'fill' }))),
    })
    return { params, scope: { workspace: pick(workspaces), brand: pick(brands), catalog: pick([null, ...catalogs]) } }
  }

  return { event, question, random, brands }
}
