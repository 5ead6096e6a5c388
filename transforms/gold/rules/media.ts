/** Media: can the product be seen? */
import { asciiAddress } from '../../../schemas/feeds/ascii-address.ts'
import { leastSideEverywhere } from '../../../schemas/feeds/image-limits.ts'
import { googleAnswer, metaImages } from '../../../schemas/feeds/platform-pages.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { percent } from '../percent.ts'
import type { RuleOfDimension } from '../rule.ts'

/** Percent for so many images beside the first. */
const additional = [0, 50, 70, 85]

/** What a check knows against the first image; undefined where nothing is known, which costs nothing. */
const against = ({ images, imageFindings }: RefinedProduct) => imageFindings?.find(({ image }) => image === images[0])

/** An image that cannot be had shows nothing, whatever its size. */
const isShown = (p: RefinedProduct) => {
  const state = against(p)?.state
  return state !== 'dead' && state !== 'not_an_image'
}

function size(p: RefinedProduct): number {
  const { width = null, height = null } = against(p) ?? {}
  if (!isShown(p)) return 0
  return width === null || height === null ? 100 : percent.of(Math.min(width, height), leastSideEverywhere)
}

/** Those of the additional images that are known to be none are not counted. */
function countOf({ images, imageFindings }: RefinedProduct): number {
  if (imageFindings === undefined) return images.length
  const gone = imageFindings.filter(({ state }) => state === 'dead' || state === 'not_an_image')
  return images.filter((one, at) => at === 0 || !gone.some(({ image }) => image === one)).length
}

/** What a check finds decides `image.shown` and `image.size`; a product that no check has seen attains both. */
export const mediaRules: readonly RuleOfDimension[] = [
  {
    id: 'image',
    field: 'image',
    points: 30,
    why: 'Nearly every platform refuses a product without an image',
    sources: [googleAnswer(12472547)],
    presence: true,
    check: ({ images }) => percent.when(images.length > 0),
  },
  {
    id: 'image.address',
    field: 'image',
    points: 15,
    why: 'The image must be at a web address that others can fetch',
    sources: [googleAnswer(12472547)],
    check: ({ images: [first] }) => (first === undefined ? 0 : percent.when(asciiAddress(first) !== null)),
  },
  {
    id: 'image.shown',
    field: 'image',
    points: 15,
    why: 'The address of the image must lead to an image: a page or a missing file shows nothing',
    sources: [googleAnswer(12472547)],
    check: (p) => (p.images.length === 0 ? 0 : percent.when(isShown(p))),
  },
  {
    id: 'image.size',
    field: 'image',
    points: 5,
    why: 'An image of 500 x 500 pixels or more is taken by every platform; Meta asks for it now, Google from 2027 on',
    sources: [metaImages, googleAnswer(12472547)],
    check: (p) => (p.images.length === 0 ? 0 : size(p)),
  },
  {
    id: 'images',
    field: 'images',
    points: 35,
    why: 'Four more images show the product from its other sides and in use',
    sources: [googleAnswer(12472826)],
    presence: true,
    check: (p) => (p.images.length === 0 ? 0 : (additional[countOf(p) - 1] ?? 100)),
  },
]
