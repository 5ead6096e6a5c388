/** Asks the event store a question of a dashboard, and tells its answer as the contract does. */
import { type AggregationParams, isTimeGroup } from '../../schemas/aggregation.ts'
import { statementOf } from './aggregate-sql.ts'
import { type Passed, upToBound, upToSql } from './place.ts'
import type { Answer, EventStore, Limits } from './port.ts'
import { stepsOf } from './steps.ts'
import { type Window, type Windows, windowsOf } from './windows.ts'

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
  /** Events, beside a sum or an average. */
  readonly secondary?: number
  /** Where it was asked to compare; null where there was nothing to average. */
  readonly previous?: number | null
  readonly change?: number | null
}

export interface Aggregate extends Answer<AggregateRow> {
  /** null where nothing was compared. */
  readonly previous: Window | null
}

/** Of whatever somebody waits for; what needs more is for the export. */
export const questionLimits: Limits = { seconds: 10, memoryBytes: 2 * 1024 ** 3, rows: 500_000_000 }

interface Stored {
  readonly key: string | null
  readonly answer: string | number | null
  readonly n?: string | number
  readonly previous?: string | number | null
  readonly asked?: number
}

/** @throws TooMuch, EventsAway */
export async function aggregate(
  store: Pick<EventStore, 'ask'>,
  params: AggregationParams,
  scope: Scope,
  now: Date,
  signal?: AbortSignal,
): Promise<Aggregate> {
  const windows = windowsOf(params, now)
  const { sql, bound } = statementOf(params, scope, windows)
  const { rows: stored, rowsRead } = await store.ask<Stored>(sql, bound, { ...questionLimits, signal })
  const { group_by, step, compare } = params
  const isFilled = isTimeGroup(group_by) && (step !== undefined || compare !== undefined)
  const rows = isFilled ? inSteps(group_by, params, stored, windows) : stored.map((one) => rowOf(one, params))
  if (isTimeGroup(group_by) && !isFilled) rows.reverse()
  if (rows.length === 0 && group_by === 'none' && params.aggregation !== 'avg')
    rows.push({ key: null, value: 0, ...(compare && changeOf(0, 0)) })
  return { rows, rowsRead, previous: windows.previous }
}

function rowOf({ key, answer, n, previous }: Stored, { compare }: AggregationParams): AggregateRow {
  const value = Number(answer)
  return {
    key,
    value,
    ...(n !== undefined && { secondary: Number(n) }),
    ...(compare && changeOf(value, previous == null ? null : Number(previous))),
  }
}

const changeOf = (value: number, previous: number | null) => ({
  previous,
  change: previous ? (value - previous) / previous : null,
})

/** The latest steps, each with its own events and those of its counterpart. */
function inSteps(
  group: 'day' | 'hour',
  params: AggregationParams,
  stored: readonly Stored[],
  windows: Windows,
): AggregateRow[] {
  const { aggregation, compare, step, limit, time_window_days: days } = params
  const found = new Map(stored.filter(({ asked }) => asked !== 0).map((one) => [one.key, one]))
  const before = new Map(stored.filter(({ asked }) => asked === 0).map((one) => [one.key, one]))
  const nothing = aggregation === 'avg' ? null : 0
  return stepsOf(group, windows, days)
    .flatMap(({ key, previousKey, isAhead }): AggregateRow[] => {
      const [own, other] = [found.get(key), previousKey === null ? undefined : before.get(previousKey)]
      const isTold = own ?? other ?? (step && !isAhead)
      const value = own ? Number(own.answer) : nothing
      if (!isTold || value === null) return []
      return [
        {
          key,
          value,
          ...(aggregation !== 'count' && aggregation !== 'count_distinct' && { secondary: Number(own?.n ?? 0) }),
          ...(compare && changeOf(value, other ? Number(other.answer) : nothing)),
        },
      ]
    })
    .slice(-limit)
}

/** When the newest event of a brand happened. */
export async function newestEvent(
  store: Pick<EventStore, 'ask'>,
  { workspace, brand, upTo }: Scope,
  signal?: AbortSignal,
): Promise<Date | null> {
  const sql = `select toUnixTimestamp64Milli(time) as ms from events
    where workspace = {workspace:String} and brand = {brand:UUID} ${upTo ? `and ${upToSql}` : ''} order by time desc limit 1`
  const bound = { workspace, brand, ...(upTo && upToBound(upTo)) }
  const { seconds, memoryBytes } = questionLimits
  const { rows } = await store.ask<{ ms: string }>(sql, bound, { seconds, memoryBytes, signal })
  return rows[0] ? new Date(Number(rows[0].ms)) : null
}
