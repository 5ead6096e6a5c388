import { describe, expect, test } from 'vitest'
import { openaiProfile } from '../../../schemas/feeds/openai.ts'
import { problemsOf } from '../../../schemas/feeds/problems-of.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { lineCheck } from '../../../serving/feeds/forms/line-check.ts'
import { feedOf } from './complete-product.ts'

const line = (change: Partial<RefinedProduct> = {}, group: string | null = null) =>
  openaiProfile.line({ ...feedOf(change, group), settings: { sellerName: 'Lumo' } })

describe("a line of the AI-assistant platform's feed", () => {
  test.each([
    ['preorder', 'pre_order'],
    ['backorder', 'backorder'],
    [null, 'unknown'],
  ] as const)('%s goes out as %s', (availability, word) => {
    expect(line({ availability }).availability).toBe(word)
  })

  test('a variant names its group and what tells it apart; a single says nothing of the kind', () => {
    expect(line({ options: { Size: 'M', ' ': 'x', Fit: '' } }, 'T-1')).toMatchObject({
      group_id: 'T-1',
      listing_has_variations: true,
      variant_dict: { Size: 'M' },
    })
    expect(line({ color: 'Oak', size: 'L', material: null }, 'T-1').variant_dict).toEqual({ Color: 'Oak', Size: 'L' })
    for (const name of ['group_id', 'listing_has_variations', 'variant_dict']) expect(line()).not.toHaveProperty(name)
  })

  test('measures go out in parts, sides where two are known in one unit', () => {
    expect(line({ weight: '4.5 kg', length: '40 cm', width: '400 mm' })).toMatchObject({
      ...{ weight: '4.5', item_weight_unit: 'kg' },
      dimensions: { length: '40', width: '40', unit: 'cm' },
    })
    expect(line({ length: '40 cm' })).not.toHaveProperty('dimensions')
    expect(line({ length: '40 cm', width: '12 in' })).not.toHaveProperty('dimensions')
  })

  test('a sale for a time stays out, since no date schedules anything', () => {
    expect(line({ salePrice: '59.00' })).toMatchObject({ price: '79.00 EUR', sale_price: '59.00 EUR' })
    expect(line({ salePrice: '59.00', salePriceEffectiveDate: '2026-11-28/2026-12-24' })).not.toHaveProperty(
      'sale_price',
    )
  })

  test('without the seller, whom the feed has to name, a line is not as the platform asks, and the merchant is told so', () => {
    expect(problemsOf(openaiProfile, feedOf())).toEqual([
      {
        field: 'seller_name',
        reason: expect.stringContaining('give the name of the shop in the settings of the feed'),
      },
    ])
    expect(lineCheck(openaiProfile)(openaiProfile.line(feedOf()))).toEqual([
      { field: 'seller_name', asks: "must have required property 'seller_name'" },
    ])
  })
})
