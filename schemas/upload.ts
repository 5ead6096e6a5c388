/** Bounds of an upload in parts, as data. */

export const uploadLimits = {
  parts: 10_000,
  /** Of one part. */
  partBytes: 100 * 1024 ** 2,
} as const
