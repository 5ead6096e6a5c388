import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { googleProfile } from '../../../schemas/feeds/google.ts'
import { googleBranch } from '../../../schemas/feeds/google-branch.ts'
import { problemsOf } from '../../../schemas/feeds/problems-of.ts'
import { platforms } from '../../../schemas/feeds/registry.ts'
import { isField, type RefinedProduct } from '../../../schemas/product.ts'
import { dimensions } from '../../../schemas/score.ts'
import { grade } from '../../../transforms/gold/grade.ts'
import { rubric } from '../../../transforms/gold/rubric.ts'
import { enough } from '../../enough.ts'
import { bare, complete, feedOf, judgedAt } from '../../schemas/feeds/complete-product.ts'

const attained = (id: string, change: Partial<RefinedProduct>, kind: 'single' | 'variant' = 'single') => {
  const place = rubric.findIndex((rule) => rule.id === id)
  const percent = grade(feedOf(change), kind).points[place]
  return percent === 255 ? null : percent
}

describe('the rubric as data', () => {
  test.each(dimensions)('%s shares out exactly 100 points', (dimension) => {
    const rules = rubric.filter((rule) => rule.dimension === dimension)
    expect(rules.reduce((sum, { points }) => sum + points, 0)).toBe(100)
  })

  test('rules have ids of their own, fields that exist, a reason and a source', () => {
    expect(new Set(rubric.map(({ id }) => id)).size).toBe(rubric.length)
    for (const { id, field, why, sources } of rubric) {
      expect(isField(field)).toBe(true)
      expect(why.length).toBeGreaterThan(20)
      expect(sources.length, id).toBeGreaterThan(0)
      for (const source of sources) expect(source).toMatch(/^(https:\/\/|Assay: .{20})/)
    }
  })

  test('a rule asks at most once whether a field is there', () => {
    const asked = rubric.filter((rule) => rule.presence).map(({ field }) => field)
    expect(new Set(asked).size).toBe(asked.length)
  })

  test('rules that a category makes apply weigh no more than a category gives at least', () => {
    const points = (...ids: string[]) =>
      rubric
        .filter(({ id, dimension }) => dimension === 'content' && ids.includes(id))
        .reduce((s, r) => s + r.points, 0)
    const woken = points('color', 'size', 'material', 'gender', 'age_group')
    expect(woken).toBeLessThanOrEqual(points('google_product_category'))
    expect(woken).toBeLessThanOrEqual(points('category') * 0.7)
  })
})

