/** Reads a file from its beginning into two pieces of memory in turn: one is looked at while the other fills. */
import { open } from 'node:fs/promises'

/**
 * Node's usual 64 KiB would cost a tenth of the time of reading. From 128 KiB a piece's text is a large object to V8, which only a full
 * collection frees: a process that reads grew by half as much again.
 */
export const pieceBytes = 120 * 2 ** 10

/**
 * A stream makes memory of its own for each piece: of a gigabyte that took 0.9 s to read, and 0.1 s so, and made V8 collect all the while.
 * @returns pieces that are good until the next is asked for
 */
export async function* filePieces(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path)
  const read = (into: Buffer) => {
    const coming = file.read(into, 0, pieceBytes)
    // Whoever looks at the piece before it may fail, and then nobody waits for this one.
    coming.catch(() => {})
    return coming
  }
  let [now, next] = [Buffer.allocUnsafeSlow(pieceBytes), Buffer.allocUnsafeSlow(pieceBytes)]
  let coming = read(now)
  try {
    for (;;) {
      const { bytesRead } = await coming
      if (bytesRead === 0) return
      coming = read(next)
      yield now.subarray(0, bytesRead)
      ;[now, next] = [next, now]
    }
  } finally {
    // Nothing may be read into memory that is let go.
    await coming.catch(() => {})
    await file.close()
  }
}
