/** A time zone by its name in the IANA database, such as Europe/Berlin. */
import { z } from 'zod'

export const timeZone = z
  .string()
  .max(64)
  .refine(isZone, { error: 'is a name of the IANA time zone database, like Europe/Berlin' })

function isZone(name: string): boolean {
  // What the runtime takes beside names are offsets, like +02:00: they know no summer.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}
