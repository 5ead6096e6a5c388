/** Reads one line as one JSON object, each value as the cell that stands for it, numbers with the digits that the file gives them. */
import type { CellValue } from '../../schemas/pipeline.ts'
import { cellOf, isPointed, membersOf, skipSpace, tooMuch } from './json-members.ts'

export interface JsonRecord {
  /** In order of the line; a repeated key is here twice. Without U+0000, which no store takes in a column's name. */
  readonly keys: readonly string[]
  readonly values: readonly CellValue[]
  /** Which of the values is the text of an object. */
  readonly objects: readonly boolean[]
  /** Places of those that are a number with a point or an exponent. */
  readonly pointed: readonly number[]
}

export const halfCharacter = 'holds half of a surrogate pair, which is no character; repair the text'

/**
 * `JSON.parse` judges the line; the cells are then cut from its text, since 1.10 must stay `1.10` and no key may reach a prototype.
 * @returns the record, or the end of a sentence that begins with the line's number
 */
export function readJsonLine(text: string): JsonRecord | string {
  const open = skipSpace(text, 0)
  if (text[open] !== '{') return 'is no JSON object; write one object on each line'
  try {
    JSON.parse(text)
  } catch (error) {
    return `is no valid JSON${placeOf(error)}; write one whole object on each line`
  }
  const members = membersOf(text, open)
  if (!members) return tooMuch
  const keys: string[] = []
  const values: CellValue[] = []
  const objects: boolean[] = []
  const pointed: number[] = []
  for (const { key, start, end } of members) {
    const value = cellOf(text, start, end)
    if (key === null || value === null) return halfCharacter
    keys.push(key)
    values.push(value)
    objects.push(text[start] === '{')
    if (isPointed(text, start, end)) pointed.push(keys.length - 1)
  }
  return { keys, values, objects, pointed }
}

/** Where `JSON.parse` stopped, as far as it says so. */
export function placeOf(error: unknown): string {
  const place = /position (\d+)/.exec(String(error))?.[1]
  return place === undefined ? '' : ` from character ${Number(place) + 1} on`
}
