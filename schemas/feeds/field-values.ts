/** Where the values of attributes come from, by name: how each is read of a product, what it looks like and for what it is refused. */
import type { RefinedProduct } from '../product.ts'
import { asciiAddress } from './ascii-address.ts'
import { blank } from './blank.ts'
import { codePoints } from './code-points.ts'
import { complaintsOf } from './complaints-of.ts'
import { cutText } from './cut-text.ts'
import type { FieldValue } from './feed-field.ts'
import { firstImage } from './first-image.ts'
import { type ImageLimits, imageLimits } from './image-limits.ts'
import { named } from './named.ts'
import { priceValues } from './price-values.ts'
import type { FeedProduct } from './profile.ts'
import { addressShape, gtinShape, listShape, matchShape, textShape, wordShape } from './shapes.ts'
import { tradableGtin } from './tradable-gtin.ts'

export interface FieldData {
  readonly name: string
  readonly from: ValueName | FieldValue
  /** The page that says so. */
  readonly source: string
  /** Whether the platform takes no product without it. */
  readonly need?: true
  /** In code points. Titles and descriptions are cut there; ids that are longer are refused, and other texts left out where they are not needed. */
  readonly limit?: number
  /** Our words and the platform's. */
  readonly words?: Readonly<Record<string, string>>
  /** How many values a list has at most. */
  readonly most?: number
  /** What else an id must look like, as a pattern and in words. */
  readonly matches?: { readonly pattern: string; readonly says: string }
  /** Between the levels of a path. */
  readonly separator?: string
  /** Whether commas in addresses are written as %2C, since they would start another value. */
  readonly encodesCommas?: true
  readonly images?: ImageLimits
}

export type MakeValue = (data: FieldData, platform: string) => FieldValue

/** What servers and platforms take of an address where a platform states no limit of its own. */
const addressLimit = 2000

const fits = (text: string | null, limit: number | undefined) =>
  text !== null && !blank(text) && (limit === undefined || text.length <= limit || codePoints(text) <= limit)

const asked = ({ need, limit }: FieldData, more = '') =>
  [need ? 'required' : 'may be left out', limit !== undefined && `at most ${limit} characters`, more]
    .filter(Boolean)
    .join(', ')

const oneOf = (words: readonly string[]) => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

const upTo = (limit: number | undefined) => (limit === undefined ? 'send one' : `send up to ${limit} characters`)

/** A long one is cut. */
const cut =
  (what: string, get: (p: RefinedProduct) => string | null): MakeValue =>
  (data) => ({
    shape: textShape(data.limit),
    of: (p) => {
      const text = get(p)
      return text === null || data.limit === undefined ? text : cutText(text, data.limit)
    },
    ...(data.need && {
      refusals: [
        {
          asks: asked(data, data.limit === undefined ? '' : 'what is longer is cut'),
          broken: ({ product }) => (blank(get(product)) ? `The ${what} is missing; ${upTo(data.limit)}` : null),
        },
      ],
    }),
  })

/** A long one is refused where it is needed, and else left out. */
const whole =
  (what: string, get: (p: RefinedProduct) => string | null): MakeValue =>
  (data, platform) => {
    const { tooLong } = complaintsOf(platform)
    return {
      shape: textShape(data.limit),
      of: (p) => {
        const text = get(p)
        return fits(text, data.limit) ? text : null
      },
      ...(data.need && {
        refusals: [
          {
            asks: asked(data),
            broken({ product }) {
              const text = get(product)
              if (blank(text)) return `The ${what} is missing; ${upTo(data.limit)}`
              return data.limit === undefined ? null : tooLong(what, text, data.limit)
            },
          },
        ],
      }),
    }
  }

/** An id is sent as it is or not at all. */
const identity =
  (what: string, get: (feed: FeedProduct) => string | null): MakeValue =>
  (data, platform) => {
    const pattern = data.matches && new RegExp(data.matches.pattern)
    const { tooLong } = complaintsOf(platform)
    return {
      shape: { ...textShape(data.limit), ...(data.matches && matchShape(data.matches.pattern)) },
      of: (_, feed) => get(feed),
      refusals: [
        {
          asks: asked(data, [data.matches?.says, data.need && 'no group’s id'].filter(Boolean).join(', ')),
          broken(feed) {
            const id = get(feed)
            if (id === null || blank(id)) return data.need ? `The product has no ${what}; give it a SKU` : null
            if (data.need && id === feed.itemGroupId)
              return 'The id is also that of the group; give the variant a SKU of its own'
            if (pattern && !pattern.test(id))
              return `The ${what} "${cutText(id, 80)}" has other characters than ${platform} takes; send ${data.matches?.says}`
            return data.limit === undefined ? null : tooLong(what, id, data.limit)
          },
        },
      ],
    }
  }

