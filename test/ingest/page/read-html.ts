/** Reads pages written in tests, and parts that they are written of. */
import { readPage } from '../../../ingest/page/read-page.ts'

export const address = 'https://shop.example.test/p/os1'
export const read = (html: string, from = address) => {
  const { fields, ...rest } = readPage(html, from)
  return {
    ...rest,
    values: Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value])),
    fields,
  }
}
export const jsonLd = (...blocks: unknown[]) =>
  blocks
    .map((one) => `<script type="application/ld+json">${typeof one === 'string' ? one : JSON.stringify(one)}</script>`)
    .join('\n')
export const offer = {
  '@type': 'Offer',
  price: '79.00',
  priceCurrency: 'EUR',
  availability: 'http://schema.org/InStock',
}
export const stool = { '@type': 'Product', name: 'Oak Stool', sku: 'OS-1', offers: offer }
export const codes = (notes: readonly { code: string }[]) => notes.map(({ code }) => code)
