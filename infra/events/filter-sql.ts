/** The conditions of a question as SQL: what a caller names is chosen from data, and what they say is bound. */
import { numberFields } from '../../schemas/event.ts'
import { type EventFilter, metadataKeyOf } from '../../schemas/event-filter.ts'
import type { Bound } from './port.ts'

const amounts: ReadonlySet<string> = new Set(numberFields)
const ranges = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const

export interface Conditions {
  /** All must hold. */
  readonly where: readonly string[]
  readonly bound: Bound
}

/** @param prefix of the names by which values are bound, where a statement has several sets of conditions */
export function conditionsOf(filters: readonly EventFilter[], prefix = 'f'): Conditions {
  const bound: Record<string, string | readonly string[]> = {}
  const bind = (type: string, value: string | readonly string[]) => {
    const name = `${prefix}${Object.keys(bound).length}`
    bound[name] = value
    return `{${name}:${type}}`
  }
  const where = filters.flatMap((filter) => (amounts.has(filter.field) ? ofAmount(filter, bind) : ofText(filter, bind)))
  return { where, bound }
}

type Bind = (type: string, value: string | readonly string[]) => string

function ofAmount({ field, equals, in: among, exists, ...rest }: EventFilter, bind: Bind): string[] {
  const amount = (value: string | number | boolean) =>
    bind('Decimal(38, 9)', typeof value === 'number' ? value.toFixed(9) : String(value))
  const inRange = Object.entries(ranges).flatMap(([name, sign]) => {
    const value = rest[name as keyof typeof ranges]
    return value === undefined ? [] : [`${field} ${sign} ${amount(value)}`]
  })
  return [
    ...(equals === undefined ? [] : [`${field} = ${amount(equals)}`]),
    ...(among ? [`${field} in (${among.map(amount).join(', ')})`] : []),
    ...(exists === undefined ? [] : [`${field} is ${exists ? 'not ' : ''}null`]),
    ...inRange,
  ]
}

/** Metadata that is there may be an empty text; a field that is empty is not there. */
function ofText({ field, equals, in: among, exists }: EventFilter, bind: Bind): string[] {
  const name = metadataKeyOf(field)
  const key = name === null ? null : bind('String', name)
  const text = key === null ? field : `metadata[${key}]`
  const isThere = key === null ? `${field} != ''` : `mapContains(metadata, ${key})`
  return [
    ...(exists === undefined ? [] : [exists ? isThere : `not ${isThere}`]),
    ...(equals === undefined && among === undefined ? [] : [isThere]),
    ...(equals === undefined ? [] : [`${text} = ${bind('String', String(equals))}`]),
    ...(among ? [`${text} in ${bind('Array(String)', among.map(String))}`] : []),
  ]
}
