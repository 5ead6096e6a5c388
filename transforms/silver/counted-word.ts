/** Takes a stock word apart that has a count of pieces beside it: `in stock (3)`, `Skladem > 5 ks`, `12 pcs available`. */
import { unitOf } from './units.ts'

const count = String.raw`([<>≥≤~+]?=?\s*)(?<!-)(\d{1,6})(?:\s*\+)?`
const behind = new RegExp(String.raw`^(.*?\p{L}[^\p{L}\d]*?)[\s:;,([–—-]*?${count}\s*(\p{L}*)\.?\s*[)\]]?$`, 'u')
const before = new RegExp(String.raw`^\s*${count}\s+(\p{L}.*)$`, 'u')
/** What can be a year says from when. */
const year = /^(?:19|20)\d\d$/

/** Longer texts are sentences. */
const longest = 64

const isPieces = (word: string) => word === '' || unitOf(word, ['count']) !== null

/** @returns the words beside the count; null where there is no count of one piece or more */
export function countedWord(text: string): string | null {
  if (text.length > longest || !/\d/.test(text)) return null
  const [, word, mark = '', number = '', unit = ''] = behind.exec(text) ?? []
  if (word !== undefined) return isPieces(unit) && some(mark, number, unit) ? word.replace(ending, '') : null
  const [, sign = '', first = '', rest] = before.exec(text) ?? []
  if (rest === undefined || !some(sign, first, rest)) return null
  const [pieces = '', ...words] = rest.split(/\s+/)
  return words.length > 0 && isPieces(pieces.replace(/\.$/, '')) ? words.join(' ') : rest
}

const ending = /[\s:;,([–—-]+$/

/** "Over none" is some, and "fewer than one" is none. */
function some(mark: string, number: string, unit: string): boolean {
  if (unit === '' && year.test(number)) return false
  return mark.trim() === '>' || Number(number) > (mark.startsWith('<') ? 1 : 0)
}
