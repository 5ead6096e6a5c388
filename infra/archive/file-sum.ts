/** The SHA-256 of a file, in hex, without holding it. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

export async function fileSum(path: string): Promise<string> {
  const sum = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) sum.update(chunk)
  return sum.digest('hex')
}
