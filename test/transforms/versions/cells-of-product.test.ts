import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ImportContext, Layers, SilverSettings } from '../../../schemas/pipeline.ts'
import type { Field, ProductKind, RefinedProduct } from '../../../schemas/product.ts'
import { contentKey } from '../../../transforms/bronze/content.ts'
import { mergedFields } from '../../../transforms/bronze/merged-fields.ts'
import { ownContext } from '../../../transforms/own-context.ts'
import { refine } from '../../../transforms/silver/refine.ts'
import { cellsOfProduct } from '../../../transforms/versions/cells-of-product.ts'
import { contextOf, plainSettings, said } from '../silver/said.ts'

/** Silver's reading of cells as one record of our own, through the layers as the worker has them. */
function readBack(cells: Layers['layers'][number]['cells'], kind: ProductKind, settings: SilverSettings) {
  const from = [{ epoch: 1, offset: 1, import: null, context: 0, row: null }]
  const layer = { source: 'fork:x@1', live: true, created: false, cells, from, by: {} }
  const contexts = (id: number): ImportContext | undefined => (id === 0 ? ownContext : undefined)
  const layers: Layers = { kind, family: null, epoch: 1, rev: 1, layers: [layer] }
  return refine(mergedFields(layers, contexts, settings), kind, contexts, settings).product
}

const again = (product: RefinedProduct, kind: ProductKind, settings: SilverSettings = plainSettings) =>
  contentKey(readBack(cellsOfProduct(product, kind), kind, settings), kind, null)

const supplied = (cells: Parameters<typeof said>[0], kind: ProductKind, settings = plainSettings) =>
  refine(said(cells), kind, contextOf(), settings).product

const markup = fc.constantFrom(
  '&lt;b&gt;', '&amp;lt;', '&amp;amp;amp;lt;', '<<b>b>', '<b>n/a</b>', '<p>__CLEAR__</p>', 'n/a&nbsp;', '&#8203;', ' > ', ', ', '|', '/',
  '#N/A', 'a & b', '5 < 6', '"', '\\', '[]', '{}', 'x', '<', '&', '\n\n', 'Größe', 'generic&nbsp;',
) // biome-ignore format: a list of marks
const text = fc.oneof(
  fc.array(markup, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
const amount = fc.constantFrom(
  '0',
  '12.50',
  '1.299',
  '1,299.5',
  '9',
  'EUR 10',
  '12,000 KWD',
  '$3',
  '5.125',
  '100 JPY',
  '8 DEM',
)
const address = fc.oneof(
  fc.webUrl({ withQueryParameters: true }),
  fc.constantFrom(
    'https://x.test/a,b.jpg',
    'https://x.test/?a=1&amp;amp;b=2',
    'https://ü.test/ä.png',
    'https://x_y.test./%zz',
    '/a.jpg',
  ),
)
const object = fc
  .dictionary(text, fc.oneof(text, fc.jsonValue({ maxDepth: 2 })), { maxKeys: 3 })
  .map((o) => JSON.stringify(o))
const special: Partial<Record<Field, fc.Arbitrary<string | string[]>>> = {
  price: amount,
  sale_price: amount,
  original_price: amount,
  currency: fc.constantFrom('EUR', 'usd', 'KWD', 'JPY', 'DEM', '€'),
  gtin: fc.constantFrom('4006381333931', "''4006381333931", '4 006381 333931', '96385074'),
  availability: fc.constantFrom('in stock', 'no idea', 'preorder', '7'),
  quantity: fc.constantFrom('0', '-3', '12', '50+', '1.000'),
  track_stock: fc.constantFrom('no', 'yes'),
  condition: fc.constantFrom('neu', 'used', 'odd'),
  gender: fc.constantFrom('Damen', 'unisex'),
  age_group: fc.constantFrom('kids', 'Erwachsene'),
  weight: fc.constantFrom('1,250', '1.250', '0.5 kg', '2.0', '1,2,3', 'about 3'),
  google_product_category: fc.constantFrom('166', 'A > B &amp; C', 'A > B&lt;'),
  link: address,
  image: address,
  images: fc.array(address, { maxLength: 3 }),
  options: object,
  attributes: object,
}
const textual: Field[] = [
  'sku',
  'source_id',
  'mpn',
  'brand',
  'title',
  'description',
  'short_description',
  'category',
  'item_group_id',
]
const more: Field[] = ['color', 'size', 'material', 'pattern', 'seo_title', 'seo_description', 'tags']
const anyCells = fc.record(
  { ...Object.fromEntries([...textual, ...more].map((field) => [field, text])), ...special },
  { requiredKeys: [] },
) as fc.Arbitrary<Parameters<typeof said>[0]>
const anyKind = fc.constantFrom<ProductKind>('single', 'variant', 'parent')

describe('cells of a product', () => {
  test('are read as the product that they were made of, whatever a supplier wrote', () => {
    fc.assert(
      fc.property(anyCells, anyKind, (cells, kind) => {
        const product = supplied(cells, kind)
        expect(again(product, kind)).toBe(contentKey(product, kind, null))
      }),
      { numRuns: 300 },
    )
  })

  test('leave out what the settings fill, which fill it again', () => {
    const settings: SilverSettings = {
      ...plainSettings,
      currency: 'EUR',
      decimal: ',',
      linkTemplate: 'https://x.test/{sku}',
      condition: 'new',
    }
    const product = supplied({ sku: 'A-1', title: 'Cup', price: '1.299,50', weight: '1.250' }, 'single', settings)
    expect(product).toMatchObject({
      price: '1299.50',
      currency: 'EUR',
      link: 'https://x.test/A-1',
      condition: 'new',
      weight: '1250',
    })
    const cells = cellsOfProduct(product, 'single')
    expect(cells).toEqual({ sku: 'A-1', title: 'Cup', price: '1299.50', currency: 'EUR', weight: '1250' })
    expect(again(product, 'single', settings)).toBe(contentKey(product, 'single', null))
    expect(readBack(cells, 'single', { ...settings, currency: 'USD' }).currency).toBe('EUR')
  })

  test('are written as people write them where nothing stands against it', () => {
    const product = supplied(
      { title: 'Salt & pepper', category: 'Kitchen > Mills', tags: 'a,b', options: '{"Color":"Red"}' },
      'variant',
    )
    expect(cellsOfProduct(product, 'variant')).toEqual({
      title: 'Salt & pepper',
      category: 'Kitchen > Mills',
      tags: '["a","b"]',
      options: '{"Color":"Red"}',
    })
  })
})
