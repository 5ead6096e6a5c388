/** The part of a file that a request asks for, by RFC 9110, section 14: one range of bytes, where the file is still the one that is meant. */

export interface ByteRange {
  readonly start: number
  /** The last byte of it. */
  readonly end: number
}

export interface Held {
  readonly bytes: number
  /** Strong. */
  readonly tag: string
  readonly at: Date
}

interface Asked {
  readonly range?: string | undefined
  readonly 'if-range'?: string | undefined
}

const one = /^bytes[ \t]*=[ \t]*(\d*)-(\d*)[ \t]*$/i

/** @returns `all` also for what nobody has to understand: several ranges, another unit; `outside` is answered with 416 */
export function askedRange(headers: Asked, { bytes, tag, at }: Held): ByteRange | 'all' | 'outside' {
  const [found, first = '', last = ''] = one.exec(headers.range ?? '') ?? []
  if (found === undefined || (first === '' && last === '') || !isSame(headers['if-range'], tag, at)) return 'all'
  if (first === '') {
    const length = Math.min(Number(last), bytes)
    return length === 0 ? 'outside' : { start: bytes - length, end: bytes - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'all'
  if (start >= bytes) return 'outside'
  return { start, end: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) }
}

/** A weak tag is never the same here, and a date only where it is exactly that of the file. */
function isSame(condition: string | undefined, tag: string, at: Date): boolean {
  if (condition === undefined) return true
  const text = condition.trim()
  if (text.startsWith('"') || text.startsWith('W/')) return text === tag
  return Date.parse(text) === Math.floor(at.getTime() / 1_000) * 1_000
}
