/** Meta's attributes as a line has them: the ten of the contract first and in its order, then additional images, then what else is known. */

import type { FieldValue } from './feed-field.ts'
import { fieldsOf } from './field-of.ts'
import { fieldValues } from './field-values.ts'
import { productWeight } from './google-measures.ts'
import { googleInterval } from './google-moment.ts'
import { metaFields as source } from './platform-pages.ts'
import type { FeedProduct } from './profile.ts'
import { ageGroupWords, conditionWords, genderWords } from './same-words.ts'
import { matchShape } from './shapes.ts'

/** Meta takes 20; the contract has columns for ten. */
export const mostImages = 10

const availabilityWords = {
  in_stock: 'in stock',
  out_of_stock: 'out of stock',
  preorder: 'preorder',
  backorder: 'available for order',
}
const said = fieldValues.availability(
  { name: 'availability', from: 'availability', words: availabilityWords, source },
  'Meta',
)

const availability: FieldValue = {
  shape: said.shape,
  of: (p, feed) =>
    feed.settings?.foldsWaiting && (p.availability === 'preorder' || p.availability === 'backorder')
      ? availabilityWords.in_stock
      : said.of(p, feed),
}

/** In one column the whole list has at most 2000 characters, and what separates its values may be in none of them. M-fields */
const mostInOneColumn = 2000
const apart = /[,;|]/g

const several = fieldValues.moreImages(
  { name: 'additional_image_link', from: 'moreImages', most: mostImages, source },
  'Meta',
)

function inOneColumn(images: readonly string[]): readonly string[] {
  const taken: string[] = []
  let length = 0
  for (const image of images) {
    const written = image.replace(apart, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    length += written.length + (taken.length > 0 ? 1 : 0)
    if (length > mostInOneColumn) break
    taken.push(written)
  }
  return taken
}

const additionalImages: FieldValue = {
  shape: several.shape,
  of(p, feed: FeedProduct) {
    const images = several.of(p, feed)
    return feed.settings?.listsInOneColumn && Array.isArray(images) ? inOneColumn(images) : images
  },
}

/** With a colon in the offset, where Google has none. */
const metaInterval = (text: string | null) =>
  googleInterval(text)
    ?.split('/')
    .map((moment) => moment.replace(/Z$/, '+0000').replace(/(\d\d)$/, ':$1'))
    .join('/') ?? null

const moment = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d'

/** Of a date in time Meta takes the day. */
const day = /^\d{4}-\d\d-\d\d/

const quantity: FieldValue = {
  shape: { type: 'integer', minimum: 0 },
  of: ({ quantity }) =>
    quantity !== null && Number.isSafeInteger(quantity) && quantity >= 0 ? Math.abs(quantity) : null,
}

export const metaFields = fieldsOf('Meta', [
  { name: 'id', from: 'id', need: true, limit: 100, source },
  { name: 'title', from: 'title', need: true, limit: 150, source },
  { name: 'description', from: 'description', need: true, limit: 9999, source },
  { name: 'availability', from: availability, need: true, source },
  { name: 'condition', from: 'condition', need: true, words: conditionWords, source },
  { name: 'price', from: 'price', need: true, source },
  { name: 'link', from: 'link', need: true, source },
  { name: 'image_link', from: 'image', need: true, source },
  { name: 'brand', from: 'brand', need: true, limit: 100, source },
  { name: 'google_product_category', from: 'googleCategory', source },
  { name: 'additional_image_link', from: additionalImages, source },
  { name: 'item_group_id', from: 'group', limit: 100, source },
  { name: 'sale_price', from: 'datedSalePrice', source },
  {
    name: 'sale_price_effective_date',
    from: {
      shape: matchShape(`^${moment}/${moment}$`),
      of: (p) => (p.salePrice === null || p.currency === null ? null : metaInterval(p.salePriceEffectiveDate)),
    },
    source,
  },
  { name: 'product_type', from: 'path', limit: 750, source },
  { name: 'gtin', from: 'gtin', source },
  { name: 'mpn', from: 'mpn', limit: 100, source },
  { name: 'color', from: 'color', limit: 200, source },
  { name: 'size', from: 'size', limit: 200, source },
  { name: 'material', from: 'material', limit: 200, source },
  { name: 'pattern', from: 'pattern', limit: 100, source },
  { name: 'gender', from: 'gender', words: genderWords, source },
  { name: 'age_group', from: 'ageGroup', words: { ...ageGroupWords, teen: 'teen', 'all ages': 'all ages' }, source },
  {
    name: 'expiration_date',
    from: { shape: matchShape('^\\d{4}-\\d\\d-\\d\\d$'), of: (p) => day.exec(p.expirationDate ?? '')?.[0] ?? null },
    source,
  },
  {
    name: 'shipping_weight',
    from: { shape: matchShape('^\\d+(?:\\.\\d+)? (?:lb|oz|g|kg)$'), of: (p) => productWeight(p.weight) },
    source,
  },
  { name: 'quantity_to_sell_on_facebook', from: quantity, source },
])
