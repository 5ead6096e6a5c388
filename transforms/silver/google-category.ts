/** Reads Google's product category: an id or a full path, checked against the taxonomy where the operator named its files. */
import { quote } from './quote.ts'
import { doubts, type Reading, reads } from './reading.ts'
import type { KnownCategories } from './taxonomy.ts'
import { readTitle } from './text.ts'

/** Those of one level, which no separator tells from a shop's own words. Google_Product_Taxonomy_Version 2021-09-21, en-US */
const top = new Set(
  [
    'Animals & Pet Supplies|Apparel & Accessories|Arts & Entertainment|Baby & Toddler|Business & Industrial',
    'Cameras & Optics|Electronics|Food, Beverages & Tobacco|Furniture|Hardware|Health & Beauty|Home & Garden',
    'Luggage & Bags|Mature|Media|Office Supplies|Religious & Ceremonial|Software|Sporting Goods|Toys & Games',
    'Vehicles & Parts',
  ].flatMap((names) => names.toLowerCase().split('|')),
)

/** `1604`, or a line of the taxonomy's file: `1604 - Apparel & Accessories > Clothing`. */
const idForm = /^0*(\d{1,6})(?:\s+[-–—]\s+(\S.*))?$/
const asked = 'give its number or its full path with " > " between the levels'

/**
 * With a taxonomy the value is the id, which Google advises (G-ans:6324436), whatever language the path is in. Without one nobody
 * knows which ids and paths there are: what has the form of one is taken as it is.
 * @param known undefined where no file of the taxonomy was named
 */
export function readGoogleCategory(raw: string, known?: KnownCategories): Reading<string> {
  const text = readTitle(raw)
  if (text === null) return reads<string>(null)
  const [, id, words] = idForm.exec(text) ?? []
  if (id !== undefined && Number(id) > 0) return readId(raw, id, words, known)
  if (known) {
    const entry = known.find(text)
    if (entry) return reads(entry.id)
  } else if (id === undefined && (/\S > \S/.test(text) || top.has(text.toLowerCase()))) return reads(text)
  return doubts('unknown_google_category', `${quote(raw)} is no Google product category; ${asked}`)
}

function readId(
  raw: string,
  id: string,
  words: string | undefined,
  known: KnownCategories | undefined,
): Reading<string> {
  if (known === undefined) return reads(id)
  if (known.find(id) === null) {
    const says = `Google's taxonomy has no category ${id}; ${asked}`
    return doubts('unknown_google_category', says)
  }
  const named = words === undefined ? null : known.find(words)
  if (named === null || named.id === id) return reads(id)
  return doubts('unknown_google_category', `${quote(raw)} is two categories, since its words are ${named.id}; give one`)
}
