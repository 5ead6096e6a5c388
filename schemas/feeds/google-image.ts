/** For what Google refuses a product's first image, as far as a check knows it; what nobody has checked is taken. */
import type { ImageFinding } from '../image-check.ts'
import type { RefinedProduct } from '../product.ts'
import { googleBranch } from './google-branch.ts'
import { type ImageLimits, imageLimits } from './image-limits.ts'

const { leastSide, leastApparelSide, mostBytes, types }: ImageLimits = imageLimits.google

/** @returns what is wrong and what would be right */
export function googleImage({ images, imageFindings, googleProductCategory }: RefinedProduct): string | null {
  const found = imageFindings?.find(({ image }) => image === images[0])
  if (found === undefined) return null
  const { state, status, type, width, height } = found
  if (state === 'dead') {
    const what = status === null ? 'cannot be fetched' : `is not there: its host answers ${status} in place of an image`
    return `The first image ${what}; give an address that leads to one`
  }
  if (state === 'not_an_image') return `The first image is no image that can be read${is(type)}; send a JPEG or PNG`
  if (state === 'too_large' || isHeavy(found))
    return `The first image is larger than the 16 MB or 64 megapixels that Google takes; send a smaller one`
  if (type !== null && !types.includes(type))
    return `Google does not take the first image${is(type)}; send a JPEG or PNG`
  const branch = googleBranch(googleProductCategory)
  const least = branch === 'clothing' || branch === 'apparel' ? leastApparelSide : leastSide
  if (width === null || height === null || Math.min(width, height) >= least) return null
  return `The first image has ${width} x ${height} pixels; Google takes none below ${least} x ${least}`
}

const isHeavy = ({ bytes }: ImageFinding) => bytes !== null && bytes > mostBytes
const is = (type: string | null) => (type === null ? '' : `, it is of the type ${type}`)
