/** Cells as suppliers may write them, with what is hard to say again: markup in text, marks in names, amounts in any form. */
import fc from 'fast-check'
import type { Field, ProductKind } from '../../../schemas/product.ts'
import type { said } from '../silver/said.ts'

const markup = fc.constantFrom(
  '&lt;b&gt;', '&amp;lt;', '&amp;amp;amp;lt;', '<<b>b>', '<b>n/a</b>', '<p>__CLEAR__</p>', 'n/a&nbsp;', '&#8203;', ' > ', ', ', '|', '/',
  '#N/A', 'a & b', '5 < 6', '"', '\\', '[]', '{}', 'x', '<', '&', '\n\n', 'Größe', 'generic&nbsp;', 'GrÃ¶ÃŸe', '&Atilde;&copy;',
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
  mpn: fc.oneof(text, fc.constantFrom('0000', 'XX', 'Does not apply', 'K-9', 'n/a&nbsp;')),
  brand: fc.oneof(
    text,
    fc.constantFrom('Brand: Lumo®', 'Lumo (TM)', 'Marke:', 'n/a®', 'Marke: &lt;b&gt;', 'Marke: Brand: x &amp; y™'),
  ),
  color: fc.oneof(text, fc.constantFrom('Multi', 'Default', 'Mehrfarbig', 'Ink Blue')),
  size: fc.oneof(text, fc.constantFrom('One Size', 'Default', 'Einheitsgröße', 'S')),
  gtin: fc.constantFrom(
    '0-306-40615-2',
    '36282818705',
    'EAN: 4006381333931',
    '4006381333931',
    "''4006381333931",
    '4 006381 333931',
    '96385074',
  ),
  availability: fc.constantFrom(
    'in stock',
    'no idea',
    'preorder',
    '7',
    'preorder from 01.12.2026',
    'available from 2026-12-01',
  ),
  quantity: fc.constantFrom('0', '-3', '12', '50+', '1.000'),
  track_stock: fc.constantFrom('no', 'yes'),
  condition: fc.constantFrom('neu', 'used', 'odd'),
  gender: fc.constantFrom('Damen', 'unisex'),
  age_group: fc.constantFrom('kids', 'Erwachsene'),
  weight: fc.oneof(fc.constantFrom('1,250', '1.250', '0.5 kg', '2.0', '1,2,3', 'about 3', '5 stone', '0'), text),
  weight_unit: fc.constantFrom('kg', 'lbs', 'stone', 'k&#8203;g'),
  dimensions: fc.constantFrom('12 x 30 x 5 cm', '1,250 x 2,5 x 3 mm', 'H 5 x B 3 x T 1', '50 x 70'),
  dimensions_unit: fc.constantFrom('cm', 'Zoll', 'ells'),
  length: fc.oneof(fc.constantFrom('12 in', 'Long', '1,250'), text),
  height: fc.constantFrom('5', '2 m'),
  unit_pricing_measure: fc.oneof(fc.constantFrom('750 ml', '6 Stück', '1,250', '0,75 l'), text),
  unit_pricing_base_measure: fc.oneof(fc.constantFrom('per 100 ml', 'kg', '1/2 kg', 'per per foo'), text),
  availability_date: fc.constantFrom('01.12.2026', '03/04/2026', '2026-12-01T08:00+01:00', '01.12.26', 'soon'),
  sale_price_effective_date: fc.constantFrom('28.11.2026 - 24.12.2026', '2026-11-28/', '2026-12-24/2026-11-28', 'x'),
  sale_price_start_date: fc.constantFrom('28.11.2026', '2026-11-28 08:00'),
  sale_price_end_date: fc.constantFrom('24.12.2026', '0000-00-00'),
  expiration_date: fc.constantFrom('2027-03-31', '31. März 2027'),
  google_product_category: fc.constantFrom('166', 'A > B &amp; C', 'A > B&lt;'),
  link: address,
  image: address,
  images: fc.array(address, { maxLength: 3 }),
  options: fc.oneof(object, fc.constant('{"Farbe":"Bunt","Größe":"Default"}')),
  attributes: object,
}
const textual: Field[] = ['sku', 'source_id', 'title', 'description', 'short_description', 'category', 'item_group_id']
const more: Field[] = ['material', 'pattern', 'seo_title', 'seo_description', 'tags']
export const anySupplied = fc.record(
  { ...Object.fromEntries([...textual, ...more].map((field) => [field, text])), ...special },
  { requiredKeys: [] },
) as fc.Arbitrary<Parameters<typeof said>[0]>
export const anyKind = fc.constantFrom<ProductKind>('single', 'variant', 'parent')
