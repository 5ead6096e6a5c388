/** Texts that stand where a value is missing. */

const blanks = new Set([
  '-',
  '--',
  '---',
  '—',
  '–',
  '.',
  '?',
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
  '－',
  'ー',
  '―',
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

export const isBlank = (raw: string): boolean => {
  if (raw.length > longest) return raw.trim() === ''
  const word = raw.trim()
  return word === '' || blanks.has(word) || blanks.has(word.toLowerCase())
}

export const isSpreadsheetError = (raw: string): boolean =>
  raw.length <= longest && raw.includes('#') && errors.has(raw.trim().toLowerCase())
