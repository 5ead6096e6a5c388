/** The cell that stands for a value of a typed column: texts as they are, lists of texts as lists, the rest as written. */
import type { CellValue } from '../../schemas/pipeline.ts'
import { markedUtf8 } from '../encoding/marked-utf8.ts'

export function cellOf(value: unknown): CellValue {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return markedUtf8(value)
  return nestedCell(jsonOf(value))
}

/** @param json a list is a cell of several texts where it has nothing else; an empty one says nothing */
export function nestedCell(json: string): CellValue {
  if (!json.startsWith('[')) return json
  const list: readonly unknown[] = JSON.parse(json)
  if (list.length === 0) return ''
  return list.every((item) => typeof item === 'string') ? list : json
}

/** Arrow's vectors and rows are iterables and objects with a `toJSON` of their own; integers beyond 2^53 become text. */
const jsonOf = (value: unknown): string =>
  markedJson(value, (inner) =>
    typeof inner === 'bigint' ? String(inner) : inner instanceof Uint8Array ? markedUtf8(inner) : inner,
  )

/** JSON in which marks of damage stand as they are, so that they are found: `JSON.stringify` writes escapes for them. */
export function markedJson(value: unknown, plain: (inner: unknown) => unknown = (inner) => inner): string {
  const json = JSON.stringify(value, (_, inner) => plain(inner))
  if (!json.includes('\\ud')) return json
  return json.replace(escaped, (found, half: string | undefined) =>
    half === undefined ? found : String.fromCharCode(Number.parseInt(half, 16)),
  )
}

const escaped = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/g
