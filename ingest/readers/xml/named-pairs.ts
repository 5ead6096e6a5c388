/** Elements that hold a name and a value each, as shops write what a product is like: all of an item become one cell. */
import { childrenOf, type Element, localName, textOf } from './element.ts'

export interface NamedPairs {
  /** In any case, as its children. */
  readonly element: string
  /** Where its name stands, and its values: the element's own text where there is no child for them. */
  readonly name: { readonly attribute: string } | { readonly child: string }
  readonly value: { readonly child: string } | null
  /** An attribute that belongs to the value. */
  readonly unit: string | null
}

export type Pair = readonly [name: string, values: readonly string[]]

/** @returns null for an element of any other shape, whose parts would be lost */
export function pairOf(element: Element, { name, value, unit }: NamedPairs): Pair | null {
  const children = childrenOf(element)
  const named = 'attribute' in name ? name.attribute : null
  if (element.attributes.some(([key]) => key !== named && key !== unit)) return null
  const of = (child: string) => children.filter((one) => localName(one.name).toLowerCase() === child.toLowerCase())
  const names =
    'attribute' in name
      ? element.attributes.filter(([key]) => key === named).map(([, text]) => text)
      : of(name.child).map(textOf)
  const values = value === null ? [textOf(element)] : of(value.child).map(textOf)
  const known = ('child' in name ? names.length : 0) + (value === null ? 0 : values.length)
  const simple = children.every((child) => child.attributes.length === 0 && childrenOf(child).length === 0)
  const [said = ''] = names
  if (names.length !== 1 || said.trim() === '' || children.length !== known || !simple) return null
  const measure = element.attributes.find(([key]) => key === unit)?.[1].trim() ?? ''
  return [
    said.trim(),
    measure === '' ? values : values.map((text) => (text.trim() === '' ? text : `${text} ${measure}`)),
  ]
}

/** Comparing as they stand comes first: millions of elements are compared, and most are alike. */
export function isNamed({ name }: Element, wanted: string): boolean {
  if (name === wanted) return true
  const own = localName(name)
  return own.length === wanted.length && (own === wanted || own.toLowerCase() === wanted.toLowerCase())
}

/** A JSON object; a name that has several values has a list of them. */
export function pairsCell(pairs: readonly Pair[]): string {
  const found = new Map<string, string[]>()
  for (const [name, values] of pairs) {
    const list = found.get(name)
    if (list) list.push(...values)
    else found.set(name, [...values])
  }
  return JSON.stringify(
    Object.fromEntries([...found].map(([name, values]) => [name, values.length === 1 ? values[0] : values])),
  )
}
