/** Knows products in the form of the Agentic Commerce Protocol's feed (2026-04-17), and reads its amounts. */
import { exponent } from '../../../transforms/silver/currency.ts'

/**
 * The form takes no other keys than these, and its amounts are integers in minor units. Nothing else in a document says so, and
 * `amount: 20` elsewhere means twenty.
 */
export const acpKeys: ReadonlySet<string> = new Set(['id', 'title', 'description', 'url', 'media', 'variants'])
const variantKeys = new Set([
  'id',
  'title',
  'description',
  'url',
  'barcodes',
  'price',
  'list_price',
  'unit_price',
  'availability',
  'categories',
  'condition',
  'variant_options',
  'media',
  'seller',
  'marketplace',
])

/** Keys of a variant that hold an amount. */
export const acpAmounts: ReadonlySet<string> = new Set(['price', 'list_price'])

type Plain = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const hasOnly = (value: Plain, keys: ReadonlySet<string>) => Object.keys(value).every((key) => keys.has(key))

export function isAcpProduct(product: unknown): boolean {
  if (!isObject(product) || !hasOnly(product, acpKeys) || typeof product.id !== 'string') return false
  const { variants } = product
  return Array.isArray(variants) && variants.every(isAcpVariant)
}

function isAcpVariant(variant: unknown): boolean {
  if (!isObject(variant) || !hasOnly(variant, variantKeys)) return false
  if (typeof variant.id !== 'string' || typeof variant.title !== 'string') return false
  return [...acpAmounts].every((key) => variant[key] === undefined || isAmount(variant[key]))
}

const isAmount = (value: unknown) =>
  isObject(value) &&
  Number.isInteger(value.amount) &&
  typeof value.currency === 'string' &&
  /^[A-Z]{3}$/.test(value.currency)

/** @returns null for a currency that ISO 4217 does not have: nobody knows how many digits are its minor units */
export function decimalOf(minor: string, currency: string): string | null {
  const digits = exponent(currency)
  if (digits === null || !/^\d+$/.test(minor)) return null
  const text = minor.padStart(digits + 1, '0')
  const amount = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  return `${amount} ${currency}`
}
