/** Texts that stand where a value is missing. */
import { blank } from '../../schemas/feeds/blank.ts'

const blanks = new Set([
  'n/a',
  'n.a.',
  'null',
  'none',
  'nil',
  'undefined',
  'nan',
  '(null)',
  '<null>',
  '\\n',
  'ー',
  'ｎ／ａ',
  'k.a.',
  'k. a.',
  'n.v.t.',
  'n/d',
  'н/д',
  'なし',
  '未設定',
  '暂无',
])

/** What spreadsheets show where a formula failed, in the languages met. */
const errors = new Set([
  '#ref!',
  '#n/a',
  '#value!',
  '#name?',
  '#nome?',
  '#div/0!',
  '#null!',
  '#num!',
  '#nv',
  '#wert!',
  '#bezug!',
  '#valeur!',
  '#rif!',
  '#valore!',
  '#¡ref!',
  '#¡valor!',
  '#error!',
])

const longest = 16

/** Dots, dashes, brackets and the like, in any number: typed where there was nothing to say. `#` and `%` mean something. */
const onlyMarks = /^[[\p{P}--[#%\&@§]]\s]+$/v

/** What begins with a letter or digit of ASCII shows something; most cells do. */
const beginsPlainly = /^[0-9A-Za-z]/

export const isBlank = (raw: string): boolean => {
  if (raw.length <= longest) {
    const word = raw.trim()
    if (word === '' || blanks.has(word) || blanks.has(word.toLowerCase())) return true
  }
  return !beginsPlainly.test(raw) && (blank(raw) || onlyMarks.test(raw))
}

export const isSpreadsheetError = (raw: string): boolean =>
  raw.length <= longest && raw.includes('#') && errors.has(raw.trim().toLowerCase())
