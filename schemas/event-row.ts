/** How values stand in the event store: its own spelling of times, and of an id that an event does not have. */

/** @param at milliseconds, or ISO 8601 in UTC as events have it @returns UTC to the millisecond, which the store reads quickest so */
export const storeTime = (at: Date | number | string): string =>
  (typeof at === 'string' ? at : new Date(at).toISOString()).replace('T', ' ').replace('Z', '')

/** A column of Nullable would cost a second file. */
export const noId = '00000000-0000-0000-0000-000000000000'
