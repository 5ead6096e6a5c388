/** The cell that stands for a value of a typed column: texts as they are, lists of texts as lists, the rest as written. */
import type { CellValue } from '../../schemas/pipeline.ts'

export function cellOf(value: unknown): CellValue {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString()
  const plain = plainOf(value)
  if (!Array.isArray(plain)) return JSON.stringify(plain)
  if (plain.length === 0) return ''
  return plain.every((item) => typeof item === 'string') ? plain : JSON.stringify(plain)
}

/** Arrow's vectors and rows are iterables and objects with a `toJSON` of their own; integers beyond 2^53 become text. */
function plainOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)))
}
