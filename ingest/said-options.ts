/** Reads options that a row says itself, as a JSON object of name to value. */
import { jsonObject } from '../transforms/silver/variants.ts'

/** @returns none where the text is no such object */
export function saidOptions(text: string): Record<string, string> {
  const said = Object.entries(jsonObject(text) ?? {}).flatMap(([name, value]): [string, string][] => {
    const plain = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
    return plain === '' ? [] : [[name, plain]]
  })
  return Object.fromEntries(said)
}
