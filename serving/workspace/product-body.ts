/** Bodies that create and change a product, and the cells they become: our own field names, values as text. */
import { z } from 'zod'
import { codePoints } from '../../schemas/feeds/code-points.ts'
import { brandId, catalogId } from '../../schemas/ids.ts'
import { type CellValue, clearWord } from '../../schemas/pipeline.ts'
import { isBlank } from '../../transforms/bronze/cell-value.ts'
import { exponent } from '../../transforms/silver/currency.ts'
import { readDate } from '../../transforms/silver/date.ts'
import { readAgeGroup, readGender } from '../../transforms/silver/gender-age.ts'
import { readMeasure } from '../../transforms/silver/measure.ts'
import { isBlank as isPlaceholder, isSpreadsheetError } from '../../transforms/silver/placeholders.ts'
import { readSaleDates } from '../../transforms/silver/sale-dates.ts'
import { readIdentifier, readText, readTitle } from '../../transforms/silver/text.ts'
import { readBaseMeasure, readPricingMeasure } from '../../transforms/silver/unit-pricing.ts'
import type { Quantity } from '../../transforms/silver/units.ts'
import { readable } from './readable.ts'

/** Below a millionth nothing is sold; it would be written as zero. */
const amount = z
  .number()
  .min(0)
  .max(1e15)
  .refine((value) => value === 0 || value >= 1e-6, 'zero, or at least 0.000001')
  // Every number of fifteen digits survives a float; what has more is what one leaves of a sum.
  .refine(
    (value) => Number(value.toPrecision(15)) === value,
    'at most 15 digits, such as 0.3 and not 0.30000000000000004',
  )
/** Lengths are counted in characters, as JSON Schema and truncation count them. */
const text = (max: number) =>
  z
    .string()
    .refine((value) => value.length <= max || codePoints(value) <= max, `at most ${max} characters`)
    // Files clear with it; here it would be stored as text in one place and clear in another.
    .refine((value) => !value.includes(clearWord) || readText(value) !== clearWord, `null clears, not ${clearWord}`)
    .meta({ maxLength: max })
const visible = '1 to 500 characters, one of them visible'
const word = text(500)
const address = text(2_000)

/** A body has no column that could tell: a day whose order is open is refused, and a number has a point. */
const written = { order: null, zone: 'UTC' }
const measure = (quantity: Quantity) => readable(word, (raw) => readMeasure(raw, [quantity], '.', null))

/** Endpoint 5's fields, then our additions. */
const content = z.strictObject({
  title: text(500)
    .regex(/\S/, visible)
    .refine((value) => readTitle(value) !== null, visible)
    .refine((value) => !isPlaceholder(value) && !isSpreadsheetError(value), 'a title, and no word for a missing one'),
  price: amount,
  description: text(5_000),
  brand: word,
  category_path: z.array(word).max(20),
  original_price: amount,
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/, 'a currency is a three-letter code of ISO 4217')
    .refine((code) => exponent(code.toUpperCase()) !== null, 'no currency of ISO 4217 has this code'),
  primary_image_url: address,
  sku: word,
  gtin: word,
  availability: word,
  attributes: z.record(z.string().max(200), z.unknown()),
  link: address,
  condition: word,
  mpn: word,
  image_urls: z.array(address).max(100),
  item_group_id: word,
  google_product_category: word,
  color: word,
  size: word,
  material: word,
  pattern: word,
  gender: readable(word, readGender),
  age_group: readable(word, readAgeGroup),
  availability_date: readable(word, (raw) => readDate(raw, written)),
  expiration_date: readable(word, (raw) => readDate(raw, written)),
  sale_price_effective_date: readable(word, (raw) => readSaleDates(raw, written)),
  unit_pricing_measure: readable(word, (raw) => readPricingMeasure('unit_pricing_measure', raw, '.')),
  unit_pricing_base_measure: readable(word, (raw) => readBaseMeasure(raw, '.')),
  weight: measure('weight'),
  length: measure('length'),
  width: measure('length'),
  height: measure('length'),
  seo_title: word,
  seo_description: text(5_000),
  tags: z.array(word).max(100),
})

export const productCreate = content
  .partial()
  .required({ title: true, price: true })
  .extend({ catalog_id: catalogId.optional(), brand_id: brandId.optional() })

/** A field that is null, blank or an empty list is cleared; one that is left out stays. */
export const productChange = z
  .strictObject(
    Object.fromEntries(Object.entries(content.shape).map(([name, type]) => [name, type.nullable().optional()])) as {
      [K in keyof typeof content.shape]: z.ZodOptional<z.ZodNullable<(typeof content.shape)[K]>>
    },
  )
  .extend({ brand_id: brandId.optional() })
  .refine((body) => Object.keys(body).some((name) => name !== 'brand_id'), 'name at least one field to change')
  .meta({ minProperties: 1 })

type Body = { [K in keyof z.infer<typeof content>]?: z.infer<typeof content>[K] | null | undefined }

const columns: Readonly<Record<keyof Body, string>> = {
  title: 'title',
  price: 'price',
  description: 'description',
  brand: 'brand',
  category_path: 'category',
  original_price: 'original_price',
  currency: 'currency',
  primary_image_url: 'image',
  sku: 'sku',
  gtin: 'gtin',
  availability: 'availability',
  attributes: 'attributes',
  link: 'link',
  condition: 'condition',
  mpn: 'mpn',
  image_urls: 'images',
  item_group_id: 'item_group_id',
  google_product_category: 'google_product_category',
  color: 'color',
  size: 'size',
  material: 'material',
  pattern: 'pattern',
  gender: 'gender',
  age_group: 'age_group',
  availability_date: 'availability_date',
  expiration_date: 'expiration_date',
  sale_price_effective_date: 'sale_price_effective_date',
  unit_pricing_measure: 'unit_pricing_measure',
  unit_pricing_base_measure: 'unit_pricing_base_measure',
  weight: 'weight',
  length: 'length',
  width: 'width',
  height: 'height',
  seo_title: 'seo_title',
  seo_description: 'seo_description',
  tags: 'tags',
}

/** What a create leaves blank it leaves out: a product that comes back with it keeps what its sources say. */
export const withoutBlanks = (body: Body): Body =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => !saysNothing(value)))

/** A list of images is taken whole: a source's own first image does not stand before it. */
export function cellsOfBody(body: Body): Record<string, CellValue> {
  const cells: Record<string, CellValue> =
    body.image_urls && body.primary_image_url === undefined ? { image: clearWord } : {}
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue
    cells[columns[name as keyof Body]] = saysNothing(value) ? clearWord : cellOf(name as keyof Body, value)
  }
  return cells
}

/** A blank cell changes nothing, since files leave cells blank; who sends a blank field means that it be so. */
function saysNothing(value: Body[keyof Body]): value is null | undefined {
  if (value === null || value === undefined) return true
  if (Array.isArray(value)) return value.every(saysNothing)
  return typeof value === 'string' && (isBlank(value) || readIdentifier(value) === null)
}

function cellOf(name: keyof Body, value: NonNullable<Body[keyof Body]>): CellValue {
  if (typeof value === 'number') return decimalText(value)
  if (typeof value === 'string') return name === 'currency' ? value.toUpperCase() : value
  if (name === 'category_path') return (value as string[]).join(' > ')
  if (name === 'image_urls') return value as string[]
  return JSON.stringify(value)
}

/** Plain decimal text of a JSON number, without an exponent. */
function decimalText(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text
}
