/** Reads a web address as platforms want it: http or https, a public host name, ASCII only (RFC 3986). */

/** What almost every address looks like already; it goes through as it is, without the parser. */
const plain = /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#](?:[!#$&-;=?-Z[\]_a-z~]|%[0-9a-f]{2})*)?$/i
/** The parser would also repair `https:/host` and guess a host; such an address is reported instead. */
const opening = /^https?:\/\/[^\s/?#\\]/i

/** Every platform asks for the same link and the same image in turn, so the last two answers are worth keeping. */
let [lastText, lastAddress]: [string | null, string | null] = [null, null]
let [formerText, formerAddress]: [string | null, string | null] = [null, null]

/** @returns the address with international hosts in punycode and other characters percent-encoded, or null */
export function asciiAddress(text: string): string | null {
  if (text === lastText) return lastAddress
  if (text === formerText) return formerAddress
  formerText = lastText
  formerAddress = lastAddress
  lastAddress = readAddress(text)
  lastText = text
  return lastAddress
}

function readAddress(text: string): string | null {
  if (plain.test(text)) return text
  if (!opening.test(text)) return null
  const url = URL.parse(text)
  return url?.hostname.includes('.') ? url.href : null
}
