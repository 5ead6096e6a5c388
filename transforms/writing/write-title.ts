/** Writes a title from what a product says of itself: what it is, whose it is, and what sets it apart; nothing that it does not say. */
import { codePoints } from '../../schemas/feeds/code-points.ts'
import type { RefinedProduct } from '../../schemas/product.ts'
import { isPromotion } from '../gold/is-promotion.ts'
import { namesWord } from '../gold/names-word.ts'
import { cutAtWord } from './cut-at-word.ts'
import { hasWord } from './has-word.ts'
import type { Fact } from './product-facts.ts'
import { withoutShouting } from './without-shouting.ts'
import type { WritingRules } from './writing-rules.ts'

/** What search results show of a title; beyond it only what sets a variant apart is worth its place. */
const shown = 70
/** Between parts of a title, as shops write them. */
const parts = /\s+[-–—|•·/]+\s+|\s*[|•]\s*|!+\s*/u

/** `Despar,Spar` names several, and some names were lost in an encoding: no title begins with these. */
const isNoName = /,\S|[;|\ufffd]/
/** Shorter words are articles and the like. */
const shortestName = 3

/** `Torres Salmos` of Miguel Torres is Miguel Torres Salmos; `Tommy Icons` of Tommy Hilfiger stays, since one name of it is enough. */
function withBrand(title: string, brand: string): string {
  const [first = '', ...rest] = title.split(/\s+/u)
  const names = brand.toLowerCase().split(/\s+/u)
  const at = first.length < shortestName ? -1 : names.lastIndexOf(first.toLowerCase())
  if (at < 0) return `${brand} ${title}`
  return at === names.length - 1 && rest.length > 0 ? `${brand} ${rest.join(' ')}` : title
}

/** @returns null where the product has no title to begin with */
export function writeTitle(
  product: RefinedProduct,
  facts: readonly Fact[],
  { keywordsNever, keywordsAlways, titleLimit }: WritingRules,
): string | null {
  if (product.title === null) return null
  const { brand, title } = product
  const own = title.trim()
  const isOut = (one: string) => isPromotion(one) || hasWord(one, keywordsNever)
  const kept = isOut(own) ? own.split(parts).filter((part) => part.trim() !== '' && !isOut(part)) : [own]
  const base = kept.length === 0 ? own : kept.map((part) => part.trim()).join(' - ')
  let text = withoutShouting(base, brand === null ? [] : [brand])
  const fits = (more: string, limit: number) => codePoints(text) + codePoints(more) <= limit
  const isSaid = (value: string) => namesWord(text.toLowerCase(), value)
  if (brand !== null && !isSaid(brand) && !isNoName.test(brand) && !hasWord(brand, keywordsNever)) {
    const named = withBrand(text, brand)
    if (codePoints(named) <= titleLimit) text = named
  }
  for (const { value, tellsApart } of facts) {
    if (!tellsApart || isSaid(value) || hasWord(value, keywordsNever)) continue
    if (fits(`, ${value}`, shown)) text += `, ${value}`
  }
  for (const word of keywordsAlways) {
    // A word that the product does not say of itself would be a claim.
    const isFact = facts.some(({ value }) => namesWord(value.toLowerCase(), word))
    if (isFact && !isSaid(word) && fits(`, ${word}`, shown)) text += `, ${word}`
  }
  return cutAtWord(text, titleLimit)
}
