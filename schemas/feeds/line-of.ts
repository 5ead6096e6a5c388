/** Writes a product as a platform's line: its attributes in their order, and none that is empty. */
import type { FeedField } from './feed-field.ts'
import type { FeedProduct } from './profile.ts'
import { isFreeOfControl, withoutControl } from './without-control.ts'

export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0)

/** The attributes that are there, in their order. */
export function attributesOf(fields: readonly FeedField[], feed: FeedProduct): Record<string, unknown> {
  const line: Record<string, unknown> = {}
  for (const field of fields) {
    const value = field.of(feed.product, feed)
    if (!isEmpty(value)) line[field.name] = value
  }
  return line
}

/** Silver leaves no control characters in texts; what came another way is written again without them. */
export const lineOf =
  (fields: readonly FeedField[]) =>
  (feed: FeedProduct): Record<string, unknown> => {
    const line = attributesOf(fields, feed)
    return isFreeOfControl(line) ? line : attributesOf(fields, withoutControl(feed))
  }
