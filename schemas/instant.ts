/** A moment in a request: ISO 8601 with a zone, in years that every store can keep. */
import { z } from 'zod'

/** One in UTC, to the second or the millisecond, as nearly all are written: of years that every store can keep, and of days that their months always have. */
export const utcInstant =
  /^(?:19[7-9]|20\d|21\d)\d-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/

/** As Assay writes them. */
export const canonicalLength = '2026-11-27T10:00:00.000Z'.length

const [first, last] = [0, Date.UTC(2200, 0, 1)]

export const instant = z.iso
  .datetime({ offset: true, error: 'is a time of ISO 8601 with its zone, like 2026-11-27T10:00:00Z' })
  .refine((text) => {
    const at = Date.parse(text)
    return at >= first && at < last
  }, 'is a time between 1970 and 2200')
