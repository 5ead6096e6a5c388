/** A feed of one published version whose lines are made while it is read, and kept for nobody: searched ones, and those of a version that is not caught up with yet. */
import type { Render } from '../../infra/catalog/feed-lines.ts'
import type { PublishedRow } from '../../infra/catalog/feed-queries.ts'
import { foldText } from '../../transforms/silver/fold-text.ts'
import type { Lines } from './line-pages.ts'

export type ReadPage = (after: string | null) => Promise<readonly PublishedRow[]>

/**
 * Products that the platform refuses are left out.
 * @param at when it is read, ISO 8601: an offer that has ended since the publish is left out
 * @param q only products whose title, description, brand or SKU has these words
 */
export async function* madePages(
  render: Render,
  readPage: ReadPage,
  at: string,
  q: string | null,
  prefixOf: (product: string) => string | null = () => null,
): AsyncGenerator<Lines> {
  const words = q === null ? [] : foldText(q).split(' ').filter(Boolean)
  let page = await readPage(null)
  while (page.length > 0) {
    const last = page.at(-1)?.id ?? null
    // The next page is on its way while this one is written.
    const next = readPage(last)
    next.catch(() => {})
    let text = ''
    let lines = 0
    for (const row of page) {
      if (words.length > 0 && !hasWords(row.content.product, words)) continue
      const { line } = render(row, at)
      if (line === null) continue
      const prefix = prefixOf(row.id)
      text += prefix === null ? `${line}\n` : `${prefix}${line.slice(1)}\n`
      lines++
    }
    if (lines > 0) yield { bytes: Buffer.from(text), lines, last: last ?? '' }
    page = await next
  }
}

function hasWords(product: PublishedRow['content']['product'], words: readonly string[]): boolean {
  const text = foldText([product.title, product.brand, product.sku, product.description].filter(Boolean).join(' '))
  return words.every((word) => text.includes(word))
}
