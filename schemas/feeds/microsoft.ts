/** Microsoft Merchant Center's feed: a tab-delimited file with Google's names, and without quotes. */
import { fieldsOf } from './field-of.ts'
import { offerGoesOn } from './offer-goes-on.ts'
import { microsoftFeedFile as source } from './platform-pages.ts'
import { profileOf } from './profile-of.ts'
import { rss } from './rss.ts'
import { ageGroupWords, conditionWords, genderWords } from './same-words.ts'

/** There is no word for backorder: of these two, that it ships later is the truth about it. */
const availability = {
  in_stock: 'in stock',
  out_of_stock: 'out of stock',
  preorder: 'preorder',
  backorder: 'preorder',
}

/**
 * The category is called `product_category` on its pages, where Google has `google_product_category`. Whether a product that is
 * known to have no identifier is said to have none (`identifier_exists`) is left to the merchant: Microsoft takes it without.
 */
const fields = fieldsOf('Microsoft', [
  { name: 'id', from: 'id', need: true, limit: 50, source },
  { name: 'title', from: 'title', need: true, limit: 150, source },
  { name: 'link', from: 'link', need: true, limit: 2000, source },
  { name: 'price', from: 'price', need: true, source },
  { name: 'description', from: 'description', need: true, limit: 10_000, source },
  { name: 'image_link', from: 'image', need: true, limit: 2000, encodesCommas: true, source },
  { name: 'additional_image_link', from: 'moreImages', most: 10, limit: 2000, encodesCommas: true, source },
  { name: 'mpn', from: 'mpn', limit: 70, source },
  { name: 'gtin', from: 'gtin', source },
  { name: 'brand', from: 'brand', limit: 70, source },
  { name: 'availability', from: 'availability', words: availability, source },
  { name: 'condition', from: 'condition', words: conditionWords, source },
  { name: 'sale_price', from: 'salePrice', source },
  { name: 'item_group_id', from: 'group', limit: 50, source },
  { name: 'product_category', from: 'googleCategory', source },
  { name: 'product_type', from: 'path', limit: 750, source },
  { name: 'color', from: 'color', limit: 100, source },
  { name: 'size', from: 'size', limit: 100, source },
  { name: 'material', from: 'material', limit: 200, source },
  { name: 'pattern', from: 'pattern', limit: 100, source },
  { name: 'gender', from: 'gender', words: genderWords, source },
  { name: 'age_group', from: 'ageGroup', words: ageGroupWords, source },
])

export const microsoftProfile = profileOf({
  platform: 'microsoft',
  version: 1,
  aliases: [],
  native: 'tsv',
  table: { listSeparator: ',', unquoted: true, extension: 'txt' },
  xml: rss,
  fields,
  alsoAsked: [offerGoesOn(source)],
})
