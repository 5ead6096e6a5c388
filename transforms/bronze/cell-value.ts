/** What a raw cell says: nothing, that its field is to be cleared, or a value; and when two say the same. */
import type { Cells, CellValue } from '../../schemas/pipeline.ts'
import { clearWord } from '../../schemas/pipeline.ts'

/** `\s` lacks U+0085, which Unicode counts as white space. */
const onlySpace = /^[\s\u0085]*$/

/** A blank cell says nothing (KF-06); a list is blank where all of its cells are. */
export function isBlank(value: CellValue): boolean {
  if (typeof value !== 'string') return value.every(isBlank)
  const first = value.charCodeAt(0)
  if (first > 0x20 && first < 0x7f) return false
  return onlySpace.test(value)
}

export function isClear(value: CellValue): boolean {
  if (typeof value === 'string') return value.includes(clearWord) && value.trim() === clearWord
  return value.some(isClear) && value.every((one) => isClear(one) || isBlank(one))
}

export function sameValue(a: CellValue, b: CellValue): boolean {
  if (a === b) return true
  if (typeof a === 'string' || typeof b === 'string') return false
  return a.length === b.length && a.every((one, at) => one === b[at])
}

/** Suppliers name columns `constructor` and `__proto__` too: what an object inherits is no cell. */
export function cellOf(cells: Cells, column: string): CellValue | undefined {
  const value: unknown = cells[column]
  return typeof value === 'string' || Array.isArray(value) ? value : undefined
}

/** Sets an own property by whatever name: plain assignment to `__proto__` would set nothing. */
export function setOwn<T>(record: Record<string, T>, name: string, value: T): void {
  if (name === '__proto__')
    Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
  else record[name] = value
}
