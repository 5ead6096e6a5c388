/** Text as XML can hold it: its own signs by name, and without what it has no place for (KF-18). */

/** What XML has no place for, and what stands for something else in it: a line feed is what parsers make of a carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const special = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const each = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** Halves of pairs and control characters are left out. */
export const escaped = (text: string) => (special.test(text) ? text.replace(each, (one) => entities[one] ?? '') : text)

const markup = /[&<>\ufffe\uffff]/
/** Of a text in which JSON escapes nothing. */
export const escapedPlain = (text: string) => (markup.test(text) ? escaped(text) : text)

/** Parsers make a space of a tab or a line break in an attribute that is written as it is. */
export const inQuotes = (text: string) => escaped(text).replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')
