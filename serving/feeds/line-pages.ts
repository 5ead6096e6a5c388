/** The lines of one edition of a feed, page by page, in order of product: the next page is on its way while one is written. */
import type { FillState } from '../../infra/catalog/feed-fill.ts'
import type { LinePage } from '../../infra/catalog/feed-pages.ts'

/** Lines of a page: the first ones must not wait for many, and a page of long lines must not fill the memory. */
const firstLines = 200
const mostLines = 5_000
const pageBytes = 4 * 1024 * 1024

const linesAfter = ({ bytes, lines }: Lines) =>
  Math.max(firstLines, Math.min(mostLines, Math.floor((pageBytes * lines) / bytes.length)))

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
    const next = read(page.last, linesAfter(page))
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
    for (let page = await read(place, firstLines, product); page; page = await read(place, linesAfter(page), product)) {
      yield page
      place = page.last
    }
    place = product
  }
  yield* storedPages(read, place)
}
