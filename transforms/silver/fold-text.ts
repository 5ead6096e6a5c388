/** Makes words comparable: compatibility forms, case, accents, signs that cannot be seen and runs of space no longer tell two words apart. */
export function foldText(text: string): string {
  if (ascii.test(text))
    return text
      .toLowerCase()
      .replace(/[\s_-]+/g, ' ')
      .trim()
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .toLowerCase()
    .replace(/[łøđßæœı’‘]/g, (letter) => plain[letter] ?? letter)
    .replace(/[\s_-]+/gu, ' ')
    .trim()
}

const ascii = /^[ -~]*$/

/** Letters that have no decomposition, and apostrophes; files often come without them. */
const plain: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  '’': "'",
  '‘': "'",
}
