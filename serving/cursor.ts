/** Opaque cursors of lists: they name a place, not a page, and a forged one is refused. */
import { z } from 'zod'
import { ServiceError } from '../schemas/errors.ts'

export const listQuery = z.object({
  after: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(20),
})

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const cursorOf = (id: string) => Buffer.from(`1:${id}`).toString('base64url')

/** @returns the id that the page before ended with */
export function readCursor(after: string | undefined): string | null {
  if (after === undefined) return null
  const text = Buffer.from(after, 'base64url').toString()
  const id = text.startsWith('1:') ? text.slice(2) : ''
  if (!uuid.test(id) || cursorOf(id) !== after)
    throw new ServiceError('INVALID_REQUEST', { message: 'after is no cursor of this list', field: 'after' })
  return id
}

/** Queries ask for one row more than is shown, which tells whether there is a next page. */
export function nextCursor(rows: readonly { readonly id: string }[], limit: number): string | null {
  const last = rows[limit - 1]
  return rows.length > limit && last ? cursorOf(last.id) : null
}
