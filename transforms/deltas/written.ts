/** Small things that several targets write alike: times, slugs, HTML, what is left out. */

/** To the second with its offset, as shops write them. */
export const withOffset = (time: string): string => `${new Date(time).toISOString().slice(0, 19)}+00:00`

/** To the second in UTC, without saying so. */
export const withoutOffset = (time: string): string => new Date(time).toISOString().slice(0, 19)

/** Letters and digits with hyphens between, as in addresses of shops. */
export const slugOf = (text: string | null): string =>
  (text ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Descriptions are plain text here; line breaks stay. */
export const htmlOf = (text: string | null): string | null =>
  text === null ? null : text.replace(/[&<>"]/g, (one) => entities[one] ?? one).replace(/\r?\n/g, '<br>\n')

/** Without what nothing is known of: a blank is not a zero. */
export const known = (all: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && value !== undefined))
