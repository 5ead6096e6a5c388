/** A text of a body that silver has to be able to read: what it would doubt in a file's cell is refused here, in the same words. */
import type { z } from 'zod'
import type { Reading } from '../../transforms/silver/reading.ts'
import { readIdentifier } from '../../transforms/silver/text.ts'

/** A blank one is as if left out, or clears. */
export function readable(text: z.ZodString, how: (raw: string) => Reading<string>): z.ZodString {
  const doubt = (raw: string) => (readIdentifier(raw) === null ? undefined : how(raw).findings[0])
  return text.refine((raw) => doubt(raw) === undefined, { error: ({ input }) => doubt(String(input))?.says ?? '' })
}
