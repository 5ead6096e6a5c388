/** The Agentic Commerce Protocol's products in XML, of which it has no form itself: named for it, since its amounts are in minor units. */
import type { FeedXml } from './profile.ts'

export const acpRoot = 'acp_products'

export const acpXml: FeedXml = {
  head: `<?xml version="1.0" encoding="UTF-8"?>\n<${acpRoot}>\n`,
  item: 'product',
  tail: `</${acpRoot}>\n`,
  nested: true,
}
