/** Keeps a name that says something: suppliers fill empty cells with words such as "n/a", and platforms refuse them. */
import { blank } from './blank.ts'

/** Met in place of a brand or a maker's number, in lower case. */
const placeholders = new Set(
  'n/a|na|n.a.|none|null|nil|-|--|.|?|unknown|generic|unbranded|no brand|no name|noname|does not exist|tbd|default'.split(
    '|',
  ),
)

/** @returns the name as given, or null where it is blank or a placeholder */
export function named(text: string | null): string | null {
  if (text === null) return null
  // The longest placeholder has 14 characters; a longer name needs no look-up.
  if (text.length > 20) return blank(text) ? null : text
  const word = text.trim()
  return blank(word) || placeholders.has(word.toLowerCase()) ? null : text
}
