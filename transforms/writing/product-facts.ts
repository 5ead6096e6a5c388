/** What a product says of itself beside its title and description, as things that can be said of it. */
import type { RefinedProduct } from '../../schemas/product.ts'
import { type FactName, factLabel, factNames } from './fact-labels.ts'

export interface Fact {
  /** As a text names it; null where nobody knows how its language says it. */
  readonly label: string | null
  readonly value: string
  /** It sets a product apart from its siblings, so that a title may have it. */
  readonly tellsApart: boolean
}

const apart: ReadonlySet<FactName> = new Set(['color', 'size', 'material', 'pattern'])
/** What is longer is no fact but a text. */
const longestValue = 120
const mostAttributes = 30

/** Options first, since they are what a buyer chooses by; each value once. */
export function productFacts(product: RefinedProduct, language: string | null): Fact[] {
  const facts: Fact[] = []
  const said = new Set<string>()
  const add = (label: string | null, raw: unknown, tellsApart: boolean) => {
    const value = saidValue(raw)
    const key = value?.toLowerCase()
    if (value === null || key === undefined || said.has(key)) return
    said.add(key)
    facts.push({ label, value, tellsApart })
  }
  for (const [name, value] of Object.entries(product.options)) add(name, value, true)
  const values: Readonly<Record<FactName, unknown>> = { ...product, category: product.categoryPath.join(' > ') }
  for (const name of factNames.slice(1, -1)) add(factLabel(language, name), values[name], apart.has(name))
  for (const [name, value] of Object.entries(product.attributes).slice(0, mostAttributes)) add(name, value, false)
  for (const name of ['brand', 'category'] as const) add(factLabel(language, name), values[name], false)
  return facts
}

/** Yes and no are words of a language, and say nothing without one. */
function saidValue(raw: unknown): string | null {
  if (typeof raw === 'number') return String(raw)
  if (typeof raw !== 'string') return null
  const text = raw.trim()
  return text === '' || text.length > longestValue || text.includes('\n') ? null : text
}
