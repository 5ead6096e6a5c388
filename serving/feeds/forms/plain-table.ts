/** Rows of a table out of plain lines: cells are taken from the line as they stand, and quoted where they have to be. */
import type { LineRows } from './page-rows.ts'
import { copyTo, type Place, plainReader, putText } from './plain-line.ts'

export interface TableOf {
  /** Columns in their order; a count above zero stands for as many columns of one name, with a value of a list each. */
  readonly columns: readonly { readonly name: string; readonly count: number }[]
  readonly separator: string
  readonly ends: string
  /** Between the values of a list in one cell: one sign. */
  readonly between: string
  /** Such a list, as it stands in the row. */
  listed(values: readonly string[]): string
  /** Whether a cell may stand in quotes. */
  readonly quotes: boolean
}

interface Column {
  readonly at: number
  readonly count: number
}

const quote = 34
const space = 32
const comma = 44
/** Any space, where a character is a byte of UTF-8. Of ASCII only the space can be one: JSON escapes the others. */
const spaces =
  '(?: |\\u00c2\\u00a0|\\u00e1\\u009a\\u0080|\\u00e2\\u0080[\\u0080-\\u008a\\u00a8\\u00a9\\u00af]|\\u00e2\\u0081\\u009f|\\u00e3\\u0080\\u0080|\\u00ef\\u00bb\\u00bf)'
const firstBytes = new RegExp(`^${spaces}`)
const lastBytes = new RegExp(`${spaces}$`)
const mayBeSpace = (byte: number) => byte === 32 || byte >= 0x80

/** Three bytes are enough for any space. */
function hasOuterSpace(bytes: Buffer, from: number, to: number): boolean {
  if (from === to) return false
  const text = (start: number, end: number) => bytes.toString('latin1', Math.max(from, start), Math.min(end, to))
  return (
    (mayBeSpace(bytes[from] as number) && firstBytes.test(text(from, from + 3))) ||
    (mayBeSpace(bytes[to - 1] as number) && lastBytes.test(text(to - 3, to)))
  )
}

export function plainTable({ columns, separator, ends, between: sign, listed, quotes }: TableOf): LineRows['plainRow'] {
  let width = 0
  const known = new Map<string, Column>()
  for (const { name, count } of columns) {
    known.set(name, { at: width, count })
    width += Math.max(count, 1)
  }
  const mark = separator.charCodeAt(0)
  const between = sign.charCodeAt(0)
  const ending = Buffer.from(ends)
  /** The column that the row has come to; not a number where the line has attributes in another order. */
  let column = 0
  let listFrom = 0

  function separate(place: Place, count: number): void {
    for (let n = 0; n < count; n++) place.out[place.end++] = mark
  }
  function begin(of: Column | undefined, place: Place): void {
    if (of && of.at >= column) separate(place, of.at - column)
    column = of && of.at >= column ? of.at : Number.NaN
  }

  /** Reads a text up to its quote. A quote before it is put there once it is needed, which is mostly soon. */
  function cell(place: Place): void {
    const { bytes, out } = place
    let { at, end } = place
    const [from, start] = [at, end]
    let byte = bytes[at] as number
    while (byte !== quote && byte !== mark) {
      out[end++] = byte
      byte = bytes[++at] as number
    }
    let isQuoted = byte === mark
    if (isQuoted) {
      out.copyWithin(start + 1, start, end)
      out[start] = quote
      end++
      while (byte !== quote) {
        out[end++] = byte
        byte = bytes[++at] as number
      }
    }
    if (!isQuoted && quotes && hasOuterSpace(bytes, from, at)) {
      isQuoted = true
      out.copyWithin(start + 1, start, end)
      out[start] = quote
      end++
    }
    if (isQuoted) out[end++] = quote
    place.at = at
    place.end = end
  }
  function skip(place: Place): void {
    place.at = place.bytes.indexOf(quote, place.at)
  }

  /** A list in one cell, whose values stand from there to `place.at`: none of an address has to be told from its neighbours by quotes. */
  function joined(place: Place, from: number): void {
    const { bytes, out } = place
    const to = place.at - 1
    let { end } = place
    // A second value, and between the two what parts columns as well.
    const isQuoted = between === mark && quotes && bytes[bytes.indexOf(quote, from + 1) + 1] === comma
    if (isQuoted) out[end++] = quote
    for (let at = from + 1; at < to; at++) {
      let byte = bytes[at] as number
      for (; byte !== quote; byte = bytes[++at] as number) {
        if (byte === between || byte === mark || byte <= space || byte >= 0x80) {
          putText(place, listed(JSON.parse(bytes.toString('utf8', from - 1, place.at))))
          return
        }
        out[end++] = byte
      }
      at++
      if (at < to) {
        out[end++] = between
        at++
      }
    }
    if (isQuoted) out[end++] = quote
    place.end = end
  }

  const read = plainReader<Column | undefined>((name) => known.get(Buffer.from(name, 'latin1').toString()), {
    text(of, place, nth) {
      if (nth < 1) begin(of, place)
      if (nth < 0 && of?.count === 0) cell(place)
      else if (nth < 0 || nth >= (of?.count || 0)) {
        if (nth === 0) listFrom = place.at - 1
        skip(place)
      } else {
        if (nth > 0) separate(place, 1)
        cell(place)
        column = (of?.at ?? 0) + nth
      }
    },
    listEnds(of, place) {
      // An empty list has said nothing, not even that its column is there.
      if (of?.count === 0 && listFrom > 0) joined(place, listFrom)
      listFrom = 0
    },
    bare(of, place, to) {
      begin(of, place)
      if (of?.count === 0) copyTo(place, to)
    },
  })

  return (place, to) => {
    column = 0
    listFrom = 0
    if (!read(place, to) || Number.isNaN(column)) return false
    separate(place, width - 1 - column)
    for (const byte of ending) place.out[place.end++] = byte
    return true
  }
}
