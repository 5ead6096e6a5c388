/** A name that people give to something of theirs: one line, which Postgres can keep. */
import { z } from 'zod'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused; \P{Cc} would need the flag u, which JSON Schema cannot carry
export const oneLine = /^[^\u0000-\u001f\u007f-\u009f]*$/

export const displayName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(oneLine, 'a name is one line without control characters')
