/** Asks the event store how far sessions or customers came along the steps of a funnel. */
import { metadataKeyOf } from '../../schemas/event-filter.ts'
import { storeTime } from '../../schemas/event-row.ts'
import type { FunnelParams, FunnelResult } from '../../schemas/funnel.ts'
import { questionLimits, type Scope } from './aggregate.ts'
import { conditionsOf } from './filter-sql.ts'
import { upToBound, upToSql } from './place.ts'
import type { Bound, EventStore } from './port.ts'
import { windowsOf } from './windows.ts'

const actors = { session: 'session_id', customer: 'customer_id' } as const

type Row = Readonly<Record<string, string | number | null>>
type Steps = FunnelResult['steps']

/**
 * A walk is one event for each step, none of them for two, in order of time; of events of the same millisecond any order counts.
 * @throws TooMuch, EventsAway
 */
export async function funnel(
  store: Pick<EventStore, 'ask'>,
  params: FunnelParams,
  scope: Scope,
  now: Date,
): Promise<{ readonly funnel: FunnelResult; readonly rowsRead: number }> {
  const bound = boundOf(params, scope, now)
  const ask = (sql: string) => store.ask<Row>(sql, bound, questionLimits)
  const whole = await ask(statementOf(params, scope, 'whole'))
  const steps = stepsOf(params, whole.rows[0] ?? {})
  if (params.break_down_by === null) return { rowsRead: whole.rowsRead, funnel: { steps, groups: null } }
  const parts = await ask(statementOf(params, scope, params.attribution))
  const groups = parts.rows.map((row) => ({
    key: row.key === null ? null : String(row.key),
    steps: stepsOf(params, row),
  }))
  return { rowsRead: whole.rowsRead + parts.rowsRead, funnel: { steps, groups } }
}

function statementOf(
  { steps, per, break_down_by }: FunnelParams,
  scope: Scope,
  by: FunnelParams['attribution'] | 'whole',
) {
  const fits = steps.map((step, i) =>
    // Of an event without an amount it is not known whether that is in a range: then it is not.
    [`type = {t${i}:String}`, ...filtersOf(step, i).where].map((one) => `ifNull(${one}, 0)`).join(' and '),
  )
  const value =
    break_down_by === 'product_id'
      ? "nullIf(product_id, '')"
      : 'if(mapContains(metadata, {key:String}), metadata[{key:String}], null)'
  const key = { whole: 'null', first_step: 'argMinIf(tuple(value), (time, id), fits[1]).1', every_step: 'value' }[by]
  // An event could else be counted for two steps; where none fits two, this costs memory for nothing.
  const once = new Set(steps.map(({ event_type }) => event_type)).size < steps.length ? ", 'strict_once'" : ''
  return [
    `select key, ${steps.map((_, i) => `countIf(level > ${i}) as n${i}`).join(', ')} from (`,
    `select ${key} as key, windowFunnel({within:UInt64}${once})(toUInt64(toUnixTimestamp64Milli(time)), ${steps.map((_, i) => `fits[${i + 1}]`).join(', ')}) as level`,
    `from (select time, id, ${actors[per]} as actor, ${by === 'whole' ? 'null' : value} as value, [${fits.join(', ')}] as fits`,
    'from events final',
    "where workspace = {workspace:String} and brand = {brand:UUID} and time >= {from:DateTime64(3, 'UTC')} and time < {to:DateTime64(3, 'UTC')}",
    ...(scope.catalog === null ? [] : ['and catalog = {catalog:UUID}']),
    ...(scope.upTo ? [`and ${upToSql}`] : []),
    "and type in {types:Array(String)} and actor != '')",
    `group by actor${by === 'every_step' ? ', value' : ''})`,
    'where level > 0 group by key order by n0 desc, key asc limit {limit:UInt32}',
  ].join('\n')
}

const filtersOf = ({ filters = [] }: FunnelParams['steps'][number], i: number) => conditionsOf(filters, `s${i}f`)

function boundOf(params: FunnelParams, scope: Scope, now: Date): Bound {
  const { steps, within_minutes, time_window_days, time_zone, break_down_by, limit } = params
  const { asked } = windowsOf({ time_window_days, time_zone }, now)
  const key = break_down_by === null ? null : metadataKeyOf(break_down_by)
  return {
    workspace: scope.workspace,
    brand: scope.brand,
    from: storeTime(asked.from),
    to: storeTime(asked.to),
    within: within_minutes * 60_000,
    types: [...new Set(steps.map(({ event_type }) => event_type))],
    limit,
    ...(key !== null && { key }),
    ...(scope.catalog !== null && { catalog: scope.catalog }),
    ...(scope.upTo && upToBound(scope.upTo)),
    ...Object.fromEntries(steps.map(({ event_type }, i) => [`t${i}`, event_type])),
    ...Object.assign({}, ...steps.map((step, i) => filtersOf(step, i).bound)),
  }
}

function stepsOf({ steps }: FunnelParams, row: Row): Steps {
  const counts = steps.map((_, i) => Number(row[`n${i}`] ?? 0))
  const [first = 0] = counts
  return steps.map(({ event_type, name = null }, i) => {
    const count = counts[i] ?? 0
    const before = i === 0 ? count : (counts[i - 1] ?? 0)
    return {
      event_type,
      name,
      count,
      conversion: shareOf(count, first),
      step_conversion: shareOf(count, before),
      dropped: before - count,
    }
  })
}

/** A share of nothing is not known. */
const shareOf = (part: number, whole: number) => (whole === 0 ? null : part / whole)
