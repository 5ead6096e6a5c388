/** A document of products for platforms that have none of their own: for those who read XML alone. */
import type { FeedXml } from './profile.ts'

export const plainXml: FeedXml = {
  head: '<?xml version="1.0" encoding="UTF-8"?>\n<products>\n',
  item: 'product',
  tail: '</products>\n',
}
