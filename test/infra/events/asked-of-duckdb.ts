/** The same question asked of DuckDB, in its own words and with its own time zones: what both engines say is right. */
import type { Scratch } from '../../../ingest/scratch.ts'
import type { EventFilter } from '../../../schemas/event-filter.ts'
import type { Asked } from './some-events.ts'

/** The columns of `events` as DuckDB reads the rows of the event store. */
export const duckdbColumns = `{workspace: 'varchar', brand: 'varchar', time: 'timestamp', id: 'varchar', type: 'varchar', catalog: 'varchar',
  product_id: 'varchar', session_id: 'varchar', currency: 'varchar', value: 'decimal(38, 9)', amount: 'decimal(38, 9)',
  quantity: 'decimal(38, 9)', metadata: 'map(varchar, varchar)'}`

const keys: Readonly<Record<string, string>> = {
  none: 'null::varchar',
  event_type: 'type',
  session: "nullif(session_id, '')",
  product_id: "nullif(product_id, '')",
  'metadata.material': "metadata['material']",
  'metadata.rare': "metadata['rare']",
  'metadata.absent': "metadata['absent']",
}
const amounts = ['value', 'amount', 'quantity']
const signs = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const

const quoted = (text: unknown) => `'${String(text).replaceAll("'", "''")}'`
const decimal = (value: unknown) => `${quoted(value)}::decimal(38, 9)`

function holds({ field, equals, in: among, exists, ...ranges }: EventFilter): string[] {
  const isAmount = amounts.includes(field)
  const isMetadata = field.startsWith('metadata.')
  const column = isMetadata ? `metadata['${field.slice(9)}']` : isAmount ? field : `nullif(${field}, '')`
  const literal = isAmount ? decimal : quoted
  return [
    ...(equals === undefined ? [] : [`${column} = ${literal(equals)}`]),
    ...(among ? [`${column} in (${among.map(literal).join()})`] : []),
    ...(exists === undefined ? [] : [`${column} is ${exists ? 'not ' : ''}null`]),
    ...Object.entries(signs).flatMap(([name, sign]) => {
      const value = ranges[name as keyof typeof signs]
      return value === undefined ? [] : [`${column} ${sign} ${decimal(value)}`]
    }),
  ]
}

export async function askedOfDuckdb(scratch: Scratch, { params, scope }: Asked, now: Date): Promise<unknown[]> {
  const { event_types, group_by, aggregation, value_field, time_window_days: days, time_zone: zone = 'UTC' } = params
  const { filters = [], compare, step, limit } = params
  const field = value_field && amounts.includes(value_field) ? value_field : 'null::decimal(38, 9)'
  const value = {
    count: 'count(*)',
    count_distinct: "count(distinct nullif(session_id, ''))",
    sum: `sum(${field})`,
    avg: `avg(${field})`,
  }[aggregation]
  const shown = (time: string) => `timezone('${zone}', timezone('UTC', ${time}))`
  const nowSql = `timestamp '${now.toISOString().replace('Z', '')}'`
  const isTime = group_by === 'day' || group_by === 'hour'
  const offset = (time: string) => `date_diff('minute', ${time}, ${shown(time)})`
  const keyAt = (time: string, local: string) =>
    group_by === 'day'
      ? `strftime(${local}, '%Y-%m-%d')`
      : `strftime(${local}, '%Y-%m-%dT%H:00:00') || ${zone === 'UTC' ? "'Z'" : `printf('%s%02d:%02d', if(${offset(time)} < 0, '-', '+'), abs(${offset(time)}) // 60, abs(${offset(time)}) % 60)`}`
  const where = [
    `workspace = '${scope.workspace}' and brand = '${scope.brand}'`,
    ...(scope.catalog ? [`catalog = '${scope.catalog}'`] : []),
    ...(event_types?.length ? [`type in (${event_types.map(quoted).join()})`] : []),
    ...filters.flatMap(holds),
  ].join(' and ')
  const earlier = isTime ? keyAt('time', `local + interval '${days} days'`) : keys[group_by]
  const sql = `
    with seen as (select *, ${shown('time')} as local, ${shown(nowSql)} as here from events where ${where}),
    placed as (select *, local >= here::date - ${days - 1} as own,
      local >= here::date - ${2 * days - 1} and local < here - interval '${days} days' and local < here::date - ${days - 1} as before from seen),
    owned as (select ${isTime ? keyAt('time', 'local') : keys[group_by]} as key, ${value} as value, count(*) as n from placed where own group by all),
    earlier as (select ${earlier} as key, ${value} as value, count(*) as n from placed where before group by all),
    steps as (select distinct ${isTime ? keyAt('t', shown('t')) : 'null'} as key from (
      select unnest(generate_series(time_bucket(interval '15 minutes', ${nowSql}) - interval '${days + 1} days', ${nowSql}, interval '15 minutes')) as t)
      where ${shown('t')} >= ${shown(nowSql)}::date - ${days - 1})
    select 'own', key, value::double, n::integer from owned
    ${compare ? "union all select 'earlier', key, value::double, n::integer from earlier" : ''}
    ${step ? "union all select 'step', key, null, 0 from steps" : ''}`
  const found = { own: new Map<unknown, Found>(), earlier: new Map<unknown, Found>(), step: new Map<unknown, Found>() }
  for await (const page of scratch.stream<string | number | null>(sql))
    for (const [kind, key, one, n] of page) found[kind as keyof typeof found].set(key, { value: one, n } as Found)
  const nothing = aggregation === 'avg' ? null : 0
  const rows: unknown[] = []
  for (const key of new Set(Object.values(found).flatMap((one) => [...one.keys()]))) {
    const own = found.own.get(key)
    const amount = own?.value ?? nothing
    if (amount === null) continue
    const previous = found.earlier.get(key)?.value ?? nothing
    const change = previous ? (amount - previous) / previous : null
    rows.push({
      key,
      value: amount,
      ...((aggregation === 'sum' || aggregation === 'avg') && { secondary: own?.n ?? 0 }),
      ...(compare && { previous, change }),
    })
  }
  if (rows.length === 0 && group_by === 'none' && aggregation !== 'avg')
    rows.push({ key: null, value: 0, ...(compare && { previous: 0, change: null }) })
  if (rows.length > limit) throw new Error('more groups than are told: which these are is for a test of its own')
  return comparable(rows)
}

interface Found {
  readonly value: number | null
  readonly n: number
}

/** In one order, and averages, which are doubles of two engines, without their last digits. */
export function comparable(rows: readonly unknown[]): unknown[] {
  const rounded = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row as object).map(([name, one]) => [
        name,
        typeof one === 'number' ? Number(one.toPrecision(9)) : one,
      ]),
    ),
  )
  return rounded.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}
