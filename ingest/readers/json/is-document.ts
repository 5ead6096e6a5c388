/** Tells a JSON document from lines of JSON by how the text begins. */
import { jsonTexts } from '../json-texts.ts'
import { isTextSequence, withoutSeparators } from '../text-sequence.ts'

export type JsonKind = 'document' | 'lines' | 'either'

const array = /^\[\s*(?:[[{]|\/[/*])/
const comments = /^(?:\/\/[^\r\n]*[\r\n]\s*|\/\*(?:(?!\*\/)[\s\S])*\*\/\s*)+[[{]/
const goesOn = /[[{,:]\s*$/

/**
 * @param start how the text begins
 * @param whole whether that is all of it
 * @returns `either`: objects on one line, which may be products or hold them; null for what is no JSON
 */
export function jsonKind(start: string, whole: boolean): JsonKind | null {
  const text = (isTextSequence(start) ? withoutSeparators(start) : start).trimStart()
  if (array.test(text) || comments.test(text) || (whole && isArray(text))) return 'document'
  if (!text.startsWith('{')) return null
  const [first = '', second, third] = firstLines(text)
  if (second === undefined && !whole) return text.trimEnd().length < text.length ? 'lines' : 'document'
  const texts = [...jsonTexts(first)]
  if (texts.every(isObject)) return second === undefined ? 'either' : 'lines'
  const last = texts.at(-1)?.trim() ?? ''
  // Objects one after the other, of which the last goes on below.
  const depth = depthAtEnd(last)
  if (depth === null || depth === 0 || second === undefined)
    return second === undefined && depth !== 0 ? 'document' : 'lines'
  // A line of JSON that was cut off has whole lines below it.
  if (isObject(second) && (third === undefined || third.startsWith('{')) && !last.endsWith('[')) return 'lines'
  return goesOn.test(last) || /^[,}\]]/.test(second) ? 'document' : 'lines'
}

/** The first three lines that are not blank; the last may be cut off. */
function firstLines(text: string): string[] {
  const found: string[] = []
  for (let at = 0; at < text.length && found.length < 3; ) {
    const end = text.slice(at).search(/[\r\n]/)
    const line = end < 0 ? text.slice(at) : text.slice(at, at + end)
    if (line.trim() !== '') found.push(line.trim())
    at = end < 0 ? text.length : at + end + 1
  }
  return found
}

/** Of no objects: a list of nothing is no table of one column either. */
function isArray(text: string): boolean {
  if (!text.startsWith('[')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function isObject(line: string): boolean {
  if (!line.trimStart().startsWith('{')) return false
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

/** How many brackets are open at the line's end; null inside a text, which no JSON text goes on from. */
function depthAtEnd(line: string): number | null {
  let depth = 0
  let inText = false
  for (let at = 0; at < line.length; at++) {
    const mark = line[at]
    if (inText) {
      if (mark === '\\') at++
      else if (mark === '"') inText = false
    } else if (mark === '"') inText = true
    else if (mark === '{' || mark === '[') depth++
    else if (mark === '}' || mark === ']') depth--
    if (depth === 0 && !inText) return 0
  }
  return inText ? null : depth
}
