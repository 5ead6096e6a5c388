/** Reads whether a product can be bought: the supplier's stock word in any language we have met, else the quantity. */
import type { CellWarning, FieldCell, ImportContext, MergedFields, SilverSettings } from '../../schemas/pipeline.ts'
import type { Availability } from '../../schemas/product.ts'
import { asksForStock, availabilityOf, meansAvailability, plainYesOrNo, yesOrNo } from './availability-words.ts'
import { countedWord } from './counted-word.ts'
import { dateRule, readDate } from './date.ts'
import { datedWord } from './dated-word.ts'
import { guessedNumber } from './guessed-number.ts'
import { type Mark, type NumberRule, parseAmount } from './number-format.ts'
import { numberRule } from './number-rule.ts'
import { quote } from './quote.ts'
import { doubts, type Finding, type Reading, reads, textOf, warningAt } from './reading.ts'
import { withoutSchemaOrg } from './schema-org.ts'

interface Stock {
  readonly availability: Availability | null
  /** Of the stock word, where one stands behind it. */
  readonly availabilityDate: string | null
  readonly quantity: number | null
  readonly warnings: readonly CellWarning[]
}

type Contexts = (id: number) => ImportContext | undefined

const bound = /^(?:[>≥]=?\s*(\d{1,9})|(\d{1,9})\s*\+)$/

/** Platforms whose format lists its stock words: a yes or no is none of them. */
const listsWords: ReadonlySet<string> = new Set(['google'])

/** Platforms whose blank cell for tracking means the shop's setting, which is to track. */
const tracksWhereBlank: ReadonlySet<string> = new Set(['vendure'])

/**
 * A stock word, or a count in a column meant for one. An unknown word yields no value. It has no safe default: one default
 * sells what is not there, the other hides the shop (KF-16).
 * @param platform of the file
 */
export function readAvailability(column: string, raw: string, platform = ''): Reading<Availability> {
  const word = withoutSchemaOrg(raw)
  const known = availabilityOf(word)
  if (known) return reads(known)
  if (asksForStock(column)) {
    const answer = yesOrNo(word)
    if (answer) return reads<Availability>(answer === 'yes' ? 'in_stock' : 'out_of_stock')
  }
  const plain = listsWords.has(platform) ? undefined : plainYesOrNo(word)
  if (plain && meansAvailability(column)) return reads<Availability>(plain === 'yes' ? 'in_stock' : 'out_of_stock')
  const count = /^\s*[-+]?\d{1,9}(?:[.,]0+)?\s*$/.test(word) ? Number.parseInt(word, 10) : null
  if (count !== null) return reads<Availability>(count > 0 ? 'in_stock' : 'out_of_stock')
  if (bound.test(word.trim())) return reads<Availability>('in_stock')
  const counted = countedWord(word)
  const meant = counted === null ? undefined : availabilityOf(counted)
  // What is sold out and has pieces says two things.
  if (meant && meant !== 'out_of_stock') return reads(meant)
  const says = `${quote(raw)} is no availability we know; use in_stock, out_of_stock, preorder or backorder`
  return doubts('unknown_availability', says)
}

/**
 * A word with a date behind it. "Available from 1 May" says when and not whether it can be ordered before: only the date is read.
 * @returns null where there is no date in it
 */
function readDated(
  cell: FieldCell,
  raw: string,
  contexts: Contexts,
  settings: SilverSettings,
): (Pick<Stock, 'availability' | 'availabilityDate'> & { readonly findings: readonly Finding[] }) | null {
  const parts = datedWord(raw)
  if (parts === null) return null
  const { value, findings } = readDate(parts.date, dateRule(cell, contexts(cell.origin.context), settings))
  const known = availabilityOf(parts.word) ?? null
  if (known !== null && known !== 'in_stock') return { availability: known, availabilityDate: value, findings }
  const says = `${quote(raw)} says from when and not whether it can be ordered before; write preorder or backorder and the date`
  return {
    availability: null,
    availabilityDate: value,
    findings: [...findings, { code: 'unknown_availability', says }],
  }
}

