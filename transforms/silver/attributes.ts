/** Reads a cell of further attributes: a JSON object whose texts are cleaned like every other. */
import { quote } from './quote.ts'
import { doubts, type Reading, reads } from './reading.ts'
import { readText } from './text.ts'
import { jsonObject } from './variants.ts'

export type Attributes = Readonly<Record<string, unknown>>

/** Deeper nesting is no attribute of a product, and what writes it out would recurse as deep. */
const deepest = 16

export function readAttributes(raw: string): Reading<Attributes> {
  const given = jsonObject(raw)
  if (given && depthWithin(given, deepest)) return reads<Attributes>(cleanObject(given))
  return doubts('attributes_unreadable', `${quote(raw)} are no attributes; write a JSON object such as {"fit":"slim"}`)
}

function depthWithin(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return left > 0 && Object.values(value).every((inner) => depthWithin(inner, left - 1))
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return readText(value)
  if (Array.isArray(value)) return value.map(clean)
  return typeof value === 'object' && value !== null ? cleanObject(value) : value
}

/** U+0000 and half surrogate pairs in any depth would make the database refuse the whole batch (KF-18). */
function cleanObject(value: object): Attributes {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const label = readText(name)
      return label === null ? [] : [[label, clean(inner)] as const]
    }),
  )
}
