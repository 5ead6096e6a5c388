/** A moment in a request: ISO 8601 with a zone, in years that every store can keep. */
import { z } from 'zod'

const [first, last] = [0, Date.UTC(2200, 0, 1)]

export const instant = z.iso
  .datetime({ offset: true, error: 'is a time of ISO 8601 with its zone, like 2026-11-27T10:00:00Z' })
  .refine((text) => {
    const at = Date.parse(text)
    return at >= first && at < last
  }, 'is a time between 1970 and 2200')
