/** Reads a web address as platforms want it: http or https, a public host name, ASCII only (RFC 3986). */

/** What almost every address looks like already; it goes through as it is, without the parser. */
const plain = /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#](?:[!#$&-;=?-Z[\]_a-z~]|%[0-9a-f]{2})*)?$/i
/** The parser would also repair `https:/host` and guess a host; such an address is reported instead. */
const opening = /^https?:\/\/[^\s/?#\\]/i

/** @returns the address with international hosts in punycode and other characters percent-encoded, or null */
export function asciiAddress(text: string): string | null {
  if (plain.test(text)) return text
  if (!opening.test(text)) return null
  const url = URL.parse(text)
  return url?.hostname.includes('.') ? url.href : null
}
