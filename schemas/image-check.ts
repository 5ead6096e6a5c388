/** What a check finds of an image: its state, and what of that travels with the products which name it. */

/** `unreachable` is no verdict: the host may answer later, or others than us. */
export const imageStates = ['ok', 'too_small', 'not_an_image', 'too_large', 'dead', 'unreachable'] as const
export type ImageState = (typeof imageStates)[number]

/** Where a check writes what it learned (DESIGN 5.4): a source that keeps no product alive and is no edit. */
export const imageCheckSource = 'check:images'
/** The one cell of its records: JSON text, written and read by `transforms/silver/image-findings.ts`. */
export const imageChecksColumn = 'image_checks'

/**
 * One of a product's images that some platform may refuse, or would by its name. Images that are fine everywhere, or unknown,
 * have none.
 */
export interface ImageFinding {
  /** The address, as the product has it. */
  readonly image: string
  readonly state: Exclude<ImageState, 'unreachable'>
  /** Of HTTP, where the host answered something else than an image. */
  readonly status: number | null
  /** What the first bytes are: `jpeg`, `webp`, `html` and others. */
  readonly type: string | null
  readonly width: number | null
  readonly height: number | null
  readonly bytes: number | null
}
