/** A refined value as an explanation shows it: short, and with its full size. */
import { codePoints } from '../../schemas/feeds/code-points.ts'
import { cutText } from '../../schemas/feeds/cut-text.ts'

export interface ShownValue {
  readonly value: unknown
  /** Characters of a text, entries of a list or a record; null of anything else. */
  readonly size: number | null
}

const mostCharacters = 80
const mostEntries = 5

const short = (value: unknown): unknown =>
  typeof value === 'string' && codePoints(value) > mostCharacters ? `${cutText(value, mostCharacters - 1)}…` : value

export function shownValue(value: unknown): ShownValue {
  if (typeof value === 'string') return { value: short(value), size: codePoints(value) }
  if (Array.isArray(value)) return { value: value.slice(0, mostEntries).map(short), size: value.length }
  if (value === null || typeof value !== 'object') return { value: value ?? null, size: null }
  const entries = Object.entries(value)
  const shown = entries.slice(0, mostEntries).map(([name, one]) => [name, shownEntry(one)])
  return { value: Object.fromEntries(shown), size: entries.length }
}

/** Attributes may hold anything. */
const shownEntry = (value: unknown) =>
  typeof value === 'object' && value !== null ? short(JSON.stringify(value)) : short(value)
