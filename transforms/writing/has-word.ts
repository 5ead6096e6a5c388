/** Whether a text has one of the words or phrases that a brand never uses. */
import { namesWord } from '../gold/names-word.ts'

export function hasWord(text: string, words: readonly string[]): boolean {
  const low = text.normalize('NFC').toLowerCase()
  return words.some((one) => namesWord(low, one.normalize('NFC')))
}
