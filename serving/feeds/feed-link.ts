/** The link that a product has in one feed: by the feed's template where it has one, with the parameters that the feed adds to every link. */
import type { ConfigSettings } from '../../infra/catalog/feed-configs.ts'
import type { RefinedProduct } from '../../schemas/product.ts'
import { fillLink } from '../../transforms/silver/link-template.ts'

/** A product without an address, or with one that the template has no value for, keeps what it has. */
export function feedLink(
  { sku, link, itemGroupId }: RefinedProduct,
  id: string,
  { linkTemplate, tracking }: Pick<ConfigSettings, 'linkTemplate' | 'tracking'>,
): string | null {
  const own = linkTemplate === null ? link : (fillLink(linkTemplate, { sku, id, handle: itemGroupId }) ?? link)
  const added = Object.entries(tracking).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  )
  if (own === null || added.length === 0) return own
  const [address = '', ...fragment] = own.split('#')
  const joined = address.includes('?') ? (/[?&]$/.test(address) ? '' : '&') : '?'
  return [`${address}${joined}${added.join('&')}`, ...fragment].join('#')
}
