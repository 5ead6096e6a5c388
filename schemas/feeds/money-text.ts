/** An amount with the decimals of its currency, and in its smallest units (KF-14). */
import { decimalsIn, decimalsOf } from './decimals.ts'

const amountForm = /^\d+(?:\.\d+)?$/

/** @returns as it stands where it is no amount or finer than the currency: rounding is nobody's to do here */
export function amountText(amount: string, currency: string): string {
  const decimals = decimalsOf(currency)
  const point = amount.indexOf('.')
  // Silver writes amounts so already.
  if (point < 0 ? decimals === 0 : amount.length - point - 1 === decimals && decimals > 0) return amount
  if (!amountForm.test(amount) || decimalsIn(amount) > decimals) return amount
  const whole = point < 0 ? amount : amount.slice(0, point)
  if (decimals === 0) return whole
  const part = point < 0 ? '' : amount.slice(point + 1, point + 1 + decimals)
  return `${whole}.${part.padEnd(decimals, '0')}`
}

export const moneyText = (amount: string | null, currency: string | null): string | null =>
  amount === null || currency === null ? null : `${amountText(amount, currency)} ${currency}`

/** @returns null for what is no amount, finer than the currency, or more than a number holds exactly */
export function minorUnits(amount: string | null, currency: string | null): number | null {
  if (amount === null || currency === null || !amountForm.test(amount)) return null
  if (decimalsIn(amount) > decimalsOf(currency)) return null
  const units = Number(amountText(amount, currency).replace('.', ''))
  return Number.isSafeInteger(units) ? units : null
}
