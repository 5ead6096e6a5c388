/** Where a feed is read, as events name it. */
import { type OwnAddress, ownAddress } from './own-address.ts'

export function feedAddress(own: OwnAddress, platform: string, catalog?: string): string {
  const address = new URL(`/api/v1/feeds/${encodeURIComponent(platform)}`, ownAddress(own))
  if (catalog !== undefined) address.searchParams.set('catalog_id', catalog)
  return address.href
}
