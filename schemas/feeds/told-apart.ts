/** What tells a product from its siblings, and what else is to be said of it in names and values. */
import type { RefinedProduct } from '../product.ts'
import { blank } from './blank.ts'

type Pair = readonly [name: string, value: string]

const isSaid = ([name, value]: readonly [string, string | null]): boolean => !blank(name) && !blank(value)

const ofOptions = ({ options }: RefinedProduct): readonly Pair[] => Object.entries(options).filter(isSaid)

const ofAttributes = ({ color, size, material, pattern }: RefinedProduct): readonly Pair[] =>
  Object.entries({ Color: color, Size: size, Material: material, Pattern: pattern }).filter(
    (pair): pair is [string, string] => isSaid(pair),
  )

export function isToldApart({ options, color, size, material, pattern }: RefinedProduct): boolean {
  for (const name in options) if (!blank(options[name] ?? null) && !blank(name)) return true
  return !(blank(color) && blank(size) && blank(material) && blank(pattern))
}

/** Its options; the attributes that differ between variants where it names none. */
export function toldApart(product: RefinedProduct): readonly Pair[] {
  const options = ofOptions(product)
  return options.length > 0 ? options : ofAttributes(product)
}

/** Its options, and the attributes that are none of them. */
export function properties(product: RefinedProduct): readonly Pair[] {
  const options = ofOptions(product)
  const names = new Set(options.map(([name]) => name.trim().toLowerCase()))
  return [...options, ...ofAttributes(product).filter(([name]) => !names.has(name.toLowerCase()))]
}
