/** Entity tags of what can be changed, and `If-Match` by RFC 9110, section 13.1.1: a strong comparison, `*` for whatever is there. */
import { ServiceError } from '../schemas/errors.ts'

export interface Revision {
  readonly epoch: number
  readonly rev: number
}

export const entityTag = ({ epoch, rev }: Revision) => `"${epoch}.${rev}"`

/** `#entity-tag` of the RFC: empty elements are let through, and what stands between the quotes is anything but a quote or a control. */
const one = String.raw`(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"`
const list = new RegExp(String.raw`^(?:[ \t]*,)*[ \t]*${one}(?:[ \t]*,(?:[ \t]*${one})?)*[ \t]*$`)
const tag = /(W\/)?("[^"]*")/g

/**
 * @returns whether the header asks for a state at all: absent and `*` let any be changed
 * @throws ServiceError 412 where the header names other states than this one, 400 where it is malformed
 */
export function isMatched(header: string | undefined, own: string, changed: () => ServiceError): boolean {
  if (header === undefined || header.trim() === '*') return false
  if (!list.test(header))
    throw new ServiceError('INVALID_REQUEST', {
      message: 'If-Match is * or a list of entity tags in quotes',
      field: 'If-Match',
    })
  // A weak tag matches nothing here: an edit may be lost by it.
  if ([...header.matchAll(tag)].some(([, weak, text]) => weak === undefined && text === own)) return true
  throw changed()
}

/** @returns the revision that must still be there when the edit is judged; null where any will do */
export const matched = (header: string | undefined, now: Revision): Revision | null =>
  isMatched(header, entityTag(now), changedSince) ? now : null

export const changedSince = () =>
  new ServiceError('CONFLICT', { message: 'The product has changed since you read it', status: 412 })
