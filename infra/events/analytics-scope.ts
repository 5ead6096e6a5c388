/** Which events an answer about searches or recommendations is made of: of whom, when, on which channel, by which agent. */
import { noId, storeTime } from '../../schemas/event-row.ts'
import { type Passed, upToBound, upToSql } from './place.ts'
import type { Bound } from './port.ts'
import { type Windows, windowsOf } from './windows.ts'

export interface AnalyticsScope {
  readonly workspace: string
  readonly brand: string
  /** null: all of the brand. */
  readonly catalog: string | null
  /** Takes the brand's events that name no catalog. */
  readonly isDefault: boolean
  readonly upTo: readonly Passed[]
  /** Events that came later are left out, so that all pages are of the same. */
  readonly receivedBy?: Date
}

export interface AskedAnalytics {
  readonly days: number
  /** null for UTC. */
  readonly zone: string | null
  /** As the events say; empty: those that do not say. null: any. */
  readonly channel: string | null
  /** By its name; empty: those whom nobody knows. null: any. */
  readonly agent: string | null
  readonly limit: number
}

/** Of a statement that reads `events` and renames none of its columns. */
export const ofScope = ({ receivedBy }: Pick<AnalyticsScope, 'receivedBy'>): string =>
  `workspace = {workspace:String} and brand = {brand:UUID} and time >= {from:DateTime64(3, 'UTC')} and time < {to:DateTime64(3, 'UTC')}
    and ${upToSql}${receivedBy ? " and received <= {received:DateTime64(3, 'UTC')}" : ''}`

/** @param columns under which names a statement has them */
export function narrowedTo(
  { channel, agent }: Pick<AskedAnalytics, 'channel' | 'agent'>,
  { catalog }: Pick<AnalyticsScope, 'catalog'>,
  columns: Readonly<Record<'catalog' | 'channel' | 'agent', string>>,
): string {
  return [
    ...(catalog === null ? [] : [`and ${columns.catalog} in ({catalog:UUID}, {other:UUID})`]),
    ...(channel === null ? [] : [`and ${columns.channel} = {channel:String}`]),
    ...(agent === null ? [] : [`and ${columns.agent} = {agent:String}`]),
  ].join(' ')
}

export function windowOf({ days, zone }: Pick<AskedAnalytics, 'days' | 'zone'>, now: Date): Windows {
  return windowsOf({ time_window_days: days, ...(zone !== null && { time_zone: zone }) }, now)
}

export function boundOf(
  { channel, agent, limit }: AskedAnalytics,
  { workspace, brand, catalog, isDefault, upTo, receivedBy }: AnalyticsScope,
  { asked: { from, to } }: Pick<Windows, 'asked'>,
): Bound {
  return {
    ...{ workspace, brand, limit, from: storeTime(from), to: storeTime(to), ...upToBound(upTo) },
    ...(catalog !== null && { catalog, other: isDefault ? noId : catalog }),
    ...(receivedBy && { received: storeTime(receivedBy) }),
    ...(channel !== null && { channel }),
    ...(agent !== null && { agent }),
  }
}
