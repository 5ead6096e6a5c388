/** Says of a measure that is a number alone that nobody told its unit: 2 may be kilograms or pounds. */
import { quote } from './quote.ts'
import type { Reading } from './reading.ts'

const alone = /^[\d.]+$/

/** @param such the measure as it would be right */
export function unitMissing(raw: string, reading: Reading<string>, such: string): Reading<string> {
  const { value, findings } = reading
  if (value === null || findings.length > 0 || !alone.test(value)) return reading
  const says = `${quote(raw)} has no unit, and neither its column nor one beside it says one; write it as ${such}`
  return { value, findings: [{ code: 'unit_missing', says }] }
}
