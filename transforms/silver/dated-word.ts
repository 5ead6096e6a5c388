/** Takes a stock word apart that has a date behind it: `preorder from 2026-12-01`, `lieferbar ab 1. Dezember 2026`. */
import { dateParts } from './date-parts.ts'

interface DatedWord {
  /** '' where there is nothing but a date. */
  readonly word: string
  readonly date: string
}

/** Longer texts are sentences. */
const longest = 64
/** What stands between the word and the date, in our languages. */
const link =
  /[\s:;,(–—-]*(?:(?:from|starting|starts|as of|on|until|till|ab dem|ab|am|zum|bis|à partir du|dès le|dès|le|jusqu'au|desde el|desde|a partir del?|a partir de|hasta|dal|fino al|a partire dal|vanaf|per|tot|od|do|с|от|по|до|from|から|より)(?!\p{L}))?[\s:;,(–—-]*$/iu
/** Chinese and Japanese put it behind the date. */
const behind = /\s*(?:から|より|以降|起|开始|发售|発売|入荷予定|頃)?[).\s]*$/u

export function datedWord(text: string): DatedWord | null {
  if (text.length > longest || !/\d/.test(text)) return null
  const whole = text.replace(behind, '')
  for (const { index } of whole.matchAll(/(?<=^|[\s:,(–—-])[\p{L}\d]|(?<!\d)\d/gu)) {
    const date = whole.slice(index)
    if (dateParts(date) !== null) return { word: whole.slice(0, index).replace(link, '').trim(), date }
  }
  return null
}
