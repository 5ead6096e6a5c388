/** Refined products of any text at all, for laws that hold whatever silver lets through. */
import fc from 'fast-check'
import { availability, condition, type RefinedProduct } from '../../../schemas/product.ts'

/** Any text, near misses of what fields look like, and nothing. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.constantFrom('', ' ', '0', '-1', '9.50', '1e3', 'n/a', 'https://', 'htp:/broken', '<a <a', '&&', '\uD800', '166'),
  fc.webUrl(),
)
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { freq: 3 })
const some = maybe(text)

const someDates = maybe(
  fc.oneof(
    text,
    fc.constantFrom('2026-12-01', '2026-12-01T08:00:00+01:00', '2026-11-28/2026-12-01', '2026-11-28/..', '../x'),
  ),
)
const someMeasure = maybe(
  fc.oneof(text, fc.constantFrom('1.5 kg', '300 mm', '12 in', '750 ml', '0 g', '1 ct', '5 stone', '007.50 m', '4 t')),
)

export const anyProduct: fc.Arbitrary<RefinedProduct> = fc.record({
  sku: some,
  sourceId: some,
  gtin: some,
  mpn: some,
  brand: some,
  title: some,
  description: some,
  link: some,
  price: some,
  salePrice: some,
  originalPrice: some,
  currency: some,
  salePriceEffectiveDate: someDates,
  unitPricingMeasure: someMeasure,
  unitPricingBaseMeasure: someMeasure,
  availability: maybe(fc.constantFrom(...availability.options)),
  availabilityDate: someDates,
  quantity: maybe(fc.oneof(fc.integer(), fc.double())),
  expirationDate: someDates,
  condition: maybe(fc.constantFrom(...condition.options)),
  categoryPath: fc.array(text, { maxLength: 4 }),
  googleProductCategory: some,
  images: fc.array(text, { maxLength: 14 }),
  itemGroupId: some,
  options: fc.dictionary(text, text, { maxKeys: 3 }),
  color: some,
  size: some,
  material: some,
  pattern: some,
  gender: some,
  ageGroup: some,
  weight: someMeasure,
  length: someMeasure,
  width: someMeasure,
  height: someMeasure,
  seoTitle: some,
  seoDescription: some,
  tags: fc.array(text, { maxLength: 2 }),
  attributes: fc.dictionary(text, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
  defaulted: fc.constant([]),
})
