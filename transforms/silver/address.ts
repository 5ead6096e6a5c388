/** Repairs web addresses the way browsers do, with every byte kept: the server knows its file by them (KF-20). */
import { quote } from './quote.ts'
import { doubts, type Reading, reads } from './reading.ts'

/** What an address may hold as it is; `%` only before two hex digits. */
const clean =
  /^https?:\/\/[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?(?:[/?#](?:[!#$&-;=?-Z_a-z~]|%[0-9A-Fa-f]{2})*)?$/
const parts = /^(https?:)\/\/([^/?#]*)(.*)$/is
const illegal = /[^!#$%&-;=?-Z_a-z~]|%(?![0-9a-f]{2})/giu
const otherScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i

/** @param subject names the address in codes: `image` gives `image_invalid` and `image_not_absolute` */
export function readAddress(raw: string, subject: 'image' | 'link'): Reading<string> {
  if (clean.test(raw) && !raw.includes('&amp;')) return reads(raw)
  const text = raw
    .trim()
    .replace(/[\t\r\n]+/g, '')
    .replaceAll('&amp;', '&')
  const match = parts.exec(text)
  if (!match) {
    if (otherScheme.test(text)) return invalid(raw, subject)
    const says = `${quote(raw)} has no host; give the full address, beginning with https://`
    return doubts(`${subject}_not_absolute`, says)
  }
  const [, scheme = '', authority = '', rest = ''] = match
  const host = hostOf(authority)
  if (host === null || !text.isWellFormed() || /\p{Cc}/u.test(text)) return invalid(raw, subject)
  return reads(`${scheme.toLowerCase()}//${host}${rest.replace(illegal, encode)}`)
}

const encode = (char: string) => (char === '%' ? '%25' : encodeURIComponent(char))

function invalid(raw: string, subject: string): Reading<never> {
  return doubts(`${subject}_invalid`, `${quote(raw)} is no web address; it should begin with https:// and a host`)
}

/** Names outside ASCII become what name servers know; everything else about the host stays as given. */
function hostOf(authority: string): string | null {
  if (/^[a-z0-9](?:[a-z0-9._-]*[a-z0-9_])?\.?(?::\d{1,5})?$/i.test(authority)) return authority
  if (authority === '' || /[\s@]/.test(authority)) return null
  try {
    return new URL(`http://${authority}/`).host || null
  } catch {
    return null
  }
}
