/** A question of a dashboard as one statement: what a caller names is chosen from data or bound, never written into it. */
import { type AggregationParams, idFields, isTimeGroup } from '../../schemas/aggregation.ts'
import { metadataKeyOf } from '../../schemas/event-filter.ts'
import { storeTime } from '../../schemas/event-row.ts'
import type { Scope } from './aggregate.ts'
import { conditionsOf } from './filter-sql.ts'
import { type Clock, dayMs, isUtc, offsetText, skippedIn } from './local-time.ts'
import { upToBound, upToSql } from './place.ts'
import type { Bound } from './port.ts'
import type { Windows } from './windows.ts'

export interface Statement {
  readonly sql: string
  readonly bound: Bound
}

const texts: ReadonlySet<string> = new Set(idFields)
const keys: Readonly<Record<string, string>> = {
  none: 'null',
  event_type: 'type',
  session: "nullIf(session_id, '')",
  product_id: "nullIf(product_id, '')",
}
const metadataKey = 'if(mapContains(metadata, {key:String}), metadata[{key:String}], null)'
const moment = (name: string) => `{${name}:DateTime64(3, 'UTC')}`

export function statementOf(params: AggregationParams, scope: Scope, windows: Windows): Statement {
  const { event_types, group_by, limit, filters = [] } = params
  const { asked, previous } = windows
  const metadata = metadataKeyOf(group_by)
  const { where, bound } = conditionsOf(filters)
  const key = isTimeGroup(group_by)
    ? timeKey(group_by, windows, params.time_window_days)
    : { sql: metadata === null ? (keys[group_by] ?? 'null') : metadataKey, bound: {} }
  const sql = [
    ...answersOf(params, key.sql, previous !== null),
    'from events final',
    `where workspace = {workspace:String} and brand = {brand:UUID} and time < ${moment('to')}`,
    previous === null
      ? `and time >= ${moment('from')}`
      : `and time >= ${moment('previousFrom')} and (time < ${moment('previousTo')} or time >= ${moment('from')})`,
    ...(scope.catalog === null ? [] : ['and catalog = {catalog:UUID}']),
    ...(scope.upTo ? [`and ${upToSql}`] : []),
    ...(event_types?.length ? ['and type in {types:Array(String)}'] : []),
    ...where.map((one) => `and ${one}`),
    ...groupsOf(params, windows),
  ].join('\n')
  return {
    sql,
    bound: {
      workspace: scope.workspace,
      brand: scope.brand,
      from: storeTime(asked.from),
      to: storeTime(asked.to),
      limit,
      ...(previous && { previousFrom: storeTime(previous.from), previousTo: storeTime(previous.to) }),
      ...(scope.catalog !== null && { catalog: scope.catalog }),
      ...(scope.upTo && upToBound(scope.upTo)),
      ...(event_types?.length && { types: [...new Set(event_types)].sort() }),
      ...(metadata !== null && { key: metadata }),
      ...key.bound,
      ...bound,
    },
  }
}

/** Names of columns are none of these: an alias would stand for the column in what follows. */
function answersOf(params: AggregationParams, key: string, compares: boolean): string[] {
  const amounts = params.aggregation === 'sum' || params.aggregation === 'avg'
  // Times of two windows are different groups; of others each has both values, so that the largest of both are told.
  const both = compares && !isTimeGroup(params.group_by)
  return [
    `select ${key} as key, ${answerOf(params, both ? isAsked : null)} as answer`,
    ...(amounts ? [`, ${both ? `countIf(${isAsked})` : 'count()'} as n`] : []),
    ...(both ? [`, ${answerOf(params, `not ${isAsked}`)} as previous`] : []),
    ...(compares && !both ? [`, ${isAsked} as asked`] : []),
  ]
}

const isAsked = `(time >= ${moment('from')})`

