/** Reads a value of an Arrow column as the cell that stands for it: what the value alone does not tell, its type does. */
import type { DataType } from 'apache-arrow'
import type { CellValue } from '../../schemas/pipeline.ts'
import { cellOf } from './columnar-cell.ts'
import { floatText, floatTypes } from './stored-float.ts'

/** "union Type" of the format's Schema.fbs; dictionaries have no number there. */
const ids = {
  float: 3,
  decimal: 7,
  date: 8,
  timestamp: 10,
  list: 12,
  struct: 13,
  fixedList: 16,
  map: 17,
  largeList: 21,
}
const dictionary = -1
/** "enum Precision". */
const precisions = [floatTypes.half, floatTypes.single, floatTypes.double]

export function arrowCell(type: DataType): (value: unknown) => CellValue {
  const plain = plainOf(type)
  return plain ? (value) => cellOf(plain(value)) : cellOf
}

/** Dates, decimals and floats come as bare numbers; null for types whose values say themselves what they are. */
function plainOf(type: DataType): ((value: unknown) => unknown) | null {
  switch (type.typeId as number) {
    case dictionary:
      return plainOf((type as DataType & { dictionary: DataType }).dictionary)
    case ids.date:
    case ids.timestamp:
      return (value) => (typeof value === 'number' ? dateText(value, (type.typeId as number) === ids.date) : value)
    case ids.decimal: {
      const { scale } = type as DataType & { scale: number }
      return (value) => value && scaled(BigInt(String(value)), scale)
    }
    case ids.float: {
      const float = precisions[(type as DataType & { precision: number }).precision] ?? floatTypes.double
      return (value) => (typeof value === 'number' ? floatText(value, float) : value)
    }
    case ids.list:
    case ids.largeList:
    case ids.fixedList: {
      const item = innerOf(type, 0)
      return item && ((value) => value && Array.from(value as Iterable<unknown>, item))
    }
    case ids.struct: {
      const members = new Map((type.children ?? []).map((field) => [field.name, innerType(field.type)]))
      return [...members.values()].every((one) => one === null)
        ? null
        : (value) => byName(value, (name) => members.get(name))
    }
    case ids.map: {
      const [entry] = type.children ?? []
      const member = entry ? innerOf(entry.type, 1) : null
      return member && ((value) => byName(value, () => member))
    }
    default:
      return null
  }
}

const innerOf = (type: DataType, child: number) => {
  const field = type.children?.[child]
  return field ? innerType(field.type) : null
}

/** In JSON a number is one, with the digits that its type knows. */
function innerType(type: DataType): ((value: unknown) => unknown) | null {
  const plain = plainOf(type)
  if (!plain || (type.typeId as number) !== ids.float) return plain
  return (value) => {
    const text = plain(value)
    return typeof text === 'string' ? Number(text) : text
  }
}

function byName(value: unknown, memberOf: (name: string) => ((inner: unknown) => unknown) | null | undefined) {
  const members = value && (value as { toJSON(): Record<string, unknown> }).toJSON()
  return (
    members &&
    Object.fromEntries(Object.entries(members).map(([name, inner]) => [name, memberOf(name)?.(inner) ?? inner]))
  )
}

function dateText(ms: number, dayOnly: boolean): string {
  const date = new Date(ms)
  // Beyond the years that a Date knows.
  if (Number.isNaN(date.getTime())) return String(ms)
  const text = date.toISOString()
  return dayOnly ? text.slice(0, 10) : text
}

function scaled(unscaled: bigint, scale: number): string {
  if (scale <= 0) return String(unscaled * 10n ** BigInt(-scale))
  const sign = unscaled < 0n ? '-' : ''
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
