/** The language that a product's own texts are in; null where they do not show it. */
import type { RefinedProduct } from '../../schemas/product.ts'
import { saysSomething } from '../gold/says-something.ts'
import { languageEvidence } from '../silver/language.ts'

export function languageOf({ title, description }: Pick<RefinedProduct, 'title' | 'description'>): string | null {
  const evidence = languageEvidence()
  for (const text of [title, description]) if (saysSomething(text)) evidence.see(text)
  return evidence.result()?.language ?? null
}
