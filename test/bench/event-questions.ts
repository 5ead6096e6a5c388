/** The twelve questions of a dashboard, as Assay is asked them and as somebody would write them for the store itself, duplicates removed. */

export interface Question {
  readonly name: string
  readonly params: Readonly<Record<string, unknown>>
  /** Of the rows that are counted; `{days}` and `{limit}` stand for what is asked. */
  readonly select: string
  readonly where?: string
  readonly order: string
}

const largest = 'order by v desc, k limit {limit}'
const latest = 'order by k desc limit {limit}'

export const questions: readonly Question[] = [
  {
    name: 'events, a week',
    params: { group_by: 'none', aggregation: 'count', time_window_days: 7 },
    select: 'null as k, count() as v',
    order: largest,
  },
  {
    name: 'orders, a month',
    params: { group_by: 'none', aggregation: 'count', time_window_days: 30, event_types: ['order'] },
    select: 'null as k, count() as v',
    where: "type = 'order'",
    order: largest,
  },
  {
    name: 'sessions, a month',
    params: { group_by: 'none', aggregation: 'count_distinct', time_window_days: 30 },
    select: "null as k, uniqExactIf(session_id, session_id != '') as v",
    order: largest,
  },
  {
    name: 'by type, a month',
    params: { group_by: 'event_type', aggregation: 'count', time_window_days: 30 },
    select: 'type as k, count() as v',
    order: largest,
  },
  {
    name: 'by day, a month',
    params: { group_by: 'day', aggregation: 'count', time_window_days: 30 },
    select: "formatDateTime(time, '%Y-%m-%d', 'UTC') as k, count() as v",
    order: latest,
  },
  {
    name: 'by hour, a week',
    params: { group_by: 'hour', aggregation: 'count', time_window_days: 7 },
    select: "formatDateTime(time, '%Y-%m-%dT%H:00:00Z', 'UTC') as k, count() as v",
    order: latest,
  },
  {
    name: 'revenue by day, a quarter',
    params: {
      group_by: 'day',
      aggregation: 'sum',
      value_field: 'amount',
      time_window_days: 90,
      event_types: ['order'],
    },
    select: "formatDateTime(time, '%Y-%m-%d', 'UTC') as k, sum(amount) as v, count() as n",
    where: "type = 'order'",
    order: latest,
  },
  {
    name: 'average order, a month',
    params: {
      group_by: 'none',
      aggregation: 'avg',
      value_field: 'amount',
      time_window_days: 30,
      event_types: ['order'],
    },
    select: 'null as k, avg(amount) as v, count() as n',
    where: "type = 'order'",
    order: largest,
  },
  {
    name: 'top products, a month',
    params: { group_by: 'product_id', aggregation: 'count', time_window_days: 30 },
    select: "nullIf(product_id, '') as k, count() as v",
    order: largest,
  },
  {
    name: 'revenue by product, a quarter',
    params: {
      group_by: 'product_id',
      aggregation: 'sum',
      value_field: 'amount',
      time_window_days: 90,
      event_types: ['order'],
    },
    select: "nullIf(product_id, '') as k, sum(amount) as v, count() as n",
    where: "type = 'order'",
    order: largest,
  },
  {
    name: 'by material, a month',
    params: { group_by: 'metadata.material', aggregation: 'count', time_window_days: 30 },
    select: "if(mapContains(metadata, 'material'), metadata['material'], null) as k, count() as v",
    order: largest,
  },
  {
    name: 'queries, a quarter',
    params: { group_by: 'metadata.query', aggregation: 'count', time_window_days: 90, event_types: ['search'] },
    select: "if(mapContains(metadata, 'query'), metadata['query'], null) as k, count() as v",
    where: "type = 'search'",
    order: largest,
  },
]

export function bareSql(
  { select, where, order, params }: Question,
  workspace: string,
  brand: string,
  limit: number,
): string {
  const from = new Date(
    Math.floor(Date.now() / 86_400_000) * 86_400_000 - (Number(params.time_window_days) - 1) * 86_400_000,
  )
  return `select ${select} from events final
    where workspace = '${workspace}' and brand = '${brand}' and time >= toDateTime64('${from.toISOString().slice(0, 19).replace('T', ' ')}', 3, 'UTC') and time < now64() + 300
    ${where ? `and ${where}` : ''} group by k ${order.replace('{limit}', String(limit))} settings do_not_merge_across_partitions_select_final = 1`
}
