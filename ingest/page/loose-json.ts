/** Reads JSON as people write it into pages: with comments and commas too many. Repairs change syntax; what stands in a string stays (KF-57). */

/** What a JSON text can hold; a number keeps its digits. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export interface LooseJson {
  /** Several where one block holds one after another. */
  readonly values: readonly Json[]
  readonly repaired: boolean
}

class Broken extends Error {}

const deepest = 100
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /true|false|null/y
/** Between two values: space, comments of three kinds, and marks that hide a script from old browsers. */
const between = /(?:[\s\uFEFF;]+|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|<!--|-->|<!\[CDATA\[|\]\]>)+/y
/** Also what JSON wants written as an escape, such as a line feed. */
const plain = /[^"\\]*/y
const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** @returns null where it cannot be read even so */
export function readLooseJson(text: string): LooseJson | null {
  try {
    return { values: [JSON.parse(text)], repaired: false }
  } catch {
    try {
      return { values: allValues(text), repaired: true }
    } catch (error) {
      if (error instanceof Broken) return null
      throw error
    }
  }
}

function allValues(text: string): Json[] {
  let at = 0
  const values: Json[] = []
  for (skip(); at < text.length; skip()) {
    if (text[at] === ',') at++
    else values.push(value(0))
  }
  if (values.length === 0) throw new Broken()
  return values

  function skip() {
    between.lastIndex = at
    at += between.exec(text)?.[0].length ?? 0
  }

  function value(depth: number): Json {
    if (depth > deepest) throw new Broken()
    const first = text[at]
    if (first === '{') return object(depth)
    if (first === '[') return list(depth)
    if (first === '"') return string()
    const digits = take(number)
    if (digits !== null) return Number(digits)
    const name = take(word)
    if (name === null) throw new Broken()
    return name === 'null' ? null : name === 'true'
  }

  function take(pattern: RegExp): string | null {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? null
    at += found?.length ?? 0
    return found
  }

  function object(depth: number): Json {
    const entries: [string, Json][] = []
    at++
    for (skip(); text[at] !== '}'; skip()) {
      if (text[at] === ',') {
        at++
        continue
      }
      if (text[at] !== '"') throw new Broken()
      const key = string()
      skip()
      if (text[at] !== ':') throw new Broken()
      at++
      skip()
      entries.push([key, value(depth + 1)])
      skip()
      if (text[at] !== ',' && text[at] !== '}') throw new Broken()
    }
    at++
    return Object.fromEntries(entries)
  }

  function list(depth: number): Json {
    const items: Json[] = []
    at++
    for (skip(); text[at] !== ']'; skip()) {
      if (text[at] === ',') {
        at++
        continue
      }
      items.push(value(depth + 1))
      skip()
      if (text[at] !== ',' && text[at] !== ']') throw new Broken()
    }
    at++
    return items
  }

  function string(): string {
    const parts: string[] = []
    for (at++; ; ) {
      parts.push(take(plain) ?? '')
      const end = text[at++]
      if (end === '"') return parts.join('')
      if (end === undefined) throw new Broken()
      const mark = text[at++] ?? ''
      const hex = mark === 'u' ? /^[0-9a-fA-F]{4}/.exec(text.slice(at, at + 4))?.[0] : undefined
      if (hex !== undefined) at += 4
      parts.push(hex === undefined ? (escapes[mark] ?? mark) : String.fromCharCode(Number.parseInt(hex, 16)))
    }
  }
}
