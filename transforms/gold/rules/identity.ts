/** Identity: can a platform and an agent tell which product this is? */
import { named } from '../../../schemas/feeds/named.ts'
import { googleAnswer } from '../../../schemas/feeds/platform-pages.ts'
import { tradableGtin } from '../../../schemas/feeds/tradable-gtin.ts'
import { percent } from '../percent.ts'
import type { RuleOfDimension } from '../rule.ts'
import { saysSomething } from '../says-something.ts'

export const identityRules: readonly RuleOfDimension[] = [
  {
    id: 'sku',
    field: 'sku',
    points: 25,
    why: 'A SKU keeps the product the same product from one import and one feed to the next',
    sources: ['Assay: every feed, import and order names the product by it'],
    presence: true,
    check: (p) => percent.filled(p.sku),
  },
  {
    id: 'gtin',
    field: 'gtin',
    points: 25,
    why: 'A valid GTIN outside the restricted ranges lets platforms match the product worldwide',
    sources: [googleAnswer(12473440)],
    presence: true,
    check: (p) => percent.when(tradableGtin(p.gtin) !== null),
  },
  {
    id: 'brand',
    field: 'brand',
    points: 20,
    why: 'Shoppers search by brand, and a brand with a part number stands in for a GTIN',
    sources: [googleAnswer(12468352)],
    presence: true,
    check: (p) => percent.when(named(p.brand) !== null),
  },
  {
    // A GTIN attains it too, so that adding one takes nothing away.
    id: 'mpn',
    field: 'mpn',
    points: 10,
    why: "Without a GTIN the maker's part number identifies the product",
    sources: [googleAnswer(12474954)],
    presence: true,
    check: (p) => percent.when(named(p.mpn) !== null || tradableGtin(p.gtin) !== null),
  },
  {
    id: 'title',
    field: 'title',
    points: 20,
    why: 'A product without a title can be neither found nor shown, and one that is called test neither',
    sources: [googleAnswer(6324415)],
    presence: true,
    check: (p) => percent.when(saysSomething(p.title)),
  },
]
