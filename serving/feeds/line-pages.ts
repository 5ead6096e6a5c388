/** The lines of one edition of a feed, page by page, in order of product: the next page is on its way while one is written. */
import type { FillState } from '../../infra/catalog/feed-fill.ts'
import type { LinePage } from '../../infra/catalog/feed-pages.ts'

/** Lines of a page: the first ones must not wait for many. */
const firstLines = 200
const pageLines = 2_000

export interface Lines {
  /** A line feed after each line. */
  readonly bytes: Buffer
  readonly lines: number
  /** The product of the last line. */
  readonly last: string
}

export type ReadLines = (after: string | null, limit: number, upto?: string) => Promise<LinePage | null>

/** @param after the product that it begins behind */
export async function* storedPages(read: ReadLines, after: string | null): AsyncGenerator<Lines> {
  let page = await read(after, firstLines)
  while (page !== null) {
    const next = read(page.last, pageLines)
    next.catch(() => {})
    yield page
    page = await next
  }
}

export type Made = Pick<FillState, 'edition' | 'product'>

/**
 * As far as lines are made; then the reader makes the next ones.
 * @param made how far they are
 * @param step makes more
 */
export async function* fillingPages(
  read: ReadLines,
  made: Made,
  step: () => Promise<Made>,
  after: string | null,
): AsyncGenerator<Lines> {
  let place = after
  for (let { edition, product } = made; edition === null; { edition, product } = await step()) {
    if (product === null || (place !== null && place >= product)) continue
    for (let left = true; left; ) {
      const page = await read(place, pageLines, product)
      left = page?.lines === pageLines
      if (page === null) break
      yield page
      place = page.last
    }
    place = product
  }
  yield* storedPages(read, place)
}