describe('rules grade', () => {
  const text = (length: number) => 'Oak stool '.repeat(600).slice(0, length)
  test.each<[string, Partial<RefinedProduct>, number | null]>([
    ['title.length', { title: text(12) }, 40],
    ['title.length', { title: text(30) }, 100],
    ['title.length', { title: text(151) }, 80],
    ['title.length', { title: '🚀'.repeat(15) }, 50],
    ['description.length', { description: text(100) }, 20],
    ['description.length', { description: text(500) }, 100],
    ['description.length', { description: text(5001) }, 90],
    ['description.own', { title: 'Oak stool', description: 'OAK STOOL' }, 0],
    ['category', { categoryPath: ['Stools'] }, 70],
    ['attributes', { color: 'Oak', material: null, weight: null, attributes: {} }, 25],
    ['attributes', { attributes: { a: 1, b: 2, c: 3, d: 4, e: 5 } }, 100],
    ['images', { images: complete.images.slice(0, 1) }, 0],
    ['images', { images: complete.images.slice(0, 3) }, 70],
    ['image.address', { images: ['htp:/broken'] }, 0],
    ['price.positive', { price: '0.00' }, 0],
    ['sale_price', { salePrice: '80.00' }, 0],
    ['sale_price', { salePrice: '9.5' }, 100],
    ['sale_price', { salePrice: null }, null],
    ['sale_price', { refusedSale: '39.90 USD' }, 0],
    ['original_price', { originalPrice: '9.00' }, 0],
    ['quantity', { quantity: null }, 0],
    ['quantity', { quantity: null, availability: 'backorder' }, 100],
    ['quantity.agrees', { quantity: 0 }, 0],
    ['quantity.agrees', { quantity: 3, availability: 'out_of_stock' }, 0],
    ['quantity.agrees', { quantity: 0, availability: 'preorder' }, 100],
    ['title.shown', { title: text(90) }, 60],
    ['seo_title', { title: text(90) }, 50],
    ['seo_title', { title: text(90), seoTitle: 'Oak stool' }, 100],
    ['seo_description', { description: text(25) }, 50],
    ['seo_description', { description: null, seoDescription: text(60) }, 100],
    ['gtin', { gtin: '0000000000000' }, 0],
    ['mpn', { gtin: null, mpn: null }, 0],
    ['mpn', { gtin: null, mpn: 'OS' }, 100],
    ['brand', { brand: 'n/a' }, 0],
    ['title.plain', { title: 'SUPER SALE OAK STOOL NOW' }, 0],
    ['title.plain', { title: 'LG OLED55' }, 100],
    ['title.plain', { title: '電動自転車 USB HDMI LED PD WIFI 26インチ 前かご付き 軽量 通勤 通学' }, 100],
    ['description.plain', { description: 'Oiled oak<br/>by hand' }, 0],
    ['description.plain', { description: 'Oak &amp; beech' }, 0],
    ['description.plain', { description: 'Oak & beech, height < 80 cm > 60 cm' }, 100],
    ['category.any', { categoryPath: [] }, 100],
    ['feed.image', { images: ['htp:/broken'] }, 0],
    ['feed.availability', { availability: 'preorder' }, 100],
    ['feed.availability_date', { availability: 'preorder' }, 40],
    ['feed.availability_date', { availability: 'preorder', availabilityDate: '2026-12-01' }, 100],
    ['feed.sku', { sku: 'x'.repeat(51) }, 40],
    ['feed.sku', { sku: 'x'.repeat(101) }, 0],
    ['feed.condition', { condition: null }, 75],
    ['feed.brand', { brand: null }, 60],
    ['feed.image', { images: ['https://cdn.example.test/a.webp'] }, 60],
    ['feed.price', { currency: null }, 100],
    ['feed.currency', { currency: null }, 0],
    ['feed.price', { price: null, currency: null }, 0],
    ['feed.currency', { price: null, currency: null }, 0],
    ['feed.mpn', { mpn: 'm'.repeat(71) }, 40],
    ['feed.brand', { mpn: 'm'.repeat(71) }, 100],
    ['feed.options', { color: null, material: null }, 100],
    ['title', { title: 'Test product' }, 0],
    ['title.length', { title: 'untitled' }, 0],
    ['title.promotion', { title: 'Oak stool, free shipping' }, 0],
    ['title.promotion', { title: 'Oak stool' }, 100],
    ['description', { description: 'Lorem ipsum dolor sit amet' }, 0],
    ['description.length', { description: `Lorem ipsum ${text(500)}` }, 0],
    ['description.links', { description: 'More of it at https://shop.example.test' }, 0],
    ['description.links', { description: 'Oak: oiled' }, 100],
    ['description.snippet', { description: 'tbd' }, 0],
    ['title.variant', { title: 'Stool' }, null],
    ['color', { color: null }, null],
    ['color', { color: null, categoryPath: ['Mode', 'Schuhe'] }, null],
    ['color', { color: null, googleProductCategory: null, categoryPath: ['Mode', 'Schuhe'] }, 0],
    ['gender', { googleProductCategory: '166', gender: 'unisex' }, 100],
    ['size', { googleProductCategory: '167' }, null],
    ['size', { googleProductCategory: '1604' }, 0],
    ['feed.color', { googleProductCategory: '166', color: '#aa0000' }, 40],
    ['feed.gender', { googleProductCategory: '166' }, 40],
    ['feed.gender', {}, 100],
    ['feed.description', { title: 'Oak '.repeat(10), description: 'oak '.repeat(10) }, 75],
    ['feed.currency', { currency: 'DEM' }, 0],
  ])('%s of %o with %j percent', (id, change, percent) => {
    expect(attained(id, change)).toBe(percent)
  })

  test('a variant by what tells it apart, and asks a single for nothing of the kind', () => {
    const plain = { color: null, material: null }
    expect(attained('options', plain, 'variant')).toBe(0)
    expect(attained('options', { ...plain, options: { Scent: 'Cedar' } }, 'variant')).toBe(100)
    expect(attained('options', plain, 'single')).toBeNull()
  })

  test('a variant by whether its title says which of its siblings it is', () => {
    expect(attained('title.variant', { title: 'Stool', color: 'Oak' }, 'variant')).toBe(0)
    expect(attained('title.variant', { title: 'Stool, oak', color: 'Oak' }, 'variant')).toBe(100)
    expect(attained('title.variant', { title: 'Stool XL', options: { Size: 'xl' } }, 'variant')).toBe(100)
    expect(attained('title.variant', { title: null }, 'variant')).toBe(0)
  })

  test('every rule of every platform under exactly one field of the product', () => {
    const rules = rubric.filter(({ id }) => id.startsWith('feed.'))
    platforms.forEach(({ platform, rules: asked }, place) => {
      for (const { field, mends } of asked) {
        const problem = { field, reason: 'The rule is broken', ...(mends && { mends }) }
        const refusals = platforms.map((_, i) => (i === place ? [problem] : []))
        const hit = rules.filter((rule) => (rule.check(bare, 'single', refusals) ?? 100) < 100)
        expect(hit, `${platform} ${field}`).toHaveLength(1)
      }
    })
  })

  test('refusals so that the percent says which platforms they are of', () => {
    const sets = Array.from({ length: 2 ** platforms.length }, (_, bits) =>
      platforms.map((_, i) => (bits & (2 ** i) ? [{ field: 'title', reason: 'The title is missing' }] : [])),
    )
    const rule = rubric.find(({ id }) => id === 'feed.title')
    expect(new Set(sets.map((refusals) => rule?.check(bare, 'single', refusals))).size).toBe(sets.length)
    expect(rule?.check(bare, 'single', sets.at(-1) ?? [])).toBe(0)
  })

  test('a product that everybody takes in full, so that what is valid for all loses nothing by feeds', () => {
    for (const one of platforms) expect(problemsOf(one, feedOf())).toEqual([])
  })
})

