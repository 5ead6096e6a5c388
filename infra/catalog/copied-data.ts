/** Takes what a COPY sends out of all that the server says: messages of a letter, a length that counts itself, and that many bytes less four. */

/** @param bytes good until it returns; what it is told of is from there to before there */
export type TakeCopied = (bytes: Buffer, from: number, to: number) => void

const headBytes = 5
const copyData = 'd'.charCodeAt(0)

/**
 * @param pass is given all else, in its order, to keep
 * @returns is given what comes, which may begin and end anywhere in a message but for the first
 */
export function copiedData(take: TakeCopied, pass: (bytes: Buffer) => void): (bytes: Buffer) => void {
  const head = Buffer.alloc(headBytes)
  let [headEnd, left] = [0, 0]
  return (bytes) => {
    let at = 0
    while (at < bytes.length) {
      if (left === 0) {
        while (headEnd < headBytes && at < bytes.length) head[headEnd++] = bytes[at++] as number
        if (headEnd < headBytes) return
        headEnd = 0
        left = head.readInt32BE(1) - 4
        if (head[0] !== copyData) pass(Buffer.from(head))
      }
      const to = Math.min(at + left, bytes.length)
      if (to === at) continue
      if (head[0] === copyData) take(bytes, at, to)
      else pass(Buffer.from(bytes.subarray(at, to)))
      left -= to - at
      at = to
    }
  }
}
