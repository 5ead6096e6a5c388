/** Takes pieces of a feed's lines out of what COPY gives: PGCOPY binary with a product, a count and the lines joined in each row. */
import type { TakeCopied } from './copied-data.ts'

/** Lines that were joined by the store. */
export interface LinePiece {
  /** A line feed after each line. */
  readonly bytes: Buffer
  readonly lines: number
  /** The product of its last line. */
  readonly last: string
}

/** Whoever wants the pieces of a page. */
export interface PieceTaker {
  /** Memory for the next piece, of at least so many bytes. */
  room(bytes: number): Buffer
  take(piece: LinePiece): void
}

const fileHeadBytes = 19
const uuidAt = 2 + 4
const linesAt = uuidAt + 16 + 4
const lengthAt = linesAt + 4
const rowHeadBytes = lengthAt + 4
const lineFeed = 10

/** @returns is told of the parts that COPY's bytes come in, which may end anywhere */
export function linePieces(taker: PieceTaker): TakeCopied {
  const head = Buffer.alloc(rowHeadBytes)
  let [skipped, headEnd, end, length] = [0, 0, 0, 0]
  let room: Buffer | null = null

  return (bytes, from, to) => {
    let at = Math.min(from + fileHeadBytes - skipped, to)
    skipped += at - from
    while (at < to) {
      if (room === null) {
        const copied = bytes.copy(head, headEnd, at, to)
        headEnd += copied
        at += copied
        // What marks the end is shorter than the head of any row.
        if (headEnd < rowHeadBytes) return
        length = head.readInt32BE(lengthAt)
        room = taker.room(length + 1)
        end = 0
      }
      const copied = bytes.copy(room, end, at, Math.min(to, at + length - end))
      end += copied
      at += copied
      if (end < length) return
      room[end++] = lineFeed
      const last = shown(head.toString('hex', uuidAt, uuidAt + 16))
      taker.take({ bytes: room.subarray(0, end), lines: head.readInt32BE(linesAt), last })
      room = null
      headEnd = 0
    }
  }
}

const shown = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
