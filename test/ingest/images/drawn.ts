/** Pictures for tests: drawn from a number, so that two of one number show the same and those of two numbers do not. */
import sharp from 'sharp'
import { mulberry32 } from '../../faults/mulberry.ts'

type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif'

/** Sixteen by sixteen spots of any brightness, drawn large. */
export function drawn(seed: number, width: number, height = width, format: Format = 'jpeg'): Promise<Buffer> {
  const random = mulberry32(seed)
  const spots = Buffer.from(Array.from({ length: 256 }, () => Math.floor(random() * 256)))
  return sharp(spots, { raw: { width: 16, height: 16, channels: 1 } })
    .resize(width, height, { fit: 'fill' })
    .toFormat(format)
    .toBuffer()
}

export const blank = (side: number): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'white' } })
    .png()
    .toBuffer()

/** A head of 54 bytes and no picture behind it. */
export function bmp(width: number, height: number): Buffer {
  const head = Buffer.alloc(54)
  head.write('BM', 'latin1')
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(width, 18)
  head.writeInt32LE(-height, 22)
  return head
}
