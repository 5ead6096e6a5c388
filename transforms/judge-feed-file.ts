/** The mass-change guard of feed files: whether a person must be asked before a file takes the place of the one before it. */
import type { FileGuard } from '../schemas/feed-file.ts'
import { guardFloor } from '../schemas/settings.ts'

export interface FileDifference {
  readonly changed: number
  readonly removed: number
}

const percent = (share: number) => `${Math.round(share * 1_000) / 10} %`

/**
 * As for imports, a share says nothing of a handful of lines (`guardFloor`), and a limit of 1 asks nobody.
 * @param former null for the first file of a feed
 * @param difference null where the lines of the former cannot be compared: then its count alone is
 */
export function judgeFeedFile(
  lines: number,
  former: number | null,
  difference: FileDifference | null,
  limit: number,
): FileGuard {
  const fewer = former === null ? 0 : Math.max(0, former - lines)
  const moved = difference === null ? fewer : difference.changed + difference.removed
  const share = former === null || former === 0 ? 0 : moved / former
  const counts = { former, changed: difference?.changed ?? null, removed: difference?.removed ?? null }
  const seen = { ...counts, share: Math.round(share * 10_000) / 10_000, limit }
  const beyond = former !== null && moved > former * limit + 1e-9 && (moved >= guardFloor || limit === 0)
  if (former === null || limit >= 1 || !beyond) return { ...seen, reasons: [] }
  const unasked = `and ${percent(limit)} may change unasked.`
  const reason =
    difference === null
      ? `It has ${lines} lines, and the file before it had ${former}, ${unasked}`
      : `It would change ${difference.changed} and remove ${difference.removed} of ${former} lines, ${unasked}`
  return { ...seen, reasons: [reason] }
}
