/** Finds which of a table's first records names its columns: files begin with titles, dates, addresses and remarks. */
import { mapHeader } from '../../transforms/silver/mapping.ts'
import { isBlank } from './blank.ts'
import { isRemark } from './header.ts'

/** Records that are looked at; none of them is blank. */
export const headerWithin = 30

/** A header that is cut by another character than its records is a header all the same. */
const otherDelimiter = /[,;\t|]/

/** A line of prose may hold the delimiter as often as it likes; so many more fields are named by no record of values. */
const clearly = 3
const isComment = (cells: readonly string[]) => /^[\s\ufeff]*#/.test(cells.find((cell) => !isBlank(cell)) ?? '')

/**
 * The first record that is no remark, but where it says nothing of products and a later one does, or where it is a lone cell above
 * records of several.
 * @returns its index; -1 where all are remarks
 */
export function headerIndex(records: readonly (readonly string[])[]): number {
  const first = records.findIndex((cells) => !isRemark(cells))
  if (first < 0) return first
  const seen = records.slice(first, headerWithin).map((cells) => {
    const filled = cells.filter((cell) => !isBlank(cell))
    return { filled: filled.length, fields: filled.length > 1 || cells === records[first] ? fieldsIn(filled) : 0 }
  })
  const [own = { filled: 0, fields: 0 }, ...others] = seen
  const better = (least: number) =>
    seen.findIndex(({ filled, fields }) => filled > own.filled && fields >= Math.max(least, own.fields + 1))
  const comment = seen.findIndex(({ fields }) => fields > own.fields)
  if (comment > 0 && isComment(records[first] ?? [])) return first + comment
  if (own.fields > 1) return first
  const named = better(2)
  if (named > 0) return first + named
  const prose = seen.findIndex(({ filled, fields }) => fields >= clearly + own.fields && 2 * fields >= filled)
  if (prose > 0) return first + prose
  if (own.fields > 0 || own.filled > 1) return first
  const usual = others.map(({ filled }) => filled).sort((a, b) => a - b)[others.length >> 1] ?? 0
  const lone = records[first]?.find((cell) => !isBlank(cell)) ?? ''
  const parts = lone.split(otherDelimiter)
  if (usual < 2 || parts.length >= usual || fieldsIn(parts) > 1) return first
  return first + seen.findIndex(({ filled }) => filled > 1 && filled * 2 >= usual)
}

/** How many of our fields the names are. */
export const fieldsIn = (names: readonly string[]): number =>
  new Set(Object.values(mapHeader(names.map((name) => name.trim())).mapping).map(({ field }) => field)).size

/** For people: what stands above the header and is no record. */
export function aboveNote(above: readonly (readonly string[])[]): string[] {
  if (above.length === 0) return []
  const texts = above.map(
    (cells) =>
      cells
        .find((cell) => !isBlank(cell))
        ?.trim()
        .slice(0, 40) ?? '',
  )
  const shown = texts.slice(0, 3).map((text) => JSON.stringify(text))
  const more = texts.length > shown.length ? ` and ${texts.length - shown.length} more` : ''
  return [`above the header stand ${shown.join(', ')}${more}; they are no records`]
}
