/** Spells a refined text as a cell from which silver reads that very text again: also where it looks like markup, or like nothing. */
import { isClear } from '../bronze/cell-value.ts'
import { isBlank, isSpreadsheetError } from '../silver/placeholders.ts'

/** Silver unwraps this many rounds of entities, and no more. */
const rounds = 3

/** Removed from a text after its markup: it keeps a `<` that is text from being taken for a tag. */
const noTag = '&#8203;'

const standsForNothing = (raw: string) => isBlank(raw) || isSpreadsheetError(raw) || isClear(raw)

/** @param read what silver makes of the cell where it stands for something */
export function spelled(text: string, read: (raw: string) => string | null): string {
  if (!standsForNothing(text) && read(text) === text) return text
  const head = text.codePointAt(0)
  if (head === undefined) return text
  const rest = text.slice(String.fromCodePoint(head).length)
  const first = `&#${head};${head === 0x3c ? noTag : ''}`
  let cell = first + rest.replaceAll('&', '&amp;').replaceAll('<', `&lt;${noTag}`)
  for (let round = 1; round < rounds; round++) cell = cell.replaceAll('&', '&amp;')
  return cell
}

/** Identifiers have no entities; an invisible character, which silver takes away, tells one from a word for nothing. */
export const spelledIdentifier = (text: string): string => (standsForNothing(text) ? `${text}\u200b` : text)

/** Addresses are read with `&amp;` for `&`, once. */
export const spelledAddress = (address: string): string => address.replaceAll('&amp;', '&amp;amp;')
