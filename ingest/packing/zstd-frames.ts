/** Inflates a zstd file frame by frame: files may be joined of several, and the runtime stops at the first one's end without a word. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'

/** More are no file of a packer: each is a stream that is opened anew. */
const mostFrames = 100_000

export async function* zstdFrames(path: string): AsyncGenerator<Uint8Array> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    let frames = 0
    for (let at = 0; at < size; ) {
      if (++frames > mostFrames) throw new Error(`the file has more than ${mostFrames} frames`)
      const skipped = skippableBytes((await handle.read(Buffer.alloc(8), 0, 8, at)).buffer)
      if (skipped > 0) {
        at += skipped
        continue
      }
      const inflate = createZstdDecompress()
      pipeline(createReadStream(path, { start: at }), inflate, () => {})
      yield* inflate
      if (inflate.bytesWritten === 0) throw new Error('a frame of no bytes')
      at += inflate.bytesWritten
    }
  } finally {
    await handle.close()
  }
}

/** "Skippable frames", RFC 8878, 3.1.2: four bytes of sixteen possible, then a length. */
function skippableBytes(head: Buffer): number {
  const magic = head.readUInt32LE(0)
  return magic >= 0x184d2a50 && magic <= 0x184d2a5f ? 8 + head.readUInt32LE(4) : 0
}
