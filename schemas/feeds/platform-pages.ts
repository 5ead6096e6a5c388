/** Where the platforms publish what they ask for; read from copies of 2025 and 2026, as rules that cite them say. */

/** Google Merchant Center's page of one attribute. */
export const googleAnswer = (page: number) => `https://support.google.com/merchants/answer/${page}`

/** The product data specification as a whole. */
export const googleSpecification = googleAnswer(7052112)

/** Meta's table of catalog fields. */
export const metaFields = 'https://developers.facebook.com/documentation/ads-commerce/commerce-platform/catalog/fields'

/** Meta's reference of catalog files. */
export const metaReference = 'https://developers.facebook.com/documentation/ads-commerce/catalog/reference'

/** Meta's page of what descriptions must be, and the one of images. */
export const metaDescriptions = 'https://www.facebook.com/business/help/2302017289821154'
export const metaImages = 'https://www.facebook.com/business/help/686259348512056'

/** Meta's page of variants: one row each, what tells them apart, and how many. */
export const metaVariants = 'https://www.facebook.com/business/help/2256580051262113'

/** OpenAI's table of product fields, newest form. */
export const openaiProducts = 'https://developers.openai.com/commerce/specs/file-upload/products'

/** Schemas of the Agentic Commerce Protocol's feed, version 2026-04-17. */
export const acpFeed =
  'https://github.com/agentic-commerce-protocol/agentic-commerce-protocol/blob/main/spec/2026-04-17/json-schema/schema.feed.json'

/** Pinterest's attributes of an item, as its own client documents them. */
export const pinterestItems =
  'https://github.com/pinterest/pinterest-python-generated-api-client/blob/main/docs/ItemAttributesRequest.md'

export const tiktokParameters = 'https://ads.tiktok.com/help/article/catalog-product-parameters'

/** Microsoft's page of how a feed file is organised. */
export const microsoftFeedFile = 'https://help.ads.microsoft.com/apex/index/3/en/51084'

/** Amazon's page of feeds of listings. What attributes a listing has it says by product type, to who is signed in. */
export const amazonListings = 'https://developer-docs.amazon.com/sp-api/docs/listings-feed-type-values'

/** Heureka's fields of an offer, made from its own definitions, and the older page of its Slovak house. */
export const heurekaFields = 'https://heureka.github.io/xml-feed-specs'
export const heurekaSlovakia = 'https://sluzby.heureka.sk/napoveda/xml-feed'

/** Yandex: the file, and the elements of an offer. */
export const yandexFile = 'https://yandex.com/support/direct/en/feeds/requirements-yml.md'
export const yandexOffers = 'https://www.yandex.com/support/partnermarket/offers.html'
