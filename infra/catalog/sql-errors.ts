/** Postgres' error codes, as far as we act on them. */

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code

export const isUniqueViolation = (error: unknown) => codeOf(error) === '23505'

/** Raised by the trigger that keeps an owner in each workspace. */
export const isLastOwner = (error: unknown) => codeOf(error) === 'AS001'

/** Classes 21, 22 and 54: the value itself cannot be stored, now or ever; trying again would stop the line (KF-47). */
export const isDataError = (error: unknown) => /^(21|22|54)/.test(String(codeOf(error) ?? ''))

/** A batch holds a value that the catalog can never store. */
export class DataRefused extends Error {}

const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '53300',
])

/** What the driver says of a connection that was lost, now or before. */
const lost =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|is not queryable|cannot use a pool after/i

/** The database does not answer, is starting or shutting down, or has no connection left: try again shortly. */
export function isStoreAway(error: unknown): boolean {
  const code = String(codeOf(error) ?? '')
  if (awayCodes.has(code) || code.startsWith('08') || code.startsWith('57P')) return true
  // The queue tells its errors as plain objects.
  const { message, cause } = (error ?? {}) as { message?: unknown; cause?: unknown }
  return (typeof message === 'string' && lost.test(message)) || (cause !== undefined && isStoreAway(cause))
}

/** The catalog's, the spool's or the scratch file's disk: what was acknowledged stays, nothing more can be taken. */
export const isDiskFull = (error: unknown): boolean =>
  ['53100', 'ENOSPC', 'EDQUOT'].includes(String(codeOf(error) ?? '')) ||
  (error instanceof Error && /no space left on device/i.test(error.message))
