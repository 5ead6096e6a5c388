/** Reads one line as one JSON object, each value as the cell that stands for it, numbers with the digits that the file gives them. */
import type { CellValue } from '../../schemas/pipeline.ts'

export interface JsonRecord {
  /** In order of the line; a repeated key is here twice. Without U+0000, which no store takes in a column's name. */
  readonly keys: readonly string[]
  readonly values: readonly CellValue[]
}

const deepest = 100
const backslash = 0x5c
const doubleQuote = 0x22

/**
 * `JSON.parse` judges the line; the cells are then cut from its text, since 1.10 must stay `1.10` and no key may reach a prototype.
 * @returns the record, or the end of a sentence that begins with the line's number
 */
export function readJsonLine(text: string): JsonRecord | string {
  let at = skipSpace(text, 0)
  if (text[at] !== '{') return 'is no JSON object; write one object on each line'
  try {
    JSON.parse(text)
  } catch (error) {
    const place = /position (\d+)/.exec(String(error))?.[1]
    return `is no valid JSON${place === undefined ? '' : ` from character ${Number(place) + 1} on`}; write one whole object on each line`
  }
  const keys: string[] = []
  const values: CellValue[] = []
  at = skipSpace(text, at + 1)
  while (text.charCodeAt(at) === doubleQuote) {
    const keyEnd = stringEnd(text, at)
    const key = textOf(text, at, keyEnd)
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = valueEnd(text, start)
    if (end < 0) return `is nested more than ${deepest} levels deep; send flatter objects`
    const value = cellOf(text, start, end)
    if (key === null || value === null) return 'holds half of a surrogate pair, which is no character; repair the text'
    keys.push(key.includes('\0') ? key.replaceAll('\0', '') : key)
    values.push(value)
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return { keys, values }
}

function cellOf(text: string, start: number, end: number): CellValue | null {
  switch (text[start]) {
    case '"':
      return textOf(text, start, end)
    case 'n':
      return ''
    case '[':
      return listOf(text.slice(start, end))
    default:
      return text.slice(start, end)
  }
}

/** A list where all are texts; an empty array says nothing; any other array stays the JSON text that it is. */
function listOf(json: string): CellValue | null {
  const list: readonly unknown[] = JSON.parse(json)
  if (list.length === 0) return ''
  if (!list.every((item) => typeof item === 'string')) return json
  return list.every((item) => item.isWellFormed()) ? list : null
}

/** Null where escapes make no well-formed text: it could only be stored as a replacement character. */
function textOf(text: string, start: number, end: number): string | null {
  const inside = text.slice(start + 1, end - 1)
  if (!inside.includes('\\')) return inside
  const value: string = JSON.parse(text.slice(start, end))
  return value.isWellFormed() ? value : null
}

function skipSpace(text: string, from: number): number {
  let at = from
  for (let code = text.charCodeAt(at); code === 0x20 || (code >= 0x09 && code <= 0x0d); code = text.charCodeAt(at)) at++
  return at
}

/** Index after the closing quote of the string that opens at `open`. */
function stringEnd(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); ; close = text.indexOf('"', close + 1)) {
    let before = close - 1
    while (text.charCodeAt(before) === backslash) before--
    if ((close - before) % 2 === 1) return close + 1
  }
}

/** Index after the value that starts at `start`, or -1 where it is too deep. The line is valid JSON by now. */
function valueEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === doubleQuote) return stringEnd(text, start)
  let depth = 1
  for (let at = start; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = stringEnd(text, at) - 1
        break
      case '{':
      case '[':
        if (++depth > deepest) return -1
        break
      case ']':
      case '}':
        if (--depth === 1) return at + 1
        if (depth === 0) return at
        break
      case ',':
      case ' ':
      case '\t':
        if (depth === 1) return at
        break
    }
  }
  return text.length
}
