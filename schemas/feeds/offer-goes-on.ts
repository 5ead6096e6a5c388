/** The rule of every platform that an offer which has ended is none: it is not shown, or sells what is over. */
import type { PlatformRule } from './profile.ts'

const dayMs = 86_400_000
const dayAlone = /^\d{4}-\d\d-\d\d$/

/** A day that is the end is part of the offer, by UTC. */
const endOf = (text: string) => Date.parse(text) + (dayAlone.test(text) ? dayMs : 0)

/** @param source the platform's page of the attribute */
export const offerGoesOn = (source: string): PlatformRule => ({
  field: 'expiration_date',
  asks: 'not past when the product is judged',
  source,
  broken: ({ product: { expirationDate }, at }) =>
    expirationDate !== null && endOf(expirationDate) <= Date.parse(at)
      ? `The offer ended on ${expirationDate}; send a later date, or none while it goes on`
      : null,
})
