import { describe, expect, test } from 'vitest'
import { metaProfile } from '../../../schemas/feeds/meta.ts'
import type { FeedSettings } from '../../../schemas/feeds/profile.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { feedOf } from './complete-product.ts'

const line = (change: Partial<RefinedProduct> = {}, settings: FeedSettings = {}, group: string | null = null) =>
  metaProfile.line({ ...feedOf(change, group), settings })

describe("a line of the social platform's feed", () => {
  test.each([
    ['in_stock', 'in stock', 'in stock'],
    ['out_of_stock', 'out of stock', 'out of stock'],
    ['preorder', 'preorder', 'in stock'],
    ['backorder', 'available for order', 'in stock'],
  ] as const)('%s goes out as %s, and as %s where the feed folds', (availability, word, folded) => {
    expect(line({ availability }).availability).toBe(word)
    expect(line({ availability }, { foldsWaiting: true }).availability).toBe(folded)
  })

  test('title and description end at 150 and 9999 characters', () => {
    const { title, description } = line({ title: 'é'.repeat(200), description: '🚀'.repeat(10_000) })
    expect([...String(title)]).toHaveLength(150)
    expect([...String(description)]).toHaveLength(9999)
  })

  test('at most ten further images, as they are; in one column as many as fit, without what separates them', () => {
    const images = Array.from({ length: 14 }, (_, n) => `https://cdn.example.test/${'i'.repeat(300)},${n}.jpg`)
    expect(line({ images }).additional_image_link).toEqual(images.slice(1, 11))
    const listed = line({ images }, { listsInOneColumn: true }).additional_image_link as string[]
    expect(listed).toEqual(images.slice(1, 6).map((image) => image.replace(',', '%2C')))
    expect(listed.join(',').length).toBeLessThanOrEqual(2000)
  })

  test('KF-23: a variant names its group, a single none', () => {
    expect(line({ sku: 'T-1-S' }, {}, 'T-1')).toMatchObject({ id: 'T-1-S', item_group_id: 'T-1' })
    expect(line()).not.toHaveProperty('item_group_id')
  })

  test('a sale for a time goes out with that time, its offsets with a colon, or not at all', () => {
    const sale = { salePrice: '59.00', salePriceEffectiveDate: '2026-11-28/2026-12-24T08:00:00+02:00' }
    expect(line(sale)).toMatchObject({
      sale_price: '59.00 EUR',
      sale_price_effective_date: '2026-11-28T00:00+00:00/2026-12-24T08:00+02:00',
    })
    const open = line({ ...sale, salePriceEffectiveDate: '2026-11-28/..' })
    for (const name of ['sale_price', 'sale_price_effective_date']) expect(open).not.toHaveProperty(name)
  })
})
