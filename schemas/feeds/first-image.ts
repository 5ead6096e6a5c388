/** For what a platform refuses a product's first image: what a check found there decides, and the name of one that nobody has checked (KF-19). */
import type { ImageFinding } from '../image-check.ts'
import type { RefinedProduct } from '../product.ts'
import { googleBranch } from './google-branch.ts'
import type { ImageLimits } from './image-limits.ts'
import { pictureName } from './picture-name.ts'

const mebibyte = 2 ** 20
const megapixel = 1_000_000

/** What there is no image at, whoever asks. */
function nothingThere({ state, status, type }: ImageFinding): string | null {
  if (state === 'dead') {
    const what = status === null ? 'cannot be fetched' : `is not there: its host answers ${status} in place of an image`
    return `The first image ${what}; give an address that leads to one`
  }
  return state === 'not_an_image' ? `The first image is no image that can be read${is(type)}; send a JPEG or PNG` : null
}

const is = (type: string | null) => (type === null ? '' : `, it is of the type ${type}`)

/**
 * @param platform as people write it
 * @returns what is wrong and what would be right, for a product that has an image
 */
export function firstImage(platform: string, limits: ImageLimits): (p: RefinedProduct) => string | null {
  const { leastSide, leastApparelSide, mostBytes, mostPixels, types } = limits
  const most = `${mostBytes / mebibyte} MB or ${mostPixels / megapixel} megapixels`

  function against(found: ImageFinding, category: string | null): string | null {
    const { state, type, width, height, bytes } = found
    const nothing = nothingThere(found)
    if (nothing !== null) return nothing
    const pixels = width === null || height === null ? 0 : width * height
    if (state === 'too_large' || (bytes ?? 0) > mostBytes || pixels > mostPixels)
      return `The first image is larger than the ${most} that ${platform} takes; send a smaller one`
    if (type !== null && !types.includes(type))
      return `${platform} does not take the first image${is(type)}; send a JPEG or PNG`
    if (width === null || height === null) return null
    const least =
      googleBranch(category) === 'clothing' || googleBranch(category) === 'apparel' ? leastApparelSide : leastSide
    if (Math.min(width, height) >= least) return null
    return `The first image has ${width} x ${height} pixels; ${platform} takes none below ${least} x ${least}`
  }

  /** A name decides nothing in favour of an image; but who calls a file .webp says what it is. */
  function againstName(address: string): string | null {
    const name = pictureName(address)
    return name === null || types.includes(name.type) ? null : `The image is a .${name.ending}; send a JPEG or PNG`
  }

  return ({ images, imageFindings, googleProductCategory }) => {
    const [first = ''] = images
    const found = imageFindings?.find(({ image }) => image === first)
    return found === undefined ? againstName(first) : against(found, googleProductCategory)
  }
}
