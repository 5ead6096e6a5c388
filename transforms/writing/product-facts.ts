/** What a product says of itself beside its title and description, as things that can be said of it. */
import type { RefinedProduct } from '../../schemas/product.ts'
import { plainYesOrNo } from '../silver/availability-words.ts'
import { colorOf, sizeOf } from '../silver/color-size.ts'
import { type FactName, factLabel, factNames } from './fact-labels.ts'

export interface Fact {
  /** As a text names it; null where nobody knows how its language says it: then only a title has it. */
  readonly label: string | null
  readonly value: string
  /** It sets a product apart from its siblings, so that a title may have it. */
  readonly tellsApart: boolean
}

const apart: ReadonlySet<FactName> = new Set(['color', 'size', 'material', 'pattern'])
/** Words of ours, in English. */
const ours: ReadonlySet<FactName> = new Set(['gender', 'ageGroup'])
const measures: ReadonlySet<FactName> = new Set(['weight', 'length', 'width', 'height'])
/** What is longer is no fact but a text. */
const longestValue = 120
const mostAttributes = 30
const letter = /\p{L}/u
const isFactName = (name: string): name is FactName => factNames.some((one) => one === name)

/** Options first, since they are what a buyer chooses by; each value and each name once. */
export function productFacts(product: RefinedProduct, language: string | null): Fact[] {
  const facts: Fact[] = []
  const said = new Set<string>()
  const add = (label: string | null, raw: unknown, tellsApart: boolean) => {
    const value = saidValue(raw)
    if (value === null) return
    // The same number is another fact under another name.
    const keys = [/^\p{N}/u.test(value) ? `${label}: ${value}` : value, ...(label === null ? [] : [`${label}:`])]
    if (keys.some((key) => said.has(key.toLowerCase()))) return
    for (const key of keys) said.add(key.toLowerCase())
    facts.push({ label, value, tellsApart })
  }
  const values: Readonly<Record<FactName, unknown>> = { ...product, category: product.categoryPath.join(' > ') }
  const addOwn = (name: FactName, value: unknown) => {
    if (ours.has(name) && language !== 'en') return
    // A number without a unit measures nothing.
    if (measures.has(name) && !letter.test(String(value))) return
    add(factLabel(language, name), value, apart.has(name))
  }
  // Columns become options under our names for them.
  for (const [name, value] of Object.entries(product.options))
    if (isFactName(name)) addOwn(name, value)
    else {
      const isOfOurs = [product.color, product.size, product.material, product.pattern].includes(value)
      const isWord = letter.test(value) && plainYesOrNo(value) === undefined
      add(spelled(name), value, isOfOurs || isWord)
    }
  for (const name of factNames.slice(1, -1)) addOwn(name, values[name])
  for (const [name, value] of Object.entries(product.attributes).slice(0, mostAttributes))
    add(spelled(name), value, false)
  for (const name of ['brand', 'category'] as const) addOwn(name, values[name])
  return facts.filter(({ label }) => label !== '')
}

/** A name of a column or an option as a text has it: `monitor_size` as `Monitor size`. */
function spelled(name: string): string {
  const words = name.replaceAll('_', ' ').trim()
  const [first = ''] = words
  return first.toUpperCase() + words.slice(first.length)
}

/** Lines are a text, and what was lost in an encoding is no word. */
const unreadable = /[\n\ufffd]/
const address = /^(?:https?:\/\/|www\.)/i

/** Yes and no are words of a language, and say nothing without one; what stands for none says nothing at all. */
function saidValue(raw: unknown): string | null {
  if (typeof raw === 'number') return String(raw)
  if (typeof raw !== 'string') return null
  const text = raw.trim()
  const isNone = text === '' || colorOf(text) === null || sizeOf(text) === null
  return isNone || text.length > longestValue || unreadable.test(text) || address.test(text) ? null : text
}
