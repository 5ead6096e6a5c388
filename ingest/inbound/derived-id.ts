/** An id that is made of what it stands for, so that every process finds the same one. */
import { hash } from 'node:crypto'

/** UUIDv8 of the first half of a SHA-256. */
export function derivedId(parts: readonly (string | number)[]): string {
  const hex = hash('sha256', parts.join('\u001f'), 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
