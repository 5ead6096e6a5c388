import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { platforms } from '../../../schemas/feeds/registry.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { defaultWeights, feedReadyFrom, score } from '../../../schemas/score.ts'
import { cheapestFixes } from '../../../transforms/gold/cheapest-fixes.ts'
import { fieldFixes } from '../../../transforms/gold/fixes.ts'
import { gapPriceBuilder } from '../../../transforms/gold/gap-prices.ts'
import { grade } from '../../../transforms/gold/grade.ts'
import { patternsOf } from '../../../transforms/gold/patterns.ts'
import { enough } from '../../enough.ts'
import { complete, judgedAt } from '../../schemas/feeds/complete-product.ts'

const full: RefinedProduct = { ...complete, mpn: 'OS-1', availabilityDate: '2027-01-15', itemGroupId: 'G-1' }

/** What suppliers leave out or get wrong; mending a field gives it the value that the full product has. */
const faults: Readonly<Record<string, readonly Partial<RefinedProduct>[]>> = {
  price: [{ price: null }, { price: '0.00' }, { price: '79.00001' }],
  currency: [{ currency: null }],
  sale_price: [{ salePrice: '99.00' }, { refusedSale: '39.90 USD' }],
  original_price: [{ originalPrice: '99.00001' }],
  title: [{ title: null }],
  description: [{ description: null }],
  link: [{ link: null }, { link: 'no address' }],
  image: [{ images: [] }],
  brand: [{ brand: null }, { brand: 'b'.repeat(101) }],
  mpn: [{ mpn: 'm'.repeat(80) }],
  sku: [{ sku: 's'.repeat(101) }],
  item_group_id: [{ itemGroupId: 'g'.repeat(101) }],
  availability: [{ availability: null }],
  availability_date: [{ availability: 'preorder', availabilityDate: null }],
  condition: [{ condition: null }],
}

/** Silver reads no other amount where there is no price. */
function asSilverGives(product: RefinedProduct): RefinedProduct {
  if (product.price !== null) return product
  const { refusedSale: _, ...rest } = product
  return { ...rest, salePrice: null, originalPrice: null }
}

const anyFaulty = fc
  .tuple(...Object.values(faults).map((list) => fc.option(fc.constantFrom(...list), { freq: 3 })))
  .map((chosen) => asSilverGives(Object.assign({}, full, ...chosen)))

/** A sale price is mended by one that is below the price; what is on preorder stays so, and gets its date. */
const otherwise: Readonly<Record<string, Partial<RefinedProduct>>> = {
  sale_price: { salePrice: '59.00' },
  availability_date: { availabilityDate: full.availabilityDate },
}

/** Only where it is wrong. */
function mended(product: RefinedProduct, field: string): RefinedProduct {
  const has = (key: string) => product[key as keyof RefinedProduct]
  const wrong = faults[field]?.find((one) =>
    Object.entries(one).every(([key, value]) => isDeepStrictEqual(has(key), value)),
  )
  if (wrong === undefined) return product
  const right = Object.fromEntries(Object.keys(wrong).map((key) => [key, full[key as keyof RefinedProduct]]))
  // What was refused is left out: a sale instead would change what the former price is shown for.
  if ('refusedSale' in wrong) {
    const { refusedSale: _, ...rest } = product
    return rest
  }
  return { ...product, ...(otherwise[field] ?? right) }
}

const gradeOf = (product: RefinedProduct) =>
  grade({ id: product.sku ?? 'x', itemGroupId: product.itemGroupId, product, at: judgedAt }, 'variant')

const required = platforms.reduce((bits, { bit }) => bits | bit, 0)
const scoring = { weights: defaultWeights, required }

function isReady(product: RefinedProduct): boolean {
  const { sub, valid } = gradeOf(product)
  return score(sub, defaultWeights) >= feedReadyFrom && (valid & required) === required
}
const countReady = (products: readonly RefinedProduct[]) => products.filter(isReady).length

test('as many products become feed-ready as each fix promised, when the field is really mended', () => {
  fc.assert(
    fc.property(fc.array(anyFaulty, { minLength: 1, maxLength: 8 }), (products) => {
      const fixes = fieldFixes(defaultWeights)
      const patterns = patternsOf(scoring, fixes, products.length)
      for (const { points, valid } of products.map(gradeOf)) patterns.add(points, valid, 1)
      let now: readonly RefinedProduct[] = products
      for (const fix of cheapestFixes(fixes, patterns, 'feed_ready', Object.keys(faults).length)) {
        if (fix === null) continue
        const before = countReady(now)
        now = now.map((product) => mended(product, fix.field))
        expect({ field: fix.field, ready: countReady(now) }).toEqual({ field: fix.field, ready: fix.after.feedReady })
        expect(countReady(now) - before).toBe(fix.becomeFeedReady)
      }
    }),
    { numRuns: enough(70, 200) },
  )
})

test.each<[string, Partial<RefinedProduct>]>([
  ['currency', { currency: null }],
  ['mpn', { mpn: 'm'.repeat(80) }],
  ['brand', { brand: 'b'.repeat(101) }],
  ['item_group_id', { itemGroupId: 'g'.repeat(101) }],
  ['availability_date', { availability: 'preorder', availabilityDate: null }],
  ['original_price', { originalPrice: '99.00001' }],
])('only %s is said to make ready a product that lacks nothing else', (field, fault) => {
  const prices = gapPriceBuilder(scoring, null)
  const { points, valid } = gradeOf({ ...full, ...fault })
  prices.add(points, valid, 1)
  const { fields } = prices.result()
  expect(fields.filter(({ becomeFeedReady }) => becomeFeedReady > 0).map((one) => one.field)).toEqual([field])
})

test('neither price nor currency is said to be enough where both are missing, and both together are', () => {
  const { points, valid } = gradeOf({ ...full, price: null, currency: null })
  const prices = gapPriceBuilder(scoring, null)
  prices.add(points, valid, 1)
  for (const { becomeFeedReady } of prices.result().fields) expect(becomeFeedReady).toBe(0)
  const fixes = fieldFixes(defaultWeights)
  const patterns = patternsOf(scoring, fixes, 1)
  patterns.add(points, valid, 1)
  const chosen = [...cheapestFixes(fixes, patterns, 'feed_ready', 2)].filter((fix) => fix !== null)
  expect(chosen.map(({ field, becomeFeedReady }) => [field, becomeFeedReady])).toEqual([
    ['price', 0],
    ['currency', 1],
  ])
})
