/** Makes a refined product of a product's merged cells: the order of the silver steps, each of which reads one subject. */

import { isFreeOfControl } from '../../schemas/feeds/without-control.ts'
import type { CellWarning, FieldCell, ImportContext, MergedFields, SilverSettings } from '../../schemas/pipeline.ts'
import type { Field, ProductKind, RefinedProduct } from '../../schemas/product.ts'
import { type Attributes, readAttributes } from './attributes.ts'
import { readStock } from './availability.ts'
import { readBrand } from './brand.ts'
import { readCategories } from './category.ts'
import { colorOf, sizeOf } from './color-size.ts'
import { readCondition } from './condition.ts'
import { readDates } from './dates.ts'
import { type Desk, openDesk } from './desk.ts'
import { escapedIdentifier } from './escaped-identifier.ts'
import { readAgeGroup, readGender } from './gender-age.ts'
import { readGoogleCategory } from './google-category.ts'
import { readGtin } from './gtin.ts'
import { readImageFindings } from './image-findings.ts'
import { readImages, readLink } from './images.ts'
import { fillLink } from './link-template.ts'
import { readMeasures } from './measures.ts'
import { readMpn } from './mpn.ts'
import { isBlank } from './placeholders.ts'
import { readPrices } from './price.ts'
import { severalValues, singleFields } from './several-values.ts'
import { readTags } from './tags.ts'
import type { KnownCategories } from './taxonomy.ts'
import { readIdentifier, readText, readTitle } from './text.ts'
import { noOptions, type OptionField, optionFor, readOptions } from './variants.ts'

type Contexts = (id: number) => ImportContext | undefined

const none: readonly string[] = Object.freeze([])
const noAttributes: Attributes = Object.freeze({})
const asItIs = (text: string) => text

/**
 * Never throws, whatever the cells hold. A field that cannot be read is null and has a warning; a field that nobody filled is
 * null without one, but for link, condition and Google's category, which the workspace's settings may fill and which are then `defaulted`.
 * @param contexts the import contexts by number; a cell is read by the one it came with
 * @param taxonomy Google's, where the operator named its files
 */
