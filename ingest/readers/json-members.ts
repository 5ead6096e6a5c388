/** Finds the members of an object and the items of an array in JSON text that is known to be valid, without making values of them. */
import type { CellValue } from '../../schemas/pipeline.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

export interface Member extends Span {
  /** Null where its escapes make no well-formed text. Without U+0000, which no store takes in a column's name. */
  readonly key: string | null
}

const deepest = 100
/** Members of an object or items of an array; 16 Mi characters of `{},` would be five million. */
const mostParts = 100_000
export const tooMuch = `is nested more than ${deepest} levels deep, or has more than ${mostParts} parts; send flatter objects`

const backslash = 0x5c
const doubleQuote = 0x22
const minus = 0x2d
const zero = 0x30

/** @returns the members in order, or null where they are too many, or one is nested too deep */
export function membersOf(text: string, open: number): Member[] | null {
  const members: Member[] = []
  let at = skipSpace(text, open + 1)
  while (text.charCodeAt(at) === doubleQuote) {
    const keyEnd = stringEnd(text, at)
    const key = textOf(text, at, keyEnd)
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = valueEnd(text, start)
    if (end < 0 || members.length === mostParts) return null
    members.push({ key: key?.includes('\0') ? key.replaceAll('\0', '') : key, start, end })
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return members
}

/** @returns the items in order, or null where they are too many, or one is nested too deep */
export function itemsOf(text: string, open: number): Span[] | null {
  const items: Span[] = []
  let start = skipSpace(text, open + 1)
  while (text[start] !== ']') {
    const end = valueEnd(text, start)
    if (end < 0 || items.length === mostParts) return null
    items.push({ start, end })
    start = skipSpace(text, end)
    if (text[start] === ',') start = skipSpace(text, start + 1)
  }
  return items
}

/** @returns null where escapes make no well-formed text */
export function cellOf(text: string, start: number, end: number): CellValue | null {
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

/** A number with a point or an exponent, which no text can be taken for. */
export function isPointed(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start)
  if (first !== minus && (first < zero || first > zero + 9)) return false
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at)
    // `.`, `E` and `e`
    if (code === 0x2e || code === 0x45 || code === 0x65) return true
  }
  return false
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

export function skipSpace(text: string, from: number): number {
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

/** Index after the value that starts at `start`, or -1 where it is too deep. */
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
      case '\n':
      case '\r':
        if (depth === 1) return at
        break
    }
  }
  return text.length
}
