/** Names the silver steps that made a field's value of its raw cell, and what each of them did, for people. */
import type { CellWarning, FieldCell, ImportContext, MergedFields, SilverSettings } from '../../schemas/pipeline.ts'
import type { Field, RefinedProduct } from '../../schemas/product.ts'
import { currencyOf, exponent } from './currency.ts'
import { dateRule } from './date.ts'
import { dateParts } from './date-parts.ts'
import { repairMojibake } from './mojibake.ts'
import { parseAmount } from './number-format.ts'
import { numberRule } from './number-rule.ts'
import { quote } from './quote.ts'
import { textOf } from './reading.ts'
import { readTitle } from './text.ts'
import { textSteps } from './text-trace.ts'

export interface Step {
  /** The file of `transforms/silver` that did it, or `settings`. */
  readonly step: string
  readonly says: string
}

export interface Traced {
  readonly field: Field
  /** The cell that won; null where none did, or it clears. */
  readonly cell: FieldCell | null
  readonly value: unknown
  readonly product: RefinedProduct
  readonly merged: MergedFields
  readonly contexts: (id: number) => ImportContext | undefined
  readonly settings: SilverSettings
  readonly doubts: readonly CellWarning[]
}

const money: ReadonlySet<Field> = new Set(['price', 'sale_price', 'original_price'])

/** Fields of which a word, an address or a list is made, and by which step. */
const readers: Partial<Record<Field, string>> = {
  gtin: 'gtin',
  availability: 'availability',
  quantity: 'availability',
  condition: 'condition',
  category: 'category',
  google_product_category: 'category',
  image: 'images',
  images: 'images',
  link: 'images',
  options: 'variants',
  gender: 'gender-age',
  age_group: 'gender-age',
  availability_date: 'date',
  expiration_date: 'date',
  sale_price_effective_date: 'sale-dates',
  weight: 'measure',
  length: 'measure',
  width: 'measure',
  height: 'measure',
  unit_pricing_measure: 'unit-pricing',
  unit_pricing_base_measure: 'unit-pricing',
  tags: 'tags',
  attributes: 'attributes',
}

/** Fields of a cleaned text in which a word may mean another one, or nothing, and by which step. */
const wordReaders: Partial<Record<Field, string>> = {
  brand: 'brand',
  mpn: 'mpn',
  color: 'color-size',
  size: 'color-size',
}

export function stepsOf(traced: Traced): Step[] {
  const { field, cell, value, doubts } = traced
  const steps = cell === null ? withoutCell(traced) : withCell(traced, cell)
  for (const { code, says } of doubts) steps.push({ step: code, says })
  if (cell !== null && value === null && steps.length === 0 && !helpers.has(field))
    steps.push({
      step: readers[field] ?? wordReaders[field] ?? 'text',
      says: `${quote(textOf(cell))} stands for no value`,
    })
  return steps
}

/** They are read with another field and have no value of their own. */
const helpers: ReadonlySet<Field> = new Set([
  'short_description',
  'track_stock',
  'allow_backorder',
  'deleted',
  'sale_price_start_date',
  'sale_price_end_date',
  'weight_unit',
  'dimensions',
  'dimensions_unit',
])

/** Where the value of a field is from that no cell gives by itself. */
const elsewhere: Partial<Record<Field, Step>> = {
  description: { step: 'refine', says: 'The short description stands for it' },
  image: { step: 'images', says: 'The first of the images' },
  images: { step: 'images', says: 'The primary image alone' },
  availability_date: { step: 'dated-word', says: 'The date behind the stock word' },
  sale_price_effective_date: { step: 'sale-dates', says: 'The two columns of its beginning and end' },
  length: { step: 'dimensions', says: 'Taken from the dimensions' },
  width: { step: 'dimensions', says: 'Taken from the dimensions' },
  height: { step: 'dimensions', says: 'Taken from the dimensions' },
}

function withoutCell(traced: Traced): Step[] {
  const { field, value, product, settings } = traced
  if (value === null) return []
  if (product.defaulted.includes(field)) {
    return [{ step: 'settings', says: `No source gives it; ${defaultOf(field, settings)} of the workspace does` }]
  }
  if (field === 'currency') return currencySteps(traced)
  return [elsewhere[field] ?? { step: 'variants', says: 'Taken from the options' }]
}

function defaultOf(field: Field, { linkTemplate }: SilverSettings): string {
  if (field === 'link') return `the template ${linkTemplate ?? ''}`
  return field === 'google_product_category' ? "the map of the shop's categories" : 'the default'
}

