/** When a sale price holds, in milliseconds of the epoch. */

const dayMs = 86_400_000

/** @param interval `start/end` of ISO 8601, `..` for what is not known; null: always */
export function saleWindow(interval: string | null): [fromMs: number, toMs: number] {
  const [from = '..', to = '..'] = (interval ?? '../..').split('/')
  const start = Date.parse(from)
  const end = Date.parse(to)
  // A day that is the end is part of it.
  const lasts = to.length === 10 ? end + dayMs : end
  return [
    Number.isNaN(start) ? Number.NEGATIVE_INFINITY : start,
    Number.isNaN(lasts) ? Number.POSITIVE_INFINITY : lasts,
  ]
}
