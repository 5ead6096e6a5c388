/** Makes a refined product of a product's merged cells: the order of the silver steps, each of which reads one subject. */
import type { CellWarning, FieldCell, ImportContext, MergedFields, SilverSettings } from '../../schemas/pipeline.ts'
import type { Field, ProductKind, RefinedProduct } from '../../schemas/product.ts'
import { type Attributes, readAttributes } from './attributes.ts'
import { readStock } from './availability.ts'
import { readCategories, readGoogleCategory } from './category.ts'
import { readCondition } from './condition.ts'
import { readAgeGroup, readGender } from './gender-age.ts'
import { readGtin } from './gtin.ts'
import { readImageFindings } from './image-findings.ts'
import { readImages, readLink } from './images.ts'
import { fillLink } from './link-template.ts'
import { numberRule } from './number-rule.ts'
import { isBlank, isNoBrand, isSpreadsheetError } from './placeholders.ts'
import { readPrices } from './price.ts'
import { quote } from './quote.ts'
import { doubts, type Finding, type Reading, textOf, warningAt } from './reading.ts'
import { severalValues, singleFields } from './several-values.ts'
import { readTags } from './tags.ts'
import { readIdentifier, readText, readTitle } from './text.ts'
import { noOptions, type OptionField, optionFor, readOptions } from './variants.ts'
import { readWeight } from './weight.ts'

type Contexts = (id: number) => ImportContext | undefined

const none: readonly string[] = Object.freeze([])
const noAttributes: Attributes = Object.freeze({})

/**
 * Never throws, whatever the cells hold. A field that cannot be read is null and has a warning; a field that nobody filled is
 * null without one, but for link, condition and Google's category, which the workspace's settings may fill and which are then `defaulted`.
 * @param contexts the import contexts by number; a cell is read by the one it came with
 */
