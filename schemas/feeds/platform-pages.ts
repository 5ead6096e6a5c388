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
