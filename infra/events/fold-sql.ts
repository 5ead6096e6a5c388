/** A query as the event store groups it: as search folds letters (`transforms/search/fold-letters.ts`), so that two ways to type one are one. */

/** Letters of one, each into the one below it. */
const plain = ['łøđðħŧŋıĸəς', 'loddhtnikeσ'] as const
const double = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ꜳ: 'aa' }

/** Of the largest number of 64 bits. */
const digits = 20

/** Accents, points that readers leave out, and what nobody sees. */
const marks = [
  ...[
    '0300-036f',
    '0483-0487',
    '0591-05bd',
    '05bf',
    '05c1',
    '05c2',
    '05c4',
    '05c5',
    '05c7',
    '0640',
    '064b-065f',
    '0670',
  ],
  ...['00ad', '061c', '115f-1160', '17b4-17b5', '180b-180f', '200b-200f', '202a-202e', '2060-206f', '3164'],
  ...['fe00-fe0f', 'feff', 'ffa0', 'fff0-fff8', '1bca0-1bca3', '1d173-1d17a', 'e0000-e0fff'],
]
/** Backslashes of a text in SQL are written twice. */
const marksForm = `[${marks.map((range) => range.replace(/[0-9a-f]+/g, (code) => `\\\\x{${code}}`)).join('')}]`

/** Without case, accents, and space that is more than one. Of plain ASCII only case and space are looked at, in a third of the time. @param text an expression */
export function foldSql(text: string): string {
  const bare = `replaceRegexpAll(normalizeUTF8NFD(lowerUTF8(normalizeUTF8NFKC(${text}))), '${marksForm}', '')`
  const single = `translateUTF8(${bare}, '${plain[0]}', '${plain[1]}')`
  const folded = Object.entries(double).reduce((sql, [one, two]) => `replaceAll(${sql}, '${one}', '${two}')`, single)
  const spaced = (sql: string) => `trimBoth(replaceRegexpAll(${sql}, '\\\\s+', ' '))`
  return `if(length(${text}) = lengthUTF8(${text}), ${spaced(`lower(${text})`)}, ${spaced(`normalizeUTF8NFC(${folded})`)})`
}

/** The text of which there are most, and of equally many the last in the order of the alphabet; text compares as bytes, a tuple as what it is made of. */
export const commonestSql = (n: string, text: string): string =>
  `substring(max(concat(leftPad(toString(${n}), ${digits}, '0'), ${text})), ${digits + 1})`
