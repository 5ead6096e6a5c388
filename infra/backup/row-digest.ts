/** Counts the rows of a binary COPY as it streams by, and digests them so that their order does not matter. */
import { hash } from 'node:crypto'

export interface RowDigest {
  /** Any piece of the stream. @throws where it is no binary COPY */
  feed(chunk: Buffer): void
  /** @throws where the stream broke off */
  end(): { readonly rows: number; readonly bytes: number; readonly digest: string }
}

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
/** Signature, flags, and the length of an extension that Postgres does not have yet. */
const headBytes = signature.length + 8
const laneCount = 4

/**
 * The sum of the rows' SHA-256, lane by lane in 32 bits: a sum, since a table without a key may have one row twice, which a XOR would
 * take for none. It tells two tables apart by accident once in 2^128, and is no protection from intent: that is the checksums'.
 */
export function openRowDigest(): RowDigest {
  const lanes = new Uint32Array(laneCount)
  let held: Buffer[] = []
  let heldBytes = 0
  /** Below so many bytes nothing whole is there: a row of megabytes is put together once. */
  let wanted = headBytes
  let begun = false
  let ended = false
  let rows = 0
  let bytes = 0

  function add(row: Buffer): void {
    const sum = hash('sha256', row, 'buffer')
    for (let i = 0; i < laneCount; i++) lanes[i] = (lanes[i] ?? 0) + sum.readUInt32LE(i * 4)
    rows++
  }

  function take(buffer: Buffer): number {
    let at = 0
    if (!begun) {
      if (!buffer.subarray(0, signature.length).equals(signature)) throw new Error('this is no binary COPY')
      begun = true
      at = headBytes
    }
    for (;;) {
      const end = rowEnd(buffer, at)
      if (end === trailer) {
        ended = true
        return at + 2
      }
      if (end < 0) {
        wanted = -end - at
        return at
      }
      add(buffer.subarray(at, end))
      at = end
    }
  }

  return {
    feed(chunk) {
      if (chunk.length === 0) return
      bytes += chunk.length
      if (ended) throw new Error('there is something behind the end of this COPY')
      held.push(chunk)
      heldBytes += chunk.length
      if (heldBytes < wanted) return
      const buffer = held.length === 1 ? chunk : Buffer.concat(held)
      const rest = buffer.subarray(take(buffer))
      if (ended && rest.length > 0) throw new Error('there is something behind the end of this COPY')
      held = [rest]
      heldBytes = rest.length
    },
    end() {
      if (!ended) throw new Error('this COPY breaks off')
      const digest = Array.from(lanes, (lane) => lane.toString(16).padStart(8, '0')).join('')
      return { rows, bytes, digest }
    },
  }
}

const trailer = 0

/** @returns where the row at `at` ends; `trailer` at the end of all; below zero, how many bytes must be there to know more */
function rowEnd(buffer: Buffer, at: number): number {
  if (buffer.length < at + 2) return -(at + 2)
  const fields = buffer.readInt16BE(at)
  if (fields === -1) return trailer
  let end = at + 2
  for (let i = 0; i < fields; i++) {
    if (buffer.length < end + 4) return -(end + 4)
    end += 4 + Math.max(0, buffer.readInt32BE(end))
  }
  return end <= buffer.length ? end : -end
}
