/** Leaves out what no feed may carry: control characters but tab and line ends, halves of pairs, and what is no character (KF-18). */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const one = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const all = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/gu

/** Whether no text in it holds any. */
export function isFreeOfControl(value: unknown): boolean {
  if (typeof value === 'string') return !one.test(value)
  if (typeof value !== 'object' || value === null) return true
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key]
    if (!isFreeOfControl(member) || one.test(key)) return false
  }
  return true
}

/** The same with all texts and names in it freed. */
export function withoutControl<T>(value: T): T
export function withoutControl(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(all, '')
  if (Array.isArray(value)) return value.map((member) => withoutControl(member))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [withoutControl(key), withoutControl(member)]))
}
