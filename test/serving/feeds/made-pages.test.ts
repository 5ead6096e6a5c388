import { expect, test } from 'vitest'
import type { PublishedRow } from '../../../infra/catalog/feed-queries.ts'
import { googleProfile } from '../../../schemas/feeds/google.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { madePages } from '../../../serving/feeds/made-pages.ts'
import { lineRenderer } from '../../../serving/feeds/render-line.ts'
import { complete, judgedAt } from '../../schemas/feeds/complete-product.ts'

const row = (id: string, product: Partial<RefinedProduct> = {}, kind: PublishedRow['content']['kind'] = 'single') => ({
  id,
  content: {
    kind,
    family: null,
    feedId: product.sku === null ? null : id,
    product: { ...complete, sku: id, ...product },
  },
})

/** Pages by the row that each begins after. */
function pagesOf(...pages: readonly (readonly PublishedRow[])[]) {
  const asked: (string | null)[] = []
  return {
    asked,
    read: async (after: string | null) => {
      asked.push(after)
      const at = after === null ? 0 : pages.findIndex((page) => page.at(-1)?.id === after) + 1
      return pages[at] ?? []
    },
  }
}

const google = lineRenderer(googleProfile, { linkTemplate: null, tracking: {}, options: {} })

async function collect(pages: ReturnType<typeof madePages>): Promise<string> {
  let text = ''
  for await (const page of pages) {
    const some = page.bytes.toString()
    expect(some.split('\n').length - 1).toBe(page.lines)
    text += some
  }
  return text
}
const idsOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).id)

test('pages come in order, each row once, and the line ends with a newline', async () => {
  const { read } = pagesOf([row('A'), row('B')], [row('C')])
  const text = await collect(madePages(google, read, judgedAt, null))
  expect(idsOf(text)).toEqual(['A', 'B', 'C'])
  expect(text.endsWith('}\n')).toBe(true)
})

test('nothing published is no line at all', async () => {
  expect(await collect(madePages(google, pagesOf().read, judgedAt, null))).toBe('')
})

test('KF-26: a product that the platform refuses is left out, and its page goes on', async () => {
  const { read } = pagesOf([row('A'), row('B', { images: ['htp:/broken'] }), row('C')])
  expect(idsOf(await collect(madePages(google, read, judgedAt, null)))).toEqual(['A', 'C'])
})

test('an offer that has ended when the feed is read is left out, whenever it was published', async () => {
  const { read } = pagesOf([row('A', { expirationDate: '2026-11-27' }), row('B', { expirationDate: '2026-11-28' })])
  expect(idsOf(await collect(madePages(google, read, judgedAt, null)))).toEqual(['B'])
  expect(await collect(madePages(google, read, '2026-11-29T00:00:00Z', null))).toBe('')
})

test('a page without any valid product does not end the feed', async () => {
  const { read } = pagesOf([row('A', { title: null })], [row('B')])
  expect(idsOf(await collect(madePages(google, read, judgedAt, null)))).toEqual(['B'])
})

test('only a variant names its group, and a product without a SKU goes by its id', async () => {
  const group = { itemGroupId: 'T-1' }
  const { read } = pagesOf([row('A', group), row('B', group, 'variant'), row('C', { sku: null })])
  const lines = (await collect(madePages(google, read, judgedAt, null))).split('\n').filter(Boolean)
  expect(lines.map((line) => JSON.parse(line)).map(({ id, item_group_id }) => [id, item_group_id])).toEqual([
    ['A', undefined],
    ['B', 'T-1'],
    ['C', undefined],
  ])
})

test('q wants every word, in any case and accent, in title, brand, SKU or description', async () => {
  const { read } = pagesOf([
    row('A', { title: 'Café table', description: 'Round' }),
    row('B', { title: 'Oak TABLE', brand: 'Café Lumo' }),
    row('C', { title: 'Chair' }),
  ])
  const found = async (q: string) => idsOf(await collect(madePages(google, read, judgedAt, q)))
  expect(await found('cafe')).toEqual(['A', 'B'])
  expect(await found('table  CAFÉ')).toEqual(['A', 'B'])
  expect(await found('round table')).toEqual(['A'])
  expect(await found('')).toEqual(['A', 'B', 'C'])
  expect(await found('sofa')).toEqual([])
})

test('KF-29: only the page after the one being written is read ahead, and none once the reader has gone', async () => {
  const endless = Array.from({ length: 100 }, (_, i) => [row(String(i).padStart(3, '0'))])
  const { read, asked } = pagesOf(...endless)
  const lines = madePages(google, read, judgedAt, null)
  await lines.next()
  expect(asked).toHaveLength(2)
  await lines.next()
  expect(asked).toHaveLength(3)
  await lines.return(undefined)
  expect(asked).toHaveLength(3)
})
