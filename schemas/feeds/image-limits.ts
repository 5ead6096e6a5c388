/** What platforms ask of an image beyond its address, each with the page it comes from (tags as in the fact sheet). */

export interface ImageLimits {
  /** Pixels that both sides have at least. */
  readonly leastSide: number
  /** The same for something to wear. */
  readonly leastApparelSide: number
  readonly mostBytes: number
  readonly mostPixels: number
  /** By the first bytes of the file. */
  readonly types: readonly string[]
}

const mebibyte = 2 ** 20
const megapixel = 1_000_000

export const imageLimits = {
  // G-ans:12472547
  google: {
    leastSide: 100,
    leastApparelSide: 250,
    mostBytes: 16 * mebibyte,
    mostPixels: 64 * megapixel,
    types: ['jpeg', 'webp', 'png', 'gif', 'bmp', 'tiff'],
  },
  // M-fields, M-help 686259348512056. Pixels in all are not bounded there: what Google finds too many is sent to nobody.
  meta: {
    leastSide: 500,
    leastApparelSide: 500,
    mostBytes: 8 * mebibyte,
    mostPixels: 64 * megapixel,
    types: ['jpeg', 'png'],
  },
  // O-prod names the types alone; of the rest, what no other platform takes is not sent to it.
  openai: {
    leastSide: 100,
    leastApparelSide: 100,
    mostBytes: 16 * mebibyte,
    mostPixels: 64 * megapixel,
    types: ['jpeg', 'png'],
  },
} as const satisfies Record<string, ImageLimits>

/** As Google has announced it for 2027-01-31. G-ans:12472547 */
export const googleImagesOf2027: ImageLimits = { ...imageLimits.google, leastSide: 500, leastApparelSide: 500 }

const all: readonly ImageLimits[] = Object.values(imageLimits)

/** Below these no platform takes an image; at or above those all of them do. */
export const leastSideAnywhere = Math.min(...all.map(({ leastSide }) => leastSide))
export const leastSideEverywhere = Math.max(...all.map(({ leastApparelSide }) => leastApparelSide))
/** Above these no platform takes an image. */
export const mostBytesAnywhere = Math.max(...all.map(({ mostBytes }) => mostBytes))
export const mostPixelsAnywhere = imageLimits.google.mostPixels
/** What every platform takes. */
export const mostBytesEverywhere = Math.min(...all.map(({ mostBytes }) => mostBytes))
export const typesEverywhere: readonly string[] = imageLimits.google.types.filter((type) =>
  all.every(({ types }) => types.includes(type)),
)