export function refine(
  fields: MergedFields,
  kind: ProductKind,
  contexts: Contexts,
  settings: SilverSettings,
): { product: RefinedProduct; warnings: CellWarning[] } {
  const warnings: CellWarning[] = []
  const defaulted: Field[] = []

  const tell = (cell: FieldCell, findings: readonly Finding[]) => {
    for (const finding of findings) warnings.push(warningAt(cell, finding))
  }
  /** The cell of a field, unless it holds nothing or only stands for nothing. */
  const said = (field: Field): { cell: FieldCell; raw: string } | null => {
    const cell = fields.get(field)
    if (cell === null) return null
    const raw = textOf(cell)
    if (isBlank(raw)) return null
    if (!isSpreadsheetError(raw)) return { cell, raw }
    tell(cell, doubts('spreadsheet_error', `${quote(raw)} is a failed formula; correct it and export again`).findings)
    return null
  }
  const plain = (field: Field, read: (raw: string) => string | null): string | null => {
    const found = said(field)
    return found === null ? null : read(found.raw)
  }
  const judged = <T>(field: Field, read: (raw: string) => Reading<T>): T | null => {
    const found = said(field)
    if (found === null) return null
    const { value, findings } = read(found.raw)
    tell(found.cell, findings)
    return value
  }

  for (const field of singleFields) {
    const cell = fields.get(field)
    const several = cell === null ? null : severalValues(cell)
    if (cell && several) tell(cell, [several])
  }
  const sku = plain('sku', readIdentifier)
  const sourceId = plain('source_id', readIdentifier)
  const itemGroupId = plain('item_group_id', readIdentifier)
  const prices = readPrices(fields, contexts, settings)
  const stock = readStock(fields, contexts, settings)
  const images = imagesOf(fields, tell)

  const optionsCell = kind === 'parent' ? null : said('options')
  const optionsRead = optionsCell === null ? null : readOptions(optionsCell.cell)
  if (optionsCell !== null && optionsRead !== null) tell(optionsCell.cell, optionsRead.findings)
  const options = optionsRead?.value ?? noOptions
  const attribute = (field: OptionField) => plain(field, readTitle) ?? optionFor(options, field)

  let link = judged('link', readLink)
  if (link === null && settings.linkTemplate !== null && said('link') === null) {
    link = fillLink(settings.linkTemplate, { sku, id: sourceId, handle: itemGroupId })
    if (link !== null) defaulted.push('link')
  }
  let condition = judged('condition', readCondition)
  if (condition === null && settings.condition !== null && said('condition') === null) {
    condition = settings.condition
    defaulted.push('condition')
  }
  const category = said('category')?.cell
  const path = category ? readCategories(category.value, contexts(category.origin.context)?.platform) : null
  if (category && path) tell(category, path.findings)
  let googleProductCategory = judged('google_product_category', readGoogleCategory)
  if (googleProductCategory === null && path && settings.categories) {
    googleProductCategory = mappedCategory(path.value, settings.categories)
    if (googleProductCategory !== null) defaulted.push('google_product_category')
  }
  const weight = said('weight')

  const product: RefinedProduct = {
    sku,
    sourceId,
    gtin: judged('gtin', readGtin),
    mpn: plain('mpn', readIdentifier),
    brand: plain('brand', (raw) => (isNoBrand(raw) ? null : readTitle(raw))),
    title: plain('title', readTitle),
    description: plain('description', readText) ?? plain('short_description', readText),
    link,
    price: prices.price,
    salePrice: prices.salePrice,
    originalPrice: prices.originalPrice,
    currency: prices.currency,
    availability: stock.availability,
    quantity: stock.quantity,
    condition,
    categoryPath: path?.value ?? none,
    googleProductCategory,
    images,
    itemGroupId,
    options,
    color: attribute('color'),
    size: attribute('size'),
    material: attribute('material'),
    pattern: attribute('pattern'),
    gender: judged<string>('gender', readGender),
    ageGroup: judged<string>('age_group', readAgeGroup),
    weight: weight ? weightOf(weight.cell, weight.raw, contexts, settings) : null,
    seoTitle: plain('seo_title', readTitle),
    seoDescription: plain('seo_description', readTitle),
    tags: tagsOf(fields.get('tags')),
    attributes: judged('attributes', readAttributes) ?? noAttributes,
    defaulted,
  }
  if (prices.warnings.length > 0) warnings.push(...prices.warnings)
  if (stock.warnings.length > 0) warnings.push(...stock.warnings)
  const imageFindings = fields.imageChecks === undefined ? null : readImageFindings(fields.imageChecks, images)
  return { product: imageFindings === null ? product : { ...product, imageFindings }, warnings }
}

/** The primary image, then the list: a variant's own image stands before its family's. */
function imagesOf(
  fields: MergedFields,
  tell: (cell: FieldCell, findings: readonly Finding[]) => void,
): readonly string[] {
  const primary = fields.get('image')
  const list = fields.get('images')
  const first = primary ? readImages(primary.value) : null
  const rest = list ? readImages(list.value) : null
  if (primary && first) tell(primary, first.findings)
  if (list && rest) tell(list, rest.findings)
  if (!first) return rest?.value ?? none
  return rest ? [...new Set([...first.value, ...rest.value])] : first.value
}

function mappedCategory(path: readonly string[], map: NonNullable<SilverSettings['categories']>): string | null {
  const name = path.join(' > ')
  return Object.hasOwn(map, name) ? (map[name] ?? null) : null
}

function tagsOf(cell: FieldCell | null): readonly string[] {
  if (cell === null) return none
  return typeof cell.value === 'string' ? readTags(cell.value) : [...new Set(cell.value.flatMap(readTags))]
}

/** What Assay writes itself is a weight that was read before: a number in it is not read again. */
function weightOf(cell: FieldCell, raw: string, contexts: Contexts, settings: SilverSettings): string | null {
  if (cell.origin.context === 0) return readTitle(raw)
  return readWeight(cell.column, raw, numberRule(cell, contexts(cell.origin.context), settings))
}
