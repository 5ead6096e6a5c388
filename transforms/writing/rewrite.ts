/** Writes a product's title and description anew, and grades what would come of it: of all that it wrote it keeps what scores most, and what the brand never says least. */
import type { FeedProduct } from '../../schemas/feeds/profile.ts'
import type { ProductKind, RefinedProduct } from '../../schemas/product.ts'
import { type Weights, weigh } from '../../schemas/score.ts'
import { type Grade, grade } from '../gold/grade.ts'
import { hasWord } from './has-word.ts'
import { languageOf } from './language-of.ts'
import { productFacts } from './product-facts.ts'
import { writeDescription } from './write-description.ts'
import { writeTitle } from './write-title.ts'
import type { WritingRules } from './writing-rules.ts'

export interface Texts {
  readonly title: string | null
  readonly description: string | null
}

export interface Rewritten {
  readonly original: Texts
  readonly optimized: Texts
  readonly before: Grade
  /** Of the product with the optimized texts, really graded. */
  readonly after: Grade
}

/** @param product judged at its own time, before and after alike */
export function rewrite(product: FeedProduct, kind: ProductKind, weights: Weights, rules: WritingRules): Rewritten {
  const own = product.product
  const original: Texts = { title: own.title, description: own.description }
  const facts = productFacts(own, languageOf(own))
  const title = writeTitle(own, facts, rules)
  const description = writeDescription(own, facts, rules)
  const before = grade(product, kind)
  const unwanted = (texts: Texts) =>
    [texts.title, texts.description].filter((text) => text !== null && hasWord(text, rules.keywordsNever)).length
  let best: { texts: Texts; after: Grade } = { texts: original, after: before }
  for (const texts of [
    { title, description },
    { title, description: original.description },
    { title: original.title, description },
  ]) {
    const after = grade({ ...product, product: withTexts(own, texts) }, kind)
    const gained = weigh(after.sub, weights) - weigh(best.after.sub, weights)
    const rid = unwanted(best.texts) - unwanted(texts)
    // Nothing is called ready for a platform less than before.
    if ((rid > 0 || (rid === 0 && gained > 0)) && (after.valid & before.valid) === before.valid) best = { texts, after }
  }
  return { original, optimized: best.texts, before, after: best.after }
}

const withTexts = (own: RefinedProduct, texts: Texts): RefinedProduct => ({ ...own, ...texts })