test('a right value that is added never lowers a sub-score, and none but a category of what is worn costs a platform', () => {
  const words = fc.array(fc.constantFrom('oak', 'Stool', 'für', 'die', 'Küche', '電動', '🚀', 'bar'), {
    minLength: 1,
    maxLength: 40,
  })
  const phrase = words.map((list) => `Lumo ${list.join(' ')}`)
  const right = fc.record({
    ...Object.fromEntries(Object.entries(complete).map(([name, value]) => [name, fc.constant(value)])),
    mpn: fc.constant('OS-1'),
    title: phrase,
    description: phrase.map((text) => `${text} and more about it. `.repeat(3)),
    salePrice: fc.constantFrom('59.00', '9.5'),
    originalPrice: fc.constantFrom('79.00', '99.00'),
    availability: fc.constantFrom('in_stock', 'preorder', 'backorder'),
    availabilityDate: fc.constant('2026-12-01'),
    salePriceEffectiveDate: fc.constantFrom('2026-11-28/2026-12-24', '2026-11-28/..'),
    expirationDate: fc.constant('2027-03-31'),
    length: fc.constant('40 cm'),
    condition: fc.constantFrom('new', 'refurbished', 'used'),
    categoryPath: fc.constantFrom(['Stools'], ['Home', 'Stools'], ['Shoes'], ['Mode', 'Schmuck'], ['Books']),
    googleProductCategory: fc.constantFrom('1463', '1604', '187', '167', '784', 'Media > Books', 'Möbel > Stühle'),
    images: fc.integer({ min: 1, max: 5 }).map((n) => complete.images.slice(0, n)),
    options: fc.constantFrom({ Scent: 'Cedar' }, { Color: 'Red', Size: 'M' }),
    size: fc.constant('M'),
    pattern: fc.constant('Striped'),
    gender: fc.constantFrom('male', 'unisex'),
    ageGroup: fc.constant('adult'),
    seoTitle: phrase,
    seoDescription: phrase,
  }) as unknown as fc.Arbitrary<RefinedProduct>
  const names = Object.keys(complete) as (keyof RefinedProduct)[]
  const optional = names.filter((name) => name !== 'tags' && name !== 'defaulted')

  fc.assert(
    fc.property(right, fc.subarray(optional), fc.constantFrom('single', 'variant'), (full, present, kind) => {
      const partial = { ...bare, ...Object.fromEntries(present.map((name) => [name, full[name]])) }
      const gradeOf = (product: RefinedProduct) =>
        grade(
          { id: product.sku ?? 'product-id', itemGroupId: kind === 'variant' ? 'T-1' : null, product, at: judgedAt },
          kind,
        )
      const before = gradeOf(partial)
      for (const name of optional) {
        if (present.includes(name)) continue
        const after = gradeOf({ ...partial, [name]: full[name] })
        dimensions.forEach((dimension, place) => {
          expect(after.sub[place], `${dimension} by ${name}`).toBeGreaterThanOrEqual(before.sub[place] ?? 0)
        })
        // With such a category Google asks for more: the place in its feed is lost, and no point.
        const asksMore = name === 'googleProductCategory' && googleBranch(full.googleProductCategory) !== null
        const kept = asksMore ? before.valid & ~googleProfile.bit : before.valid
        expect(after.valid & kept, name).toBe(kept)
      }
    }),
    { numRuns: enough(150, 500) },
  )
})
