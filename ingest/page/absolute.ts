/** An address in a page as one that holds outside of it; null for what is no web address. */
export function absolute(text: string, base: string): string | null {
  const url = URL.parse(text.trim(), base)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null
}
