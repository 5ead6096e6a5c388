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

const brands = new Set([
  'does not apply',
  'not applicable',
  'na',
  'generic',
  'unbranded',
  'no brand',
  'nobrand',
  'no name',
  'noname',
  'unknown',
  'other',
  'not available',
  'to be defined',
  'tbd',
  'ohne marke',
  'keine marke',
  'markenlos',
  'sans marque',
  'sin marca',
  'senza marca',
  'sem marca',
  'genérico',
  'générique',
  'generico',
  'generisch',
  'geen merk',
  'bez značky',
  'bez marki',
  'без бренда',
  'нет бренда',
  'нет',
  'ノーブランド',
  '无品牌',
  '无',
])

const longest = 16

export const isBlank = (raw: string): boolean => {
  if (raw.length > longest) return raw.trim() === ''
  const word = raw.trim()
  return word === '' || blanks.has(word) || blanks.has(word.toLowerCase())
}

export const isSpreadsheetError = (raw: string): boolean =>
  raw.length <= longest && raw.includes('#') && errors.has(raw.trim().toLowerCase())

/** Makers are never called so; platforms refuse these words as brands. */
export const isNoBrand = (raw: string): boolean => raw.length <= longest && brands.has(raw.trim().toLowerCase())