function groupsOf(params: AggregationParams, { previous }: Windows): string[] {
  const { aggregation, group_by, time_zone } = params
  const compares = previous !== null
  const [isTime, average] = [isTimeGroup(group_by), aggregation === 'avg']
  const counted = compares && !isTime ? `countIf(${fieldOf(params)}, ${isAsked})` : `count(${fieldOf(params)})`
  return [
    `group by key${compares && isTime ? ', asked' : ''}`,
    ...(average ? [`having ${counted} > 0`] : []),
    // The rarest answer of many groups is never asked for; of days the latest are.
    ...(isTime
      ? [
          // In autumn the later of two hours that a clock shows alike has the smaller offset.
          `order by ${time_zone === undefined ? 'key' : 'max(time)'} desc limit {limit:UInt32}${compares ? ' by asked' : ''}`,
        ]
      : [`order by answer desc, ${compares ? 'previous desc, ' : ''}key asc limit {limit:UInt32}`]),
  ]
}

const fieldOf = ({ value_field }: AggregationParams): string =>
  value_field === undefined || texts.has(value_field) ? 'cast(null as Nullable(Decimal(38, 9)))' : value_field

/** Sums of nothing are 0; averages of nothing are no rows (KF-53). @param only null: of all events */
function answerOf(params: AggregationParams, only: string | null): string {
  const field = fieldOf(params)
  const [suffix, more] = only === null ? ['', ''] : ['If', `, ${only}`]
  return {
    count: only === null ? 'count()' : `countIf(${only})`,
    count_distinct: `uniqExactIf(session_id, session_id != ''${only === null ? '' : ` and ${only}`})`,
    sum: `ifNull(sum${suffix}(${field}${more}), 0)`,
    avg: `avg${suffix}(${field}${more})`,
  }[params.aggregation]
}

export function timeKey(group: 'day' | 'hour', { clock, zone, asked, previous }: Windows, days: number): Statement {
  const [day, hour] = ["'%Y-%m-%d'", "'%Y-%m-%dT%H:00:00'"]
  if (isUtc(zone))
    return { sql: `formatDateTime(time, ${group === 'day' ? day : "'%Y-%m-%dT%H:00:00Z'"}, 'UTC')`, bound: {} }
  const minutes = byOffset(clock, 'm', 'Int32', (one) => one)
  const shown = `time + toIntervalMinute(${minutes.sql})`
  if (group === 'day') return { sql: `formatDateTime(${shown}, ${day}, 'UTC')`, bound: minutes.bound }
  const suffix = byOffset(clock, 'z', 'String', (one) => offsetText(zone, one))
  const own = `concat(formatDateTime(${shown}, ${hour}, 'UTC'), ${suffix.sql})`
  if (previous === null) return { sql: own, bound: { ...minutes.bound, ...suffix.bound } }
  const before = withoutSkipped(shown, skippedIn(clock, asked), days)
  return {
    sql: `if(${isAsked}, ${own}, formatDateTime(${before.sql}, ${hour}, 'UTC'))`,
    bound: { ...minutes.bound, ...suffix.bound, ...before.bound },
  }
}

/**
 * Hours before are named as the clock shows them: two that it shows alike are told together, and those to which the days that
 * are asked about have none, for it was put forward there, with the one behind them.
 */
function withoutSkipped(shown: string, skipped: ReturnType<typeof skippedIn>, days: number): Statement {
  const bound: Record<string, string> = {}
  const cases = skipped.map(({ fromMs, toMs }, i) => {
    bound[`s${i}`] = storeTime(fromMs - days * dayMs)
    bound[`e${i}`] = storeTime(toMs - days * dayMs)
    return `${shown} >= ${moment(`s${i}`)} and ${shown} < ${moment(`e${i}`)}, ${moment(`e${i}`)}`
  })
  return { sql: cases.length === 0 ? shown : `multiIf(${cases.join(', ')}, ${shown})`, bound }
}

/** A value for each offset of a clock, the latest that has begun. */
function byOffset(clock: Clock, name: string, type: string, told: (minutes: number) => string | number): Statement {
  const bound: Record<string, string | number> = {}
  const branches = clock.map(({ fromMs, minutes }, i) => {
    bound[`${name}${i}`] = told(minutes)
    if (i > 0) bound[`c${i}`] = storeTime(fromMs)
    return { since: moment(`c${i}`), value: `{${name}${i}:${type}}` }
  })
  const [first, ...later] = branches
  const otherwise = first?.value ?? ''
  if (later.length === 0) return { sql: otherwise, bound }
  const cases = later.toReversed().map(({ since, value }) => `time >= ${since}, ${value}`)
  return { sql: `multiIf(${cases.join(', ')}, ${otherwise})`, bound }
}
