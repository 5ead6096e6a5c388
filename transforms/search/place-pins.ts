/** Puts products that have a place of their own among the others, page by page. */
import type { Place, TopRow } from './top-rows.ts'

/** Where a page goes on. */
export interface Resume {
  /** The last row before it that has no place of its own; null: there was none. */
  readonly place: Place | null
  /** Rows before it, and those among them that have a place of their own. */
  readonly rows: number
  readonly pins: number
}

export interface PlacedRow {
  readonly row: TopRow
  /** From 1. Where it is taken, the next that is free. */
  readonly position: number
}

/**
 * @param rows behind the place, one more than the page has where there are so many
 * @param pins all of the search, in order; behind the last of the others they follow one another
 */
export function placePins(
  rows: readonly TopRow[],
  pins: readonly PlacedRow[],
  limit: number,
  after: Resume | null,
): { readonly page: TopRow[]; readonly next: Resume | null } {
  const page: TopRow[] = []
  let [taken, pinned, place] = [0, after?.pins ?? 0, after?.place ?? null]
  const before = after?.rows ?? 0
  while (page.length < limit) {
    const pin = pins[pinned]
    const row = rows[taken]
    // The place of a pin that another stands at is behind it, and so are all that follow.
    if (pin && (!row || pin.position <= before + page.length + 1)) {
      page.push(pin.row)
      pinned++
    } else if (row) {
      page.push(row)
      place = { rank: row.rank, id: row.id }
      taken++
    } else break
  }
  const more = taken < rows.length || pinned < pins.length
  return { page, next: more ? { place, rows: before + page.length, pins: pinned } : null }
}
