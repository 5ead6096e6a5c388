/** Writes a description from a product's own: without what sells instead of telling, and with the facts that it did not say. */
import { codePoints } from '../../schemas/feeds/code-points.ts'
import { sameText } from '../../schemas/feeds/same-text.ts'
import type { RefinedProduct } from '../../schemas/product.ts'
import { isPromotion } from '../gold/is-promotion.ts'
import { namesWord } from '../gold/names-word.ts'
import { saysSomething } from '../gold/says-something.ts'
import { cutAtWord } from './cut-at-word.ts'
import { hasWord } from './has-word.ts'
import type { Fact } from './product-facts.ts'
import { sentences } from './sentences.ts'
import { withoutShouting } from './without-shouting.ts'
import type { WritingRules } from './writing-rules.ts'

/** So many facts make a description, where a product has none of its own. */
const fewest = 2

/** @returns the product's own where nothing better can be said */
export function writeDescription(
  product: RefinedProduct,
  facts: readonly Fact[],
  { keywordsNever, descriptionLimit }: WritingRules,
): string | null {
  const told = ownWords(product, keywordsNever)
  const low = told.toLowerCase()
  const lines = facts.flatMap(({ label, value }) => {
    if (label === null || namesWord(low, value) || hasWord(`${label} ${value}`, keywordsNever)) return []
    // `Size 42` has its name in it.
    return [namesWord(value.toLowerCase(), label) ? value : `${label}: ${value}`]
  })
  if (told === '' && lines.length < fewest) return product.description
  const text = [told, ...(lines.length > 0 ? [lines.map(closed).join(' ')] : [])].filter(Boolean).join('\n\n')
  return codePoints(text) <= descriptionLimit ? text : cutAtWord(text, descriptionLimit)
}

const ended = /[.!?…。！？]$/u
const closed = (line: string) => (ended.test(line) ? line : `${line}.`)

/** Sentences that sell, or that have a word which the brand never uses, are left out; the others stay as they are. */
function ownWords({ title, description, brand }: RefinedProduct, never: readonly string[]): string {
  if (!saysSomething(description) || (title !== null && sameText(title, description))) return ''
  const kept = sentences(withoutShouting(description, brand === null ? [] : [brand]))
    .filter((one) => !isPromotion(one) && !hasWord(one, never))
    .join('')
  return kept.trim()
}
