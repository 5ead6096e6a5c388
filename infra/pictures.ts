/** Looks at the bytes of images: how large a picture they hold, whether all of it is there, and what it looks like. */
import type { Sharp, SharpConstructor } from 'sharp'

export interface Picture {
  /** As it is shown, turned where its camera was. */
  readonly width: number
  readonly height: number
  /** False where the file breaks off, or holds what is no part of such an image. */
  readonly whole: boolean
  /** 64 bits, at most three of which differ between two files that show one picture in other sizes or formats; null where there is hardly anything to see. */
  readonly looks: Buffer | null
}

export interface Pictures {
  /** One after the other, however many ask. @returns null for bytes that are no image which can be read */
  look(bytes: Uint8Array): Promise<Picture | null>
}

/** Of strangers' files only these are ever given to a decoder: no SVG, which is a program, and no document. */
const decoders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].map((name) => `VipsForeignLoad${name}`)

/** Nine brightnesses in each of eight rows make eight comparisons a row. */
const [columns, rows] = [9, 8]
/** Shades between the darkest and the brightest spot; below, the comparisons tell noise from noise. */
const leastContrast = 8
/** What is brighter by less than this is as bright: compression makes waves on a plain ground. */
const leastStep = 2

/** @param mostPixels what has more is not decoded */
export function openPictures(mostPixels: number): Pictures {
  let loaded: Promise<SharpConstructor> | null = null
  let last: Promise<unknown> = Promise.resolve()
  return {
    look(bytes) {
      const mine = last.then(async () => {
        loaded ??= load()
        return lookAt(await loaded, bytes, mostPixels)
      })
      last = mine.catch(() => {})
      return mine
    },
  }
}

/** Not before it is needed: most processes never look at a picture. */
async function load(): Promise<SharpConstructor> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  // Beside requests: a picture of 64 megapixels takes a core for a second, and no more than one.
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: decoders })
  return sharp
}

async function lookAt(sharp: SharpConstructor, bytes: Uint8Array, mostPixels: number): Promise<Picture | null> {
  // Read for its size first: a picture that is too large is to be told so.
  const size = bytes.length === 0 ? null : await sizeOf(sharp(bytes, { limitInputPixels: false }))
  if (size === null) return null
  const { width, height } = size
  if (width * height > mostPixels) return { width, height, whole: true, looks: null }
  try {
    const image = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true })
    return { width, height, whole: true, looks: looksOf(await shadesOf(image)) }
  } catch {
    return { width, height, whole: false, looks: null }
  }
}

const sizeOf = (image: Sharp) =>
  image.metadata().then(
    ({ autoOrient }) => autoOrient,
    () => null,
  )

const shadesOf = (image: Sharp): Promise<Buffer> =>
  image
    .autoOrient()
    .flatten({ background: 'white' })
    // Decoders that make a JPEG smaller as they read it shift its edges: four times as many bits differed then.
    .resize(columns, rows, { fit: 'fill', fastShrinkOnLoad: false })
    .toColourspace('b-w')
    .raw()
    .toBuffer()

/**
 * A difference hash: whether each spot is brighter than its neighbour, which size and compression hardly change. Of its four
 * parts of two bytes each has some spots of every row and of the middle as of the edges, so that backgrounds, which all
 * pictures of a shop have in common, fill none of them.
 */
function looksOf(shades: Buffer): Buffer | null {
  if (Math.max(...shades) - Math.min(...shades) < leastContrast) return null
  const looks = Buffer.alloc(rows)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column + 1 < columns; column++) {
      const at = row * columns + column
      if ((shades[at + 1] ?? 0) <= (shades[at] ?? 0) + leastStep) continue
      const part = ((column % 4) + row) % 4
      const bit = row * 2 + (column >> 2)
      const byte = part * 2 + (bit >> 3)
      looks[byte] = (looks[byte] ?? 0) | (1 << (bit & 7))
    }
  return looks
}
