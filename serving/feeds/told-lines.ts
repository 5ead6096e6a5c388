/** What changed in a feed behind a position, as lines: products as they are now, and marks of those that went. */
import type { Told } from '../../infra/catalog/feed-pages.ts'
import { type FeedPosition, showPosition } from './feed-position.ts'
import type { Lines } from './line-pages.ts'

const pageLines = 1_000

export type Place = Pick<FeedPosition, 'edition' | 'product'>
export type ReadTold = (after: Place, upto: number, limit: number) => Promise<readonly Told[]>

/** The attributes that a line has where positions are asked for, before its own. */
const placed = (position: string, product: string) => `{"_position":"${position}","_product":"${product}"`

function lineOf(config: number, { product, edition, ended, line }: Told): string {
  const begins = placed(showPosition({ mode: 't', config, edition, product }), product)
  const own = line.length > 2 ? `,${line.slice(1)}` : '}'
  return `${begins}${ended ? ',"_removed":true' : ''}${own}\n`
}

/** @param upto the edition whose changes are the last */
export async function* toldLines(
  config: number,
  read: ReadTold,
  from: Place,
  upto: number,
): AsyncGenerator<Lines & { readonly place: Place }> {
  for (let place = from; ; ) {
    const page = await read(place, upto, pageLines)
    const last = page.at(-1)
    if (!last) return
    place = { edition: last.edition, product: last.product }
    const bytes = Buffer.from(page.map((one) => lineOf(config, one)).join(''))
    yield { bytes, lines: page.length, last: last.product, place }
    if (page.length < pageLines) return
  }
}
