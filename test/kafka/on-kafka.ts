/** Tests on a real broker: skipped and counted where there can be none, but never where the count is what matters. */
import { describe } from 'vitest'
import { whyNoBroker } from './jars.ts'

const missing = await whyNoBroker()
if (missing !== null) {
  if (process.env.CI) throw new Error(missing)
  console.warn(missing)
}

export const onKafka = describe.skipIf(missing !== null)

/** The first run on a machine fetches the jars. */
export const startsWithinMs = 360_000
