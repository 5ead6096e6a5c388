/** What of a product tells whether another is the same thing: all that the comparison reads, small enough to be kept beside it. */
import type { ProductKind, RefinedProduct } from '../../schemas/product.ts'
import { foldText } from '../silver/fold-text.ts'
import { gtin14, isRestricted } from '../silver/gtin.ts'
import { optionField } from '../silver/variants.ts'
import { addressKey } from './address-key.ts'
import { brandWords } from './brand-words.ts'
import { type TitleParts, titleParts } from './title-parts.ts'

/** With another number kept traits are read and compared anew. */
const traitsVersion = 1

export interface Traits extends TitleParts {
  readonly version: number
  /** Parents stand for families and are compared with each other only. */
  readonly parent: boolean
  readonly family: string | null
  /** In 14 digits; null also where it is a placeholder, or for use inside a shop. */
  readonly gtin: string | null
  readonly mpn: string | null
  readonly brand: readonly string[]
  readonly url: string | null
  readonly price: number | null
  readonly currency: string | null
  /** Folded values that two of the same thing share, by field: size, material, condition, options by name. */
  readonly said: Readonly<Record<string, string>>
}

const leastMpn = 3

/** @param family of a variant, or of the parent itself */
export function traitsOf(product: RefinedProduct, kind: ProductKind, family: string | null): Traits {
  const brand = brandWords(product.brand)
  const parts = titleParts(product.title ?? '', brand)
  const own = titleParts(product.color ?? '', [])
  const full = product.gtin === null ? null : gtin14(product.gtin)
  return {
    version: traitsVersion,
    parent: kind === 'parent',
    family,
    ...parts,
    // A color that no table knows stands in one title as a word, and beside another.
    words: own.words.length > 0 ? [...new Set([...parts.words, ...own.words])] : parts.words,
    colors: own.colors.length > 0 ? [...new Set([...parts.colors, ...own.colors])].sort() : parts.colors,
    gtin: full === null || isRestricted(full) ? null : full,
    mpn: mpnKey(product.mpn),
    brand,
    url: addressKey(product.link),
    price: product.price === null ? null : Number(product.price),
    currency: product.currency,
    said: saidOf(product, own),
  }
}

function mpnKey(mpn: string | null): string | null {
  const key = mpn === null ? '' : foldText(mpn).replace(/[^\p{L}\p{N}]/gu, '')
  return key.length < leastMpn || /^0+$/.test(key) ? null : key
}

/** A default of the workspace is nobody's word. */
function saidOf(product: RefinedProduct, color: TitleParts): Record<string, string> {
  const { size, material, pattern, gender, ageGroup, condition, defaulted } = product
  const named = {
    size,
    material,
    pattern,
    gender,
    ageGroup,
    condition: defaulted.includes('condition') ? null : condition,
  }
  const said: Record<string, string> = {}
  for (const [name, value] of Object.entries(named)) if (value !== null) said[name] = foldText(value)
  if (product.color !== null && color.colors.length === 0) said.color = foldText(product.color)
  for (const [name, value] of Object.entries(product.options))
    if (optionField(name) === undefined) said[`option ${foldText(name)}`] = foldText(value)
  return said
}
