/** The rows of a page of stored lines, as bytes: plain lines are gone through as they stand, and all others are parsed. */
import type { Place } from './plain-line.ts'

/** What a form makes of lines. */
export interface LineRows {
  row(line: Readonly<Record<string, unknown>>): string
  /** Writes the row of the plain line from `place.at` to there; false where it must be parsed: then what it has written is none. */
  plainRow(place: Place, to: number): boolean
}

/** Enough for the rows of a piece, mostly. */
const chunkBytes = 256 * 1024
/** A byte of a line is at most six of its row, but for what the attributes are called there, which fits what is left. */
const mostPerByte = 6
const slack = 16 * 1024

const nothing = Buffer.alloc(0)
const backslash = 92
const lineFeed = 10

/**
 * For one reader: what it is given is good until it asks for the next.
 * @returns of pages with a line feed after each line
 */
export function pageRows({ row, plainRow }: LineRows): (page: Buffer) => Generator<Buffer> {
  let memory = nothing

  return function* rows(bytes) {
    let place: Place = { bytes, at: 0, out: memory, end: 0 }
    let nextEscape = bytes.indexOf(backslash)
    for (let from = 0; from < bytes.length; ) {
      const to = bytes.indexOf(lineFeed, from)
      const room = (to - from) * mostPerByte + slack
      if (place.out.length - place.end < room) {
        if (place.end > 0) yield place.out.subarray(0, place.end)
        if (memory.length < room) memory = Buffer.allocUnsafeSlow(Math.max(chunkBytes, room))
        place = { bytes, at: from, out: memory, end: 0 }
      }
      // It is looked for once a page, not once a line.
      if (nextEscape >= 0 && nextEscape < from) nextEscape = bytes.indexOf(backslash, from)
      const began = place.end
      place.at = from
      const isPlain = (nextEscape < 0 || nextEscape > to) && plainRow(place, to)
      // What is written behind the end of a buffer is not there.
      if (!isPlain || place.end > place.out.length) {
        const parsed = Buffer.from(row(JSON.parse(bytes.toString('utf8', from, to))))
        place.end = began
        if (parsed.length > place.out.length - began) {
          yield place.out.subarray(0, began)
          yield parsed
          place.end = 0
        } else place.end += parsed.copy(place.out, began)
      }
      from = to + 1
    }
    if (place.end > 0) yield place.out.subarray(0, place.end)
  }
}
