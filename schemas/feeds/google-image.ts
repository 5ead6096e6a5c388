/** What Google asks of the first image, by the limits of one version of its specification. */
import { complaintsOf } from './complaints-of.ts'
import { firstImage } from './first-image.ts'
import type { ImageLimits } from './image-limits.ts'
import { googleAnswer } from './platform-pages.ts'
import type { PlatformRule } from './profile.ts'

const { badImage } = complaintsOf('Google')

export function googleImage(limits: ImageLimits): PlatformRule {
  const { leastSide, leastApparelSide } = limits
  const refused = firstImage('Google', limits)
  const worn = leastApparelSide === leastSide ? '' : `, ${leastApparelSide} x ${leastApparelSide} for what is worn`
  return {
    field: 'image_link',
    asks: `required, http or https, at most 2000 characters with commas as %2C; JPEG, WebP, PNG, GIF, BMP or TIFF from ${leastSide} x ${leastSide} pixels on${worn}`,
    source: googleAnswer(12472547),
    broken: ({ product }) => badImage(product, 2000, true) ?? refused(product),
  }
}
