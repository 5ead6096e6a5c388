import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ImportContext, Layers, SilverSettings } from '../../../schemas/pipeline.ts'
import type { ProductKind, RefinedProduct } from '../../../schemas/product.ts'
import { contentKey } from '../../../transforms/bronze/content.ts'
import { mergedFields } from '../../../transforms/bronze/merged-fields.ts'
import { ownContext } from '../../../transforms/own-context.ts'
import { refine } from '../../../transforms/silver/refine.ts'
import { cellsOfProduct } from '../../../transforms/versions/cells-of-product.ts'
import { enough } from '../../enough.ts'
import { contextOf, plainSettings, said } from '../silver/said.ts'
import { anyKind, anySupplied } from './any-supplied.ts'

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

const anySettings = fc.record({
  decimal: fc.constantFrom(null, ',' as const),
  locale: fc.constantFrom('en', 'en-US', 'de'),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', '-03:30'),
})

describe('cells of a product', () => {
  test('are read as the product that they were made of, whatever a supplier wrote', () => {
    fc.assert(
      fc.property(anySupplied, anyKind, anySettings, (cells, kind, some) => {
        const settings = { ...plainSettings, ...some }
        const product = supplied(cells, kind, settings)
        expect(again(product, kind, settings)).toBe(contentKey(product, kind, null))
      }),
      { numRuns: enough(150, 500) },
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

  test('of one that was refined before a field was known are those of its other fields', () => {
    const {
      length: _,
      availabilityDate: __,
      salePriceEffectiveDate: ___,
      ...former
    } = supplied({ title: 'Cup' }, 'single')
    expect(cellsOfProduct(former as RefinedProduct, 'single')).toEqual({ title: 'Cup' })
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
