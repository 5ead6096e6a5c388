/** Words that the platforms took over from one another, ours and theirs alike. */

const same = (...words: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(words.map((word) => [word, word]))

export const conditionWords = same('new', 'refurbished', 'used')
export const genderWords = same('male', 'female', 'unisex')
export const ageGroupWords = same('newborn', 'infant', 'toddler', 'kids', 'adult')