/** A count of pieces; "50+" is read as 50, the least that it says. */
export function readQuantity(raw: string, how: Mark | null | NumberRule): Reading<number> {
  if (/^\d{1,9}$/.test(raw)) return reads(Number(raw))
  const least = bound.exec(raw.trim())
  if (least) {
    const says = `${quote(raw)} is no exact count; the least that it says is read`
    return { value: Number(least[1] ?? least[2]), findings: [{ code: 'quantity_at_least', says }] }
  }
  const { text, negative, ambiguous, guess, scientific } = parseAmount(raw, how)
  if (ambiguous)
    return doubts('ambiguous_number', `${quote(raw)} can be thousands or a fraction; write the count without a mark`)
  const count = text === null ? Number.NaN : Number(text)
  if (Number.isSafeInteger(count)) {
    const says = `${quote(raw)} is read as ${text}; a spreadsheet that writes a count so may have cut its digits`
    const findings: Finding[] = []
    if (scientific) findings.push({ code: 'scientific_number', says })
    if (guess && text !== null) findings.push({ code: 'number_guess', says: guessedNumber(raw, text, '1299') })
    return { value: negative ? 0 - count : count, findings }
  }
  return doubts('unreadable_quantity', `${quote(raw)} is no count of pieces; write a whole number`)
}

function tracksStock(fields: MergedFields, quantity: FieldCell, contexts: Contexts, settings: SilverSettings): boolean {
  const cell = fields.beside(quantity, 'track_stock')
  const said = cell ? textOf(cell).trim() : ''
  // A tracker is named ("shopify", "amazon"), so every word but a no means that someone counts.
  if (said !== '') return yesOrNo(said) !== 'no'
  const own = settings.mappings[quantity.source]
  if (own && Object.values(own).includes('track_stock')) return false
  const context = contexts(quantity.origin.context)
  const every = Object.entries(settings.everySource ?? {})
  if (every.some(([column, field]) => field === 'track_stock' && context?.header.includes(column))) return false
  return !context || !hasTracking(context) || tracksWhereBlank.has(context.platform)
}

const tracking = new WeakMap<ImportContext, boolean>()

/** Whether the file has a column that says which stock is tracked; contexts are immutable, so it is found out once. */
function hasTracking(context: ImportContext): boolean {
  const known = tracking.get(context)
  if (known !== undefined) return known
  const found = Object.values(context.proposed ?? context.mapping).some(({ field }) => field === 'track_stock')
  tracking.set(context, found)
  return found
}

function fromQuantity(
  count: number,
  cell: FieldCell,
  fields: MergedFields,
  contexts: Contexts,
  settings: SilverSettings,
): Availability | null {
  if (count > 0) return 'in_stock'
  const policy = fields.beside(cell, 'allow_backorder')
  if (policy && yesOrNo(textOf(policy)) === 'yes') return 'backorder'
  return tracksStock(fields, cell, contexts, settings) ? 'out_of_stock' : null
}

/** An explicit word wins; else the quantity tells, and a quantity of zero only where stock is tracked (KF-16). */
export function readStock(fields: MergedFields, contexts: Contexts, settings: SilverSettings): Stock {
  const warnings: CellWarning[] = []
  const tell = (cell: FieldCell, findings: readonly Finding[]) => {
    for (const finding of findings) warnings.push(warningAt(cell, finding))
  }
  const word = fields.get('availability')
  const said = word ? textOf(word) : ''
  let availability: Availability | null = null
  let availabilityDate: string | null = null
  if (word && said.trim() !== '') {
    const reading = readAvailability(word.column, said, contexts(word.origin.context)?.platform)
    const dated = reading.value === null ? readDated(word, said, contexts, settings) : null
    availability = dated ? dated.availability : reading.value
    availabilityDate = dated?.availabilityDate ?? null
    tell(word, (dated ?? reading).findings)
  }
  const cell = fields.get('quantity')
  const counted = cell ? textOf(cell) : ''
  let quantity: number | null = null
  if (cell && counted.trim() !== '') {
    const reading = readQuantity(counted, numberRule(cell, contexts(cell.origin.context), settings))
    quantity = reading.value
    const instead = quantity === null ? availabilityOf(counted) : undefined
    if (instead) availability ??= instead
    else tell(cell, reading.findings)
    if (quantity !== null && said.trim() === '') availability = fromQuantity(quantity, cell, fields, contexts, settings)
  } else if (word && !asksForStock(word.column) && /^\s*\d{1,9}\s*$/.test(said)) quantity = Number(said)
  return { availability, availabilityDate, quantity, warnings }
}