function withCell(traced: Traced, cell: FieldCell): Step[] {
  const { field, value } = traced
  if (value === null) return []
  if (money.has(field)) return moneySteps(traced, cell)
  if (field === 'currency') return currencySteps(traced)
  const raw = textOf(cell)
  const step = readers[field]
  const meant = cell.origin.context === 0 ? raw : (repairMojibake(raw) ?? raw)
  if (step === undefined) return typeof value === 'string' ? textAndWord(meant, value, wordReaders[field]) : []
  const shown = typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
  if (shown === raw || (typeof cell.value !== 'string' && JSON.stringify(cell.value) === shown)) return []
  return [{ step, says: `${quote(raw)} is read as ${quote(shown)}${dateReason(traced, cell)}` }]
}

function textAndWord(raw: string, value: string, step: string | undefined): Step[] {
  const text = step === undefined ? null : readTitle(raw)
  if (step === undefined || text === null || text === value) return textSteps(raw, value)
  return [...textSteps(raw, text), { step, says: `${quote(text)} is read as ${quote(value)}` }]
}

function moneySteps({ value, contexts, settings, product }: Traced, cell: FieldCell): Step[] {
  const raw = textOf(cell)
  if (raw === value) return []
  const context = contexts(cell.origin.context)
  const format = context?.numbers[cell.column]
  const amount = parseAmount(raw.trim(), numberRule(cell, context, settings, product.currency))
  const certain = cell.origin.context === 0 || (format?.point !== undefined && amount.lone !== ',')
  const byCurrency = product.currency !== null && exponent(product.currency) === 0 && amount.lone !== null
  const why =
    byCurrency && !certain
      ? `${product.currency} has no minor units, so that the mark groups digits`
      : settings.decimal !== null && !certain
        ? 'the decimal mark of the workspace'
        : (format?.reason ?? 'it can be read in one way only')
  const steps: Step[] = []
  if (amount.text !== null && amount.text !== raw)
    steps.push({ step: 'number-format', says: `${quote(raw)} is read as ${amount.text}: ${why}` })
  if (amount.text !== value)
    steps.push({ step: 'price', says: `written as ${String(value)}, with the digits of its currency` })
  return steps
}

const mayMean = (word: string, code: string | null) => code !== null && currencyOf(word)?.candidates.includes(code)

/** Which of several currencies a sign means, the workspace's own tells. */
function shared(word: string, { currency }: SilverSettings): string {
  const known = currencyOf(word)
  return known?.guess && currency !== null && known.candidates.includes(currency)
    ? ', a sign of several, of which the workspace has this one'
    : ''
}

const dated: ReadonlySet<Field> = new Set(['availability_date', 'expiration_date', 'sale_price_effective_date'])

/** Why that number is the day, where the text leaves it open. */
function dateReason({ field, contexts, settings }: Traced, cell: FieldCell): string {
  const parts = dated.has(field) ? dateParts(textOf(cell).trim()) : null
  if (parts === null || parts.order !== null) return ''
  const context = contexts(cell.origin.context)
  const seen = context?.dates?.[cell.column]
  return seen?.order
    ? `: ${seen.reason}`
    : `: ${dateRule(cell, context, settings).order} by the locale of the workspace`
}

/** From the nearest to the farthest, as the price step looks for it. */
function currencySteps({ cell, merged, contexts, settings, product }: Traced): Step[] {
  const price = merged.get('price')
  if (price === null)
    return cell === null ? [] : [{ step: 'currency', says: `${quote(textOf(cell))} is ${product.currency}` }]
  const { code, symbol } = parseAmount(textOf(price).trim(), '.')
  const told = (says: string) => [{ step: 'currency', says }]
  const beside = merged.beside(price, 'currency')
  const said = beside === null ? '' : textOf(beside)
  if (mayMean(said, product.currency))
    return said === product.currency ? [] : told(`${quote(said)} is ${product.currency}${shared(said, settings)}`)
  const word = code ?? symbol
  if (word !== null && mayMean(word, product.currency))
    return told(`The price itself names it: ${quote(textOf(price))}${shared(word, settings)}`)
  const column = contexts(price.origin.context)?.currencies[price.column]
  const filled = product.currency === settings.currency
  if (column !== undefined && !(column.byPlatform && filled))
    return told(`By the column ${quote(price.column)}: ${column.reason}`)
  if (filled) return [{ step: 'settings', says: 'No source gives it; the currency of the workspace does' }]
  return told(`The name of the column ${quote(price.column)}, or another amount of its source, says it`)
}
