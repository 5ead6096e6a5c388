/** Media: can the product be seen? */

import { asciiAddress } from '../../../schemas/feeds/ascii-address.ts'
import { googleAnswer } from '../../../schemas/feeds/platform-pages.ts'
import { percent } from '../percent.ts'
import type { RuleOfDimension } from '../rule.ts'

/** Percent for so many images beside the first. */
const additional = [0, 50, 70, 85]

export const mediaRules: readonly RuleOfDimension[] = [
  {
    id: 'image',
    field: 'image',
    points: 50,
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
    id: 'images',
    field: 'images',
    points: 35,
    why: 'Four more images show the product from its other sides and in use',
    sources: [googleAnswer(12472826)],
    presence: true,
    check: ({ images }) => (images.length === 0 ? 0 : (additional[images.length - 1] ?? 100)),
  },
]
