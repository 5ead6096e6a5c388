/** A page of a list that is short enough to be made whole, behind an opaque cursor. */
import { ServiceError } from '../../schemas/errors.ts'

const form = /^[1-9]\d{0,9}$/
const encode = (place: number) => Buffer.from(`p:${place}`).toString('base64url')

export function pageOf<T>(
  all: readonly T[],
  after: string | undefined,
  limit: number,
): { readonly page: readonly T[]; readonly next: string | null } {
  const from = after === undefined ? 0 : placeOf(after)
  const end = from + limit
  return { page: all.slice(from, end), next: end < all.length ? encode(end) : null }
}

function placeOf(after: string): number {
  const text = Buffer.from(after, 'base64url').toString()
  const place = text.startsWith('p:') ? text.slice(2) : ''
  if (!form.test(place) || encode(Number(place)) !== after)
    throw new ServiceError('MCP_002', { message: 'This is no cursor of this list', field: 'cursor' })
  return Number(place)
}
