/** Stops what inflates to more than it may: packed files and parts of workbooks can claim a thousand times their size. */
import { TableError } from '../table-error.ts'

export interface Bounds {
  /** What a packed file holds may be as large as a file that is sent unpacked. */
  readonly mostBytes: number
  /** Up to here the ratio says nothing. */
  readonly freeBytes: number
  /** Product data packs 5 to 40 to 1, sparse sheets 100 to 1; deflate's utmost is 1,032 to 1. */
  readonly mostRatio: number
}

export const defaultBounds: Bounds = { mostBytes: 10 * 2 ** 30, freeBytes: 2 ** 30, mostRatio: 200 }

/** @throws TableError `too_large` as soon as it is known, with nothing held */
export async function* bounded(
  chunks: AsyncIterable<Uint8Array>,
  packedBytes: number,
  { mostBytes, freeBytes, mostRatio }: Bounds,
): AsyncGenerator<Uint8Array> {
  const most = Math.min(mostBytes, Math.max(freeBytes, packedBytes * mostRatio))
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > most) {
      const says = `The ${packedBytes} packed bytes hold more than ${most}, which is the most that is unpacked; send the file in parts, or unpacked`
      throw new TableError('too_large', says)
    }
    yield chunk
  }
}
