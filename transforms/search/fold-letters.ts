/** Makes letters comparable in search: compatibility forms, case, accents and strokes no longer tell two words apart. */

const ascii = /^[\0-\x7f]*$/

/** Accents of alphabets and points that readers leave out; marks that make another letter, as in kana and Thai, stay. */
const marks =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]|\p{Default_Ignorable_Code_Point}/gu

/** Letters that have no decomposition (KF-31). */
const plain: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ŋ: 'n', ı: 'i', ĸ: 'k', ə: 'e' },
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ς: 'σ', ꜳ: 'aa' },
}
const plainLetters = new RegExp(`[${Object.keys(plain).join('')}]`, 'g')

export function foldLetters(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(marks, '')
    .replace(plainLetters, (letter) => plain[letter] ?? letter)
    .normalize('NFC')
}
