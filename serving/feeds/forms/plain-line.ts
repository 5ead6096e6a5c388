/** Goes through a stored line that is plain, byte by byte: JSON escapes nothing in it, so its texts stand in it as they are, without a quote, a tab or a line break. */

const quote = 34
const comma = 44
const opening = 91
const closing = 93
const end = 125
const primitive = /^(?:true|false|-?\d+(?:\.\d+)?)$/

/** Where lines are read, and where rows are written. */
export interface Place {
  readonly bytes: Buffer
  /** The next byte to be read. */
  at: number
  readonly out: Buffer
  /** The next byte to be written. */
  end: number
}

/** Told of each attribute in its order. */
export interface PlainWriter<T> {
  /**
   * Reads a text from `place.at` up to its quote, and writes it.
   * @param nth of a list, from 0; -1 outside
   */
  text(of: T, place: Place, nth: number): void
  listEnds(of: T, place: Place): void
  /** A number, true or false. */
  bare(of: T, place: Place, to: number): void
}

/** Which attribute came next the last time: mostly it is the same again. */
interface Before<T> {
  next: Part<T> | null
}

/** An attribute as lines begin it. */
interface Part<T> extends Before<T> {
  readonly token: Uint8Array
  readonly of: T
}

/**
 * Parsing lines took two thirds of the time of a row, and putting rows together out of pieces of text a third.
 * @param of what is made of a name, in bytes, once
 * @returns reads the line from `place.at` on, an object without spaces between its parts, as it is stored; false where it is to be
 * parsed: forget what was written
 */
export function plainReader<T>(of: (name: string) => T, write: PlainWriter<T>): (place: Place, to: number) => boolean {
  const known = new Map<string, Part<T>>()
  const head: Before<T> = { next: null }

  function partAt({ bytes, at }: Place): Part<T> {
    const token = bytes.toString('latin1', at, bytes.indexOf(quote, at + 1) + 2)
    const before = known.get(token)
    if (before) return before
    const part: Part<T> = { token: Buffer.from(token, 'latin1'), of: of(token.slice(1, -2)), next: null }
    known.set(token, part)
    return part
  }

  /** @returns whether all of its values are texts */
  function list(of: T, place: Place): boolean {
    const { bytes } = place
    for (let nth = 0; bytes[place.at] !== closing; nth++) {
      if (bytes[place.at + 1] !== quote) return false
      place.at += 2
      write.text(of, place, nth)
      place.at++
    }
    place.at++
    write.listEnds(of, place)
    return true
  }

  return (place, to) => {
    const { bytes } = place
    let before: Before<T> = head
    place.at++
    while (bytes[place.at] === quote) {
      let part = before.next
      if (part === null || !isAt(bytes, place.at, part.token)) {
        part = partAt(place)
        before.next = part
      }
      before = part
      place.at += part.token.length
      const first = bytes[place.at]
      if (first === quote) {
        place.at++
        write.text(part.of, place, -1)
        place.at++
      } else if (first === opening) {
        if (!list(part.of, place)) return false
      } else {
        const behind = bytes.indexOf(comma, place.at)
        const ends = behind < 0 || behind >= to ? to - 1 : behind
        if (!primitive.test(bytes.toString('latin1', place.at, ends))) return false
        write.bare(part.of, place, ends)
        place.at = ends
      }
      if (bytes[place.at] === comma) place.at++
    }
    return place.at === to - 1 && bytes[place.at] === end
  }
}

function isAt(bytes: Buffer, at: number, token: Uint8Array): boolean {
  for (let n = 0; n < token.length; n++) if (bytes[at + n] !== token[n]) return false
  return true
}

/** Short texts, of which a call to copy them would cost more than the copy. */
export function put(place: Place, token: Uint8Array): void {
  const { out } = place
  let { end } = place
  for (let n = 0; n < token.length; n++) out[end++] = token[n] as number
  place.end = end
}

/** What does not fit is counted all the same: so it is noticed. */
export function putText(place: Place, text: string): void {
  if (place.end < place.out.length) place.out.write(text, place.end)
  place.end += Buffer.byteLength(text)
}

export function copyTo(place: Place, to: number): void {
  place.bytes.copy(place.out, Math.min(place.end, place.out.length), place.at, to)
  place.end += to - place.at
}
