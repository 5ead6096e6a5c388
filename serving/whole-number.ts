/** Numbers in an address are digits alone: `1e2`, `+1`, `01` and `1.0` are ways of JavaScript to write one, and nobody else's. */
import { z } from 'zod'

const digits = /^(?:0|[1-9]\d{0,14})$/

export const wholeNumber = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && digits.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  )

export const versionNumber = wholeNumber(1, 999_999_999_999_999)
