/** The form in which two links lead to one page or not: without scheme, `www.`, fragment and what campaigns add. */

const parts = /^https?:\/\/(?:www\.)?([^/?#]+)([^?#]*)(?:\?([^#]*))?/i
/** Of Google, Meta, Microsoft and Matomo. */
const campaign = /^(?:utm_[a-z]+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|mc_[ce]id|srsltid|pk_[a-z]+|mtm_[a-z]+)=/i

export function addressKey(link: string | null): string | null {
  const match = link === null ? null : parts.exec(link)
  if (!match) return null
  const [, host = '', path = '', query = ''] = match
  const kept = query
    .split('&')
    .filter((pair) => pair !== '' && !campaign.test(pair))
    .sort()
  const page = path.replace(/\/+$/, '')
  // The front page of a shop is no product's.
  if (page === '' && kept.length === 0) return null
  return `${host.toLowerCase()}${page}${kept.length > 0 ? `?${kept.join('&')}` : ''}`
}
