/** Collects the lines of a file that hold bytes beyond ASCII: its first half megabyte often has none, and only they tell an encoding. */
import { isAscii } from 'node:buffer'

const mostBytes = 2 ** 16
/** Of a longer line what follows is left out: a document may be one line. */
const longestLine = 2 ** 14
/** Of the ASCII before the first other byte of a line. */
const contextBytes = 40

const lineFeed = 0x0a
const carriageReturn = 0x0d
const nothing: Uint8Array = new Uint8Array(0)

export interface Sample {
  see(chunk: Uint8Array): void
  bytes(): Buffer
}

/** LF and CR are part of no character in any encoding that holds ASCII, and the first byte beyond ASCII of a line begins one. */
export function openSample(): Sample {
  const kept: Uint8Array[] = []
  let size = 0
  let line = nothing
  let begun = false

  function add(part: Uint8Array) {
    if (!begun) {
      const first = part.findIndex((byte) => byte >= 0x80)
      if (first < 0) {
        line = Buffer.concat([line, part.subarray(-contextBytes)]).subarray(-contextBytes)
        return
      }
      begun = true
      line = Buffer.concat([line, part.subarray(Math.max(0, first - contextBytes), first + longestLine)])
    } else if (line.length < longestLine) line = Buffer.concat([line, part.subarray(0, longestLine)])
  }

  function endLine() {
    if (begun) kept.push(line, Buffer.from('\n'))
    if (begun) size += line.length + 1
    line = nothing
    begun = false
  }

  return {
    see(chunk) {
      if (!begun && isAscii(chunk)) {
        const end = Math.max(chunk.lastIndexOf(lineFeed), chunk.lastIndexOf(carriageReturn))
        if (end >= 0) line = nothing
        add(chunk.subarray(end + 1))
        return
      }
      let from = 0
      for (let at = 0; at < chunk.length && size < mostBytes; at++) {
        if (chunk[at] !== lineFeed && chunk[at] !== carriageReturn) continue
        add(chunk.subarray(from, at))
        endLine()
        from = at + 1
      }
      if (size < mostBytes) add(chunk.subarray(from))
    },
    bytes() {
      endLine()
      return Buffer.concat(kept)
    },
  }
}
