/** Where a feed is read, as events name it. */
import type { Config } from '../config.ts'

export function feedAddress(
  { publicUrl, url }: Pick<Config, 'publicUrl' | 'url'>,
  platform: string,
  catalog?: string,
): string {
  const address = new URL(`/api/v1/feeds/${encodeURIComponent(platform)}`, publicUrl ?? url)
  if (catalog !== undefined) address.searchParams.set('catalog_id', catalog)
  return address.href
}
