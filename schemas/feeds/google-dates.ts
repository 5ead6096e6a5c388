/** For what Google refuses dates: those of shipping and of an offer's end are at most one year ahead. */
import { googleMoment } from './google-moment.ts'
import { googleAnswer, googleSpecification } from './platform-pages.ts'
import type { PlatformRule } from './profile.ts'

function isTooFar(date: string, at: string): boolean {
  const limit = new Date(at)
  limit.setUTCFullYear(limit.getUTCFullYear() + 1)
  return Date.parse(date) > limit.getTime()
}

/** What is no date of ours stays out of the line, and is no date too far. */
const tooFar = (what: string, date: string | null, at: string): string | null =>
  date !== null && googleMoment(date) !== null && isTooFar(date, at)
    ? `The ${what} ${date} is more than a year ahead, which Google does not take; send one within a year`
    : null

export const googleDates: readonly PlatformRule[] = [
  {
    field: 'availability_date',
    asks: 'of preorder and backorder: at most one year ahead',
    source: googleAnswer(6324470),
    broken: ({ product: { availability, availabilityDate }, at }) =>
      availability === 'preorder' || availability === 'backorder'
        ? tooFar('date of availability', availabilityDate, at)
        : null,
  },
  {
    field: 'expiration_date',
    asks: 'at most one year ahead',
    source: googleSpecification,
    broken: ({ product: { expirationDate }, at }) => tooFar('end of the offer', expirationDate, at),
  },
]