/** One of few words; where none is known the platform is told nothing. */
const word =
  (what: string, get: (p: RefinedProduct) => string | null): MakeValue =>
  ({ words = {}, need }) => {
    const theirs = new Map(Object.entries(words))
    const find = (said: string | null) => (said === null ? undefined : theirs.get(said.trim().toLowerCase()))
    return {
      shape: wordShape([...theirs.values()]),
      of: (p) => find(get(p)) ?? null,
      ...(need && {
        refusals: [
          {
            asks: `required: ${[...new Set(theirs.values())].join(', ')}`,
            broken: ({ product }) =>
              find(get(product)) === undefined ? `The ${what} is not known; send ${oneOf([...theirs.keys()])}` : null,
          },
        ],
      }),
    }
  }

const addressOf = (text: string | undefined | null, { limit = addressLimit, encodesCommas }: FieldData) => {
  if (text === undefined || text === null) return null
  const address = asciiAddress(text)
  const written = encodesCommas && address?.includes(',') ? address.replaceAll(',', '%2C') : address
  return written !== null && written.length <= limit ? written : null
}

const link: MakeValue = (data, platform) => {
  const { limit = addressLimit } = data
  const { badLink } = complaintsOf(platform)
  return {
    shape: addressShape(limit),
    of: ({ link }) => addressOf(link, data),
    refusals: [
      {
        asks: `required, http or https, at most ${limit} characters`,
        broken: ({ product }) => badLink(product, limit),
      },
    ],
  }
}

const image: MakeValue = (data, platform) => {
  const { limit = addressLimit, encodesCommas = false } = data
  const { badImage } = complaintsOf(platform)
  const refused = firstImage(platform, data.images ?? imageLimits.google)
  return {
    shape: addressShape(limit),
    of: ({ images }) => addressOf(images[0], data),
    refusals: [
      {
        asks: `required, http or https, at most ${limit} characters`,
        broken: ({ product }) => badImage(product, limit, encodesCommas) ?? refused(product),
      },
    ],
  }
}

/** All but the first; what is no address is left out. */
const moreImages: MakeValue = (data) => ({
  shape: listShape(addressShape(data.limit ?? addressLimit), data.most),
  of: ({ images }) => {
    if (images.length < 2) return null
    const more: string[] = []
    for (let n = 1; n < images.length && more.length < (data.most ?? images.length); n++) {
      const address = addressOf(images[n], data)
      if (address !== null) more.push(address)
    }
    return more
  },
})

/** Levels that do not fit go from the narrow end, so that what is left is still true. */
const path: MakeValue = ({ limit, separator = ' > ' }) => ({
  shape: textShape(limit),
  of: ({ categoryPath }) => {
    for (let levels = categoryPath.length; levels > 0; levels--) {
      const text = categoryPath.slice(0, levels).join(separator)
      if (fits(text, limit)) return text
    }
    return null
  },
})

const gtin: MakeValue = () => ({ shape: gtinShape, of: (p) => tradableGtin(p.gtin) })

export const fieldValues = {
  id: identity('id', ({ id }) => id),
  group: identity('item group id', ({ itemGroupId }) => itemGroupId),
  title: cut('title', ({ title }) => title),
  description: cut('description', ({ description }) => description),
  ...{ link, image, moreImages, path, gtin },
  ...priceValues,
  brand: whole('brand', ({ brand }) => named(brand)),
  mpn: whole("maker's part number", ({ mpn }) => named(mpn)),
  availability: word('availability', ({ availability }) => availability),
  condition: word('condition', ({ condition }) => condition),
  gender: word('gender', ({ gender }) => gender),
  ageGroup: word('age group', ({ ageGroup }) => ageGroup),
  googleCategory: whole('category of Google', ({ googleProductCategory }) => googleProductCategory),
  color: whole('colour', ({ color }) => color),
  size: whole('size', ({ size }) => size),
  material: whole('material', ({ material }) => material),
  pattern: whole('pattern', ({ pattern }) => pattern),
} satisfies Record<string, MakeValue>

export type ValueName = keyof typeof fieldValues
