/** A platform's feed of one published version as NDJSON lines, page by page. */
import type { PublishedRow } from '../../infra/catalog/feed-queries.ts'
import { feedProduct } from '../../schemas/feeds/feed-product.ts'
import { problemsOf } from '../../schemas/feeds/problems-of.ts'
import type { FeedProfile } from '../../schemas/feeds/profile.ts'
import { foldText } from '../../transforms/silver/fold-text.ts'

export type ReadPage = (after: string | null) => Promise<readonly PublishedRow[]>

/**
 * Every line is a product and nothing else; products that the platform refuses are left out. A failure in the middle is a last
 * line `{ error, code: 'STREAM_ERROR' }`.
 * @param at when it is read, ISO 8601: an offer that has ended since the publish is left out
 * @param q only products whose title, description, brand or SKU has these words
 */
export async function* feedLines(
  profile: FeedProfile,
  readPage: ReadPage,
  at: string,
  q: string | null,
  onError: (error: unknown) => void,
): AsyncGenerator<string> {
  const words = q === null ? [] : foldText(q).split(' ').filter(Boolean)
  try {
    let page = await readPage(null)
    while (page.length > 0) {
      const last = page.at(-1)?.id ?? null
      // The next page is on its way while this one is written.
      const next = readPage(last)
      next.catch(() => {})
      let text = ''
      for (const row of page) {
        const product = feedProductOf(row, at)
        if (words.length > 0 && !hasWords(product.product, words)) continue
        if (problemsOf(profile, product).length === 0) text += `${JSON.stringify(profile.line(product))}\n`
      }
      if (text !== '') yield text
      page = await next
    }
  } catch (error) {
    onError(error)
    yield `${JSON.stringify({ error: 'The feed could not be read to its end; ask again', code: 'STREAM_ERROR' })}\n`
  }
}

/** A SKU that two products have is no feed id: the publish left it out. */
const feedProductOf = ({ id, content }: PublishedRow, at: string) => ({
  ...feedProduct(content.product, id, content.kind, at),
  id: content.feedId ?? id,
})

function hasWords(product: PublishedRow['content']['product'], words: readonly string[]): boolean {
  const text = foldText([product.title, product.brand, product.sku, product.description].filter(Boolean).join(' '))
  return words.every((word) => text.includes(word))
}
