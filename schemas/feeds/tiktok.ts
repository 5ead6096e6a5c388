/** TikTok's catalog feed: nine attributes that it takes no product without, and availability in Meta's former words. */
import { fieldsOf } from './field-of.ts'
import { offerGoesOn } from './offer-goes-on.ts'
import { tiktokParameters as source } from './platform-pages.ts'
import { profileOf } from './profile-of.ts'
import { rss } from './rss.ts'
import { ageGroupWords, conditionWords, genderWords } from './same-words.ts'

const availability = {
  in_stock: 'in stock',
  out_of_stock: 'out of stock',
  preorder: 'preorder',
  backorder: 'available for order',
}

/**
 * The page, as we have it, states words and needs and no lengths, so nothing is cut. Of its 27 optional attributes we saw no
 * whole list: these are the ones that other writers of its feeds send. "Avoid emoji" is advice, and a title stays the product's.
 */
const fields = fieldsOf('TikTok', [
  { name: 'sku_id', from: 'id', need: true, source },
  { name: 'title', from: 'title', need: true, source },
  { name: 'description', from: 'description', need: true, source },
  { name: 'availability', from: 'availability', need: true, words: availability, source },
  { name: 'condition', from: 'condition', need: true, words: conditionWords, source },
  { name: 'price', from: 'price', need: true, source },
  { name: 'link', from: 'link', need: true, source },
  { name: 'image_link', from: 'image', need: true, encodesCommas: true, source },
  { name: 'brand', from: 'brand', need: true, source },
  { name: 'additional_image_link', from: 'moreImages', most: 10, encodesCommas: true, source },
  { name: 'sale_price', from: 'salePrice', source },
  { name: 'item_group_id', from: 'group', source },
  { name: 'google_product_category', from: 'googleCategory', source },
  { name: 'product_type', from: 'path', source },
  { name: 'gtin', from: 'gtin', source },
  { name: 'mpn', from: 'mpn', source },
  { name: 'color', from: 'color', source },
  { name: 'size', from: 'size', source },
  { name: 'material', from: 'material', source },
  { name: 'pattern', from: 'pattern', source },
  { name: 'gender', from: 'gender', words: genderWords, source },
  { name: 'age_group', from: 'ageGroup', words: ageGroupWords, source },
])

export const tiktokProfile = profileOf({
  platform: 'tiktok',
  version: 1,
  aliases: [],
  native: 'csv',
  table: { listSeparator: ',' },
  xml: rss,
  fields,
  alsoAsked: [offerGoesOn(source)],
})
