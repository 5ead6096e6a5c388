/** Opaque cursors of lists: they name a place, not a page, and a forged one is refused. */
import { z } from 'zod'
import { ServiceError } from '../schemas/errors.ts'
import { wholeNumber } from './whole-number.ts'

export const listQuery = z.object({
  after: z.string().max(400).optional(),
  limit: wholeNumber(1, 200).default(20),
})

const uuidText = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const uuid = new RegExp(`^${uuidText}$`)
/** Microseconds of the epoch, then the id that tells two of one instant apart. */
const instant = new RegExp(`^(\\d{1,16}):(${uuidText})$`)

/** The number tells lists of one order from those of another. */
const cursorOf = (order: 1 | 2 | 3 | 4, place: string) => Buffer.from(`${order}:${place}`).toString('base64url')

function placeOf(order: 1 | 2 | 3 | 4, after: string, form: RegExp): RegExpExecArray {
  const text = Buffer.from(after, 'base64url').toString()
  const found = form.exec(text.startsWith(`${order}:`) ? text.slice(2) : '')
  if (!found || cursorOf(order, found[0]) !== after)
    throw new ServiceError('INVALID_REQUEST', { message: 'after is no cursor of this list', field: 'after' })
  return found
}

/** @returns the row that a page ends with, where more follow: queries ask for one row more than is shown */
function lastOf<Row>(rows: readonly Row[], limit: number): Row | undefined {
  return rows.length > limit ? rows[limit - 1] : undefined
}

/** @returns the id that the page before ended with */
export function readCursor(after: string | undefined): string | null {
  return after === undefined ? null : placeOf(1, after, uuid)[0]
}

export function nextCursor(rows: readonly { readonly id: string }[], limit: number): string | null {
  const last = lastOf(rows, limit)
  return last ? cursorOf(1, last.id) : null
}

export interface Instant {
  /** Of the epoch; a Date would round it, and rows would be shown twice or never. */
  readonly micros: number
  readonly id: string
}

/** For lists in order of time. */
export function readTimeCursor(after: string | undefined): Instant | null {
  if (after === undefined) return null
  const [, micros, id = ''] = placeOf(2, after, instant)
  return { micros: Number(micros), id }
}

export function nextTimeCursor(rows: readonly Instant[], limit: number): string | null {
  const last = lastOf(rows, limit)
  return last ? cursorOf(2, `${last.micros}:${last.id}`) : null
}

/** For lists in order of a text. @param form of the texts that there can be */
export function readTextCursor(after: string | undefined, form: RegExp): string | null {
  return after === undefined ? null : placeOf(3, after, form)[0]
}

/** @param last the text of the last row of a page after which more follow */
export const nextTextCursor = (texts: readonly string[], limit: number): string | null => {
  const last = lastOf(texts, limit)
  return last === undefined ? null : cursorOf(3, last)
}

const place = new RegExp(`^([0-9a-f]{16}):(${uuidText}):([\\dTZ:.-]{0,30})$`)

/**
 * For lists that are asked for in several orders and with filters.
 * @param query digest of the order and the filters @param isKey whether the order can have such a key
 */
export function readPlaceCursor(
  after: string | undefined,
  query: string,
  isKey: (key: string) => boolean,
): { key: string; id: string } | null {
  if (after === undefined) return null
  const [, of, id = '', key = ''] = placeOf(4, after, place)
  if (of === query && isKey(key)) return { key, id }
  const message = 'after is a cursor of another order, catalog or filter'
  throw new ServiceError('INVALID_REQUEST', { message, field: 'after' })
}

export const placeCursor = ({ key, id }: { key: string; id: string }, query: string): string =>
  cursorOf(4, `${query}:${id}:${key}`)