export function refine(
  fields: MergedFields,
  kind: ProductKind,
  contexts: Contexts,
  settings: SilverSettings,
  taxonomy?: KnownCategories,
): { product: RefinedProduct; warnings: CellWarning[] } {
  const desk = openDesk(fields, contexts, settings)
  const { said, read, tell, warnings } = desk
  const defaulted: Field[] = []
  const plain = (field: Field, how: (raw: string) => string | null): string | null => {
    const found = said(field)
    return found === null ? null : how(found.raw)
  }
  const words = (field: Field, how: (raw: string) => string | null): string | null => {
    const found = desk.worded(field)
    return found === null ? null : how(found.raw)
  }

  for (const field of singleFields) {
    const cell = fields.get(field)
    const several = cell === null ? null : severalValues(cell)
    if (cell && several) tell(cell, [several])
  }
  const identifier = (field: Field) => {
    const found = said(field)
    if (found === null) return null
    tell(found.cell, escapedIdentifier(found.raw))
    return readIdentifier(found.raw)
  }
  const sku = identifier('sku')
  const sourceId = identifier('source_id')
  const itemGroupId = identifier('item_group_id')
  const prices = readPrices(fields, contexts, settings)
  const stock = readStock(fields, contexts, settings)
  const { images, refusedImage } = imagesOf(desk)

  const optionsCell = kind === 'parent' ? null : desk.worded('options')
  const optionsRead = optionsCell === null ? null : readOptions(optionsCell.cell)
  if (optionsCell !== null && optionsRead !== null) tell(optionsCell.cell, optionsRead.findings)
  const options = optionsRead?.value ?? noOptions
  const attribute = (field: OptionField, word: (text: string) => string | null = asItIs) => {
    const own = words(field, readTitle)
    const meant = own === null ? null : word(own)
    if (meant !== null) return meant
    const option = optionFor(options, field)
    return option === null ? null : word(option)
  }

  const address = said('link')
  let link = address === null ? null : linkOf(address.cell, address.raw, tell)
  if (link === null && settings.linkTemplate !== null && address === null) {
    link = fillLink(settings.linkTemplate, { sku, id: sourceId, handle: itemGroupId })
    if (link !== null) defaulted.push('link')
  }
  let condition = read('condition', readCondition)
  if (condition === null && settings.condition !== null && said('condition') === null) {
    condition = settings.condition
    defaulted.push('condition')
  }
  const category = desk.worded('category')?.cell
  const path = category ? readCategories(category.value, contexts(category.origin.context)?.platform) : null
  if (category && path) tell(category, path.findings)
  let googleProductCategory = read('google_product_category', (raw) => readGoogleCategory(raw, taxonomy))
  if (googleProductCategory === null && category && path && settings.categories) {
    const mapped = mappedCategory(path.value, settings.categories)
    const meant = mapped === null ? null : readGoogleCategory(mapped, taxonomy)
    if (meant) tell(category, meant.findings)
    googleProductCategory = meant?.value ?? null
    if (googleProductCategory !== null) defaulted.push('google_product_category')
  }
  const tags = fields.get('tags')
  const dates = readDates(desk)
  const measures = readMeasures(desk)

  const product: RefinedProduct = {
    sku,
    sourceId,
    gtin: read('gtin', (raw, { column }) => readGtin(raw, column)),
    mpn: plain('mpn', readMpn),
    brand: words('brand', readBrand),
    title: words('title', readTitle),
    description: words('description', readText) ?? words('short_description', readText),
    link,
    price: prices.price,
    salePrice: prices.salePrice,
    originalPrice: prices.originalPrice,
    currency: prices.currency,
    salePriceEffectiveDate: dates.salePriceEffectiveDate,
    unitPricingMeasure: measures.unitPricingMeasure,
    unitPricingBaseMeasure: measures.unitPricingBaseMeasure,
    availability: stock.availability,
    availabilityDate: dates.availabilityDate ?? stock.availabilityDate,
    quantity: stock.quantity,
    expirationDate: dates.expirationDate,
    condition,
    categoryPath: path?.value ?? none,
    googleProductCategory,
    images,
    itemGroupId,
    options,
    color: attribute('color', colorOf),
    size: attribute('size', sizeOf),
    material: attribute('material'),
    pattern: attribute('pattern'),
    gender: read<string>('gender', readGender),
    ageGroup: read<string>('age_group', readAgeGroup),
    weight: measures.weight,
    length: measures.length,
    width: measures.width,
    height: measures.height,
    seoTitle: words('seo_title', readTitle),
    seoDescription: words('seo_description', readTitle),
    tags: tags ? tagsOf(desk.mended(tags), tell) : none,
    attributes: read('attributes', readAttributes) ?? noAttributes,
    defaulted,
  }
  if (prices.warnings.length > 0) warnings.push(...prices.warnings)
  if (stock.warnings.length > 0) warnings.push(...stock.warnings)
  const imageFindings = fields.imageChecks === undefined ? null : readImageFindings(fields.imageChecks, images)
  const found = {
    ...(imageFindings === null ? {} : { imageFindings }),
    ...(prices.refusedSale === null ? {} : { refusedSale: prices.refusedSale }),
    ...(link === null && address !== null && isKnownAgain(address.raw) ? { refusedLink: address.raw.trim() } : {}),
    ...(refusedImage === undefined ? {} : { refusedImage }),
  }
  return { product: { ...product, ...found }, warnings }
}

/** The primary image, then the list: a variant's own image stands before its family's. */
function imagesOf({ fields, tell }: Desk): Pick<RefinedProduct, 'images' | 'refusedImage'> {
  const primary = fields.get('image')
  const list = fields.get('images')
  const first = primary ? readImages(primary.value) : null
  const rest = list ? readImages(list.value) : null
  if (primary && first) tell(primary, first.findings)
  if (list && rest) tell(list, rest.findings)
  const images = first && rest ? [...new Set([...first.value, ...rest.value])] : ((first ?? rest)?.value ?? none)
  if (images.length > 0) return { images }
  const refused = [first, rest].flatMap((read) => read?.findings ?? []).find(({ raw = '' }) => isKnownAgain(raw))
  return refused?.raw === undefined ? { images } : { images, refusedImage: refused.raw.trim() }
}

/** Whether a text that is no address is told as what stands in its place: a picture that is written out in its cell is not. */
const isKnownAgain = (raw: string) => !isBlank(raw) && raw.length <= 2000 && isFreeOfControl(raw)

function mappedCategory(path: readonly string[], map: NonNullable<SilverSettings['categories']>): string | null {
  const name = path.join(' > ')
  return Object.hasOwn(map, name) ? (map[name] ?? null) : null
}

function tagsOf(cell: FieldCell, tell: Desk['tell']): readonly string[] {
  const { value, findings } = readTags(cell.value)
  tell(cell, findings)
  return value
}

function linkOf(cell: FieldCell, raw: string, tell: Desk['tell']): string | null {
  const { value, findings } = readLink(raw)
  tell(cell, findings)
  return value
}
