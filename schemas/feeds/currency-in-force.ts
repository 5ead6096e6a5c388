/** The rule that every platform has of currencies: an amount is in one that ISO 4217 still has. */
import type { PlatformRule } from './profile.ts'
import { withdrawnCurrencies } from './withdrawn-currencies.ts'

/** @param source the platform's page of prices, which asks for an ISO 4217 code */
export const currencyInForce = (source: string): PlatformRule => ({
  field: 'price',
  asks: 'in a currency of ISO 4217 that is in force',
  source,
  mends: 'currency',
  broken: ({ product: { currency } }) =>
    currency !== null && withdrawnCurrencies.has(currency)
      ? `Nobody pays in ${currency} any more, ISO 4217 has withdrawn it; send the price in the currency that took its place`
      : null,
})
