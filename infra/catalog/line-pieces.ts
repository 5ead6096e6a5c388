/** Joins the lines of a feed that COPY gives, PGCOPY binary with a product and a line a row, to pieces of a good size to go out. */
import { readUuid } from '../uuid.ts'
import type { TakeCopied } from './copied-data.ts'

/** Lines in their order. */
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

const pieceBytes = 64 * 1024
const fileHeadBytes = 19
const uuidAt = 2 + 4
const uuidBytes = 16
const lengthAt = uuidAt + uuidBytes
const rowHeadBytes = lengthAt + 4
const lineFeed = 10
const nothing = Buffer.alloc(0)

export interface LinePieces {
  /** The parts that COPY's bytes come in may end anywhere. */
  readonly read: TakeCopied
  /** Gives what is left. */
  end(): void
}

export function linePieces(taker: PieceTaker): LinePieces {
  const head = Buffer.alloc(rowHeadBytes)
  const last = Buffer.alloc(uuidBytes)
  let [skipped, headEnd, end, lines, left] = [0, 0, 0, 0, 0]
  let room: Buffer = nothing

  function give(): void {
    if (lines > 0) taker.take({ bytes: room.subarray(0, end), lines, last: readUuid(last, 0) })
    room = nothing
    end = 0
    lines = 0
  }

  /** @param at of its head */
  function begin(bytes: Buffer, at: number): void {
    left = bytes.readInt32BE(at + lengthAt)
    if (room.length - end <= left) {
      give()
      room = taker.room(Math.max(pieceBytes, left + 1))
    }
    for (let n = 0; n < uuidBytes; n++) last[n] = bytes[at + uuidAt + n] as number
  }

  return {
    read(bytes, from, to) {
      let at = Math.min(from + fileHeadBytes - skipped, to)
      skipped += at - from
      while (at < to) {
        if (left === 0 && headEnd === 0 && to - at >= rowHeadBytes) {
          begin(bytes, at)
          at += rowHeadBytes
        } else if (left === 0) {
          const copied = bytes.copy(head, headEnd, at, to)
          headEnd += copied
          at += copied
          // What marks the end is shorter than the head of any row.
          if (headEnd < rowHeadBytes) return
          headEnd = 0
          begin(head, 0)
        }
        const copied = bytes.copy(room, end, at, Math.min(to, at + left))
        end += copied
        at += copied
        left -= copied
        if (left > 0) return
        room[end++] = lineFeed
        lines++
      }
    },
    end: give,
  }
}
