/** How events stand in the event store: its columns, its own spelling of times, and of an id that an event does not have. */
import { numberFields } from './event.ts'

/** In the order in which an event is told to it. */
export const eventColumns = [
  ...['log_stream', 'log_rank', 'workspace', 'brand', 'time', 'id', 'type', 'catalog', 'product_id', 'product_ids'],
  ...['session_id', 'agent_id', 'agent_name', 'agent_version', 'agent_kind', 'customer_id'],
  ...numberFields,
  ...['currency', 'metadata', 'received'],
] as const

/** Where an event stands on the log, as the store keeps it. */
export interface EventPlace {
  readonly stream: string
  readonly rank: string
}

/** @param at milliseconds, or ISO 8601 in UTC as events have it @returns UTC to the millisecond, which the store reads quickest so */
export const storeTime = (at: Date | number | string): string =>
  (typeof at === 'string' ? at : new Date(at).toISOString()).replace('T', ' ').replace('Z', '')

/** A column of Nullable would cost a second file. */
export const noId = '00000000-0000-0000-0000-000000000000'
