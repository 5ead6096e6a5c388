import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RefinedProduct, unrefined } from '../../../schemas/product.ts'
import { blockingKeys, largestBlock } from '../../../transforms/duplicates/blocking-keys.ts'
import { compareProducts } from '../../../transforms/duplicates/compare-products.ts'
import { type Traits, traitsOf } from '../../../transforms/duplicates/traits.ts'
import { different, type Judged, same, type Written } from './hand-made.ts'
import { labelled } from './labelled.ts'

const traits = (product: RefinedProduct) => traitsOf(product, 'single', null)

function productOf([text, more = {}]: Written): RefinedProduct {
  const [title = null, brand = null, price = null] = text.split('|').map((part) => part.trim() || null)
  return { ...unrefined, title, brand, price, currency: 'EUR', ...more }
}

/** They meet in a block, and are held to be one there. */
function areTwins({ pair }: Judged): boolean {
  const [a, b] = pair.map((one) => traits(productOf(one))) as [Traits, Traits]
  const keys = new Set(blockingKeys(a).map(({ key }) => key))
  return blockingKeys(b).some(({ key }) => keys.has(key)) && compareProducts(a, b) !== null
}

/** All pairs of a catalog that meet in a block which is not too large, and are held to be one. */
function pairsFound(all: readonly Traits[]): Set<string> {
  const blocks = new Map<string, number[]>()
  for (const [i, one] of all.entries())
    for (const { key, finer } of blockingKeys(one))
      for (const name of [`${key}`, `${key} ${finer}`]) {
        const block = blocks.get(name)
        if (block) block.push(i)
        else blocks.set(name, [i])
      }
  const found = new Set<string>()
  for (const block of blocks.values()) {
    if (block.length > largestBlock) continue
    for (const [at, i] of block.entries())
      for (const j of block.slice(at + 1)) {
        const [a, b] = [all[i], all[j]]
        if (a && b && compareProducts(a, b)) found.add(`${i} ${j}`)
      }
  }
  return found
}

function measured(seed: number, size: number) {
  const all = labelled(seed, size)
  const found = pairsFound(all.map(({ product }) => traits(product)))
  const right = new Set<string>()
  // Those of one thing stand beside each other.
  for (const [i, one] of all.entries()) for (let j = i + 1; all[j]?.thing === one.thing; j++) right.add(`${i} ${j}`)
  const hits = [...found].filter((pair) => right.has(pair)).length
  return { products: all.length, twins: right.size, precision: hits / found.size, recall: hits / right.size }
}

describe('what is flagged', () => {
  test.each([7, 8, 9])(
    'of the pairs of labelled set %i at least 97 in 100 are twins, and of its twins 90 in 100 are there',
    (seed) => {
      const { products, twins, precision, recall } = measured(seed, 2_000)
      const figures = `precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}`
      console.log(`labelled set ${seed}: ${products} products, ${twins} pairs of twins: ${figures}`)
      expect(precision).toBeGreaterThanOrEqual(0.97)
      expect(recall).toBeGreaterThanOrEqual(0.9)
    },
  )

  test('of the pairs that people judged too', () => {
    const missed = same.filter((one) => !areTwins(one)).map(({ why }) => why)
    const wrong = different.filter(areTwins).map(({ why }) => why)
    const hits = same.length - missed.length
    const [precision, recall] = [hits / (hits + wrong.length), hits / same.length]
    console.log(
      `judged pairs: precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}; missed: ${missed.join(', ')}`,
    )
    expect(wrong).toEqual([])
    expect(recall).toBeGreaterThanOrEqual(0.9)
  })
})

const word = fc.constantFrom(
  'Fjord',
  'Teapot',
  'Enamel',
  'rot',
  'red',
  '500 ml',
  '0,5 l',
  'GS-12',
  'Pro',
  'für',
  'Lumo',
  'Harvest',
  '6 pack',
  'Ōtsuka',
  '',
)
const anyProduct: fc.Arbitrary<RefinedProduct> = fc
  .record({
    title: fc.option(
      fc.oneof(
        fc.array(word, { maxLength: 6 }).map((words) => words.join(' ')),
        fc.string({ unit: 'grapheme' }),
      ),
    ),
    brand: fc.option(fc.constantFrom('Lumo', 'Lumo GmbH', 'Ōtsuka', '')),
    price: fc.option(fc.constantFrom('0.00', '9.99', '10.49', '25.00')),
    gtin: fc.option(fc.constantFrom('012345678905', '0012345678905', '4006381333931', '0000000000000')),
    mpn: fc.option(fc.constantFrom('A-1', 'ZR 400', 'zr400')),
    link: fc.option(
      fc.constantFrom('https://shop.example/a', 'http://www.shop.example/a/?utm_source=x', 'https://shop.example/'),
    ),
    color: fc.option(fc.constantFrom('Red', 'rot', 'Ochre')),
  })
  .map((some) => ({ ...unrefined, currency: 'EUR', ...some }))

describe('for any two products', () => {
  test('which of them is first says nothing', () => {
    fc.assert(
      fc.property(anyProduct, anyProduct, (one, other) => {
        const [a, b] = [traits(one), traits(other)]
        expect(compareProducts(a, b)).toEqual(compareProducts(b, a))
      }),
    )
  })

  test('a family has no twins in itself, and a parent is the twin of parents alone', () => {
    fc.assert(
      fc.property(anyProduct, anyProduct, (one, other) => {
        const variant = (product: RefinedProduct) => traitsOf(product, 'variant', 'family')
        expect(compareProducts(variant(one), variant(other))).toBeNull()
        expect(compareProducts(traitsOf(one, 'parent', 'family'), traits(other))).toBeNull()
      }),
    )
  })

  test('one barcode is a reason whatever else they say, and two never are', () => {
    fc.assert(
      fc.property(anyProduct, anyProduct, (one, other) => {
        const [a, b] = [traits(one), traits(other)]
        const found = compareProducts(a, b)
        if (a.gtin === null || b.gtin === null) return
        expect(found?.reasons.includes('gtin') ?? false).toBe(a.gtin === b.gtin)
        if (a.gtin !== b.gtin) expect(found).toBeNull()
      }),
    )
  })

  test('what traits are kept as is what they were', () => {
    fc.assert(
      fc.property(anyProduct, (product) => {
        const made = traits(product)
        expect(JSON.parse(JSON.stringify(made))).toEqual(made)
        expect(blockingKeys(made).every(({ key, finer }) => Number.isSafeInteger(key) && finer === (finer | 0))).toBe(
          true,
        )
      }),
    )
  })
})
