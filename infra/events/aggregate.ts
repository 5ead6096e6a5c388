/** A question of a dashboard as one statement: what a caller names is chosen from data or bound, never written into it. */
import { type AggregationParams, idFields, metadataKeyOf } from '../../schemas/aggregation.ts'
import { aheadMs } from '../../schemas/event.ts'
import { type Passed, upToBound, upToSql } from './place.ts'
import type { Answer, Bound, EventStore, Limits } from './port.ts'

export interface Scope {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string | null
  /** What the log had been passed by; left out: all that is there when the question is answered. */
  readonly upTo?: readonly Passed[]
}

export interface AggregateRow {
  readonly key: string | null
  readonly value: number
  readonly secondary?: number
}

const dayMs = 86_400_000
/** A question that needs more is one for the export. */
const limits: Limits = { seconds: 10, memoryBytes: 2 * 1024 ** 3 }

const keys: Readonly<Record<string, string>> = {
  none: 'null',
  event_type: 'type',
  session: "nullIf(session_id, '')",
  product_id: "nullIf(product_id, '')",
  day: "formatDateTime(time, '%Y-%m-%d', 'UTC')",
  hour: "formatDateTime(time, '%Y-%m-%dT%H:00:00Z', 'UTC')",
}
const metadataOf = 'if(mapContains(metadata, {key:String}), metadata[{key:String}], null)'
const isTime = new Set(['day', 'hour'])
const texts: ReadonlySet<string> = new Set(idFields)

/** Whole days of UTC: the keys of days are the same ones, whatever zone a server is in (KF-54). */
export const windowOf = (days: number, now: Date): { readonly from: Date; readonly to: Date } => ({
  from: new Date(Math.floor(now.getTime() / dayMs) * dayMs - (days - 1) * dayMs),
  // Clocks of callers may be ahead so far.
  to: new Date(now.getTime() + aheadMs),
})

/** Sums of nothing are 0; averages of nothing are no rows (KF-53). */
function statementOf(params: AggregationParams, scope: Scope, now: Date): { sql: string; bound: Bound } {
  const { event_types, group_by, aggregation, value_field = '', time_window_days, limit } = params
  const key = metadataKeyOf(group_by)
  const { from, to } = windowOf(time_window_days, now)
  const field = texts.has(value_field) ? 'cast(null as Nullable(Decimal(38, 9)))' : value_field
  const value = {
    count: 'count()',
    count_distinct: "uniqExactIf(session_id, session_id != '')",
    sum: `ifNull(sum(${field}), 0)`,
    avg: `avg(${field})`,
  }[aggregation]
  const amounts = aggregation === 'sum' || aggregation === 'avg'
  // The rarest answer of many groups is never asked for; of days the latest are.
  const order = isTime.has(group_by) ? 'key desc' : 'value desc, key asc'
  const sql = [
    `select ${key === null ? keys[group_by] : metadataOf} as key, ${value} as value${amounts ? ', count() as secondary' : ''}`,
    'from events final',
    "where workspace = {workspace:String} and brand = {brand:UUID} and time >= {from:DateTime64(3, 'UTC')} and time < {to:DateTime64(3, 'UTC')}",
    ...(scope.catalog === null ? [] : ['and catalog = {catalog:UUID}']),
    ...(scope.upTo ? [`and ${upToSql}`] : []),
    ...(event_types?.length ? ['and type in {types:Array(String)}'] : []),
    'group by key',
    ...(aggregation === 'avg' ? [`having count(${field}) > 0`] : []),
    `order by ${order} limit {limit:UInt32}`,
  ].join('\n')
  const bound: Bound = {
    workspace: scope.workspace,
    brand: scope.brand,
    from: clock(from),
    to: clock(to),
    limit,
    ...(scope.catalog !== null && { catalog: scope.catalog }),
    ...(scope.upTo && upToBound(scope.upTo)),
    ...(event_types?.length && { types: [...new Set(event_types)].sort() }),
    ...(key !== null && { key }),
  }
  return { sql, bound }
}

export const clock = (at: Date) => at.toISOString().replace('T', ' ').replace('Z', '')

interface Stored {
  readonly key: string | null
  readonly value: string | number
  readonly secondary?: string | number
}

/** @throws TooMuch, EventsAway */
export async function aggregate(
  store: Pick<EventStore, 'ask'>,
  params: AggregationParams,
  scope: Scope,
  now: Date,
): Promise<Answer<AggregateRow>> {
  const { sql, bound } = statementOf(params, scope, now)
  const { rows, rowsRead } = await store.ask<Stored>(sql, bound, limits)
  const told = rows.map(({ key, value, secondary }) => ({
    key,
    value: Number(value),
    ...(secondary !== undefined && { secondary: Number(secondary) }),
  }))
  if (told.length === 0 && params.group_by === 'none' && params.aggregation !== 'avg')
    return { rows: [{ key: null, value: 0 }], rowsRead }
  return { rows: isTime.has(params.group_by) ? told.reverse() : told, rowsRead }
}

/** When the newest event of a brand happened. */
export async function newestEvent(
  store: Pick<EventStore, 'ask'>,
  { workspace, brand, upTo }: Scope,
): Promise<Date | null> {
  const sql = `select toUnixTimestamp64Milli(time) as ms from events
    where workspace = {workspace:String} and brand = {brand:UUID} ${upTo ? `and ${upToSql}` : ''} order by time desc limit 1`
  const { rows } = await store.ask<{ ms: string }>(sql, { workspace, brand, ...(upTo && upToBound(upTo)) }, limits)
  return rows[0] ? new Date(Number(rows[0].ms)) : null
}
