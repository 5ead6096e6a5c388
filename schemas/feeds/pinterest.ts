/** Pinterest's catalog feed: Google's names, its own limits and three words of availability. */
import { fieldsOf } from './field-of.ts'
import { imageLimits } from './image-limits.ts'
import { offerGoesOn } from './offer-goes-on.ts'
import { pinterestItems as source } from './platform-pages.ts'
import { profileOf } from './profile-of.ts'
import { rss } from './rss.ts'
import { ageGroupWords, conditionWords, genderWords } from './same-words.ts'

/** Images from 75 x 75 pixels on; of types, bytes and pixels in all the pages say nothing, so what Google refuses is not sent. */
const images = { ...imageLimits.google, leastSide: 75, leastApparelSide: 75 }

/** There is no word for what is sold and ships later but this one: a buyer can order it now. */
const availability = {
  in_stock: 'in stock',
  out_of_stock: 'out of stock',
  preorder: 'preorder',
  backorder: 'preorder',
}

/** Sales for a time stay out: the pages name no attribute for its dates that could be relied on. */
const fields = fieldsOf('Pinterest', [
  { name: 'id', from: 'id', need: true, limit: 127, source },
  { name: 'title', from: 'title', need: true, limit: 500, source },
  { name: 'description', from: 'description', need: true, limit: 10_000, source },
  { name: 'link', from: 'link', need: true, limit: 511, source },
  { name: 'image_link', from: 'image', need: true, limit: 2000, images, encodesCommas: true, source },
  { name: 'additional_image_link', from: 'moreImages', most: 10, limit: 2000, encodesCommas: true, source },
  { name: 'price', from: 'price', need: true, source },
  { name: 'sale_price', from: 'salePrice', source },
  { name: 'availability', from: 'availability', need: true, words: availability, source },
  { name: 'condition', from: 'condition', words: conditionWords, source },
  { name: 'brand', from: 'brand', source },
  { name: 'gtin', from: 'gtin', source },
  { name: 'mpn', from: 'mpn', source },
  { name: 'item_group_id', from: 'group', limit: 127, source },
  { name: 'google_product_category', from: 'googleCategory', source },
  { name: 'product_type', from: 'path', limit: 1000, source },
  { name: 'color', from: 'color', source },
  { name: 'size', from: 'size', source },
  { name: 'material', from: 'material', source },
  { name: 'pattern', from: 'pattern', source },
  { name: 'gender', from: 'gender', words: genderWords, source },
  { name: 'age_group', from: 'ageGroup', words: ageGroupWords, source },
])

export const pinterestProfile = profileOf({
  platform: 'pinterest',
  version: 1,
  aliases: [],
  native: 'tsv',
  table: { listSeparator: ',' },
  xml: rss,
  fields,
  alsoAsked: [offerGoesOn(source)],
})
