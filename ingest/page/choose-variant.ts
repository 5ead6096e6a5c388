/** Finds which variant of a product group a page's address names; what is said of the group holds for each of its variants. */
import { absolute } from './absolute.ts'
import { type Item, itemsOf, type Things, textIn } from './item.ts'

/** What of a group is no variant's. */
const groupsOwn = new Set([
  'hasVariant',
  'offers',
  'offer',
  'url',
  'sku',
  'mpn',
  'productID',
  'productGroupID',
  'variesBy',
])

export interface Addresses {
  /** From which the page came. */
  readonly asked: string
  /** Where it says that it lives. */
  readonly link: string
  readonly base: string
}

/** Nested in their group, or told beside it. */
export function variantsOf(group: Item, page: Things): readonly Item[] {
  const nested = itemsOf(group, page, 'hasVariant')
  const id = textIn(group, 'productGroupID')
  const beside = page.items.filter(
    (item) =>
      itemsOf(item, page, 'isVariantOf').some((one) => one === group || (one.id !== null && one.id === group.id)) ||
      (id !== null && textIn(item, 'inProductGroupWithID') === id),
  )
  return [...new Set([...nested, ...beside])].filter((item) => item !== group)
}

/** @returns the variant that the address names or that is the only one, with what its group says of all; the product itself where there is none such */
export function chooseVariant(product: Item, page: Things, addresses: Addresses): Item {
  const variants = variantsOf(product, page)
  const variant = variants.length > 1 ? named(variants, page, addresses) : variants[0]
  if (!variant) return product
  const shared = [...product.properties].filter(
    ([name]) => !groupsOwn.has(name) && !/^(?:gtin\d*|ean|upc|isbn)$/.test(name),
  )
  const group = textIn(product, 'productGroupID')
  const own = group === null ? [] : ([['inProductGroupWithID', [group]]] as const)
  return { ...variant, properties: new Map([...own, ...shared, ...variant.properties]) }
}

function named(variants: readonly Item[], page: Things, { asked, link, base }: Addresses): Item | undefined {
  const address = new URL(asked)
  const chosen = address.searchParams.get('variant')
  const placed = variants.map((variant) => ({ variant, url: addressOf(variant, page, base) }))
  const only = (is: (one: (typeof placed)[number]) => boolean) => {
    const found = placed.filter(is)
    return found.length === 1 ? found[0]?.variant : undefined
  }
  return (
    only(({ url }) => url !== null && isSame(url, address)) ??
    only(({ url }) => url !== null && url.search !== '' && isWithin(url, address)) ??
    (chosen === null
      ? only(({ url }) => url !== null && isSame(url, new URL(link)))
      : only(({ variant }) => [textIn(variant, 'sku'), textIn(variant, 'productID')].includes(chosen)))
  )
}

function addressOf(variant: Item, page: Things, base: string): URL | null {
  const [offer] = itemsOf(variant, page, 'offers')
  const said = textIn(variant, 'url', '@id') ?? (offer && textIn(offer, 'url')) ?? variant.id
  return said ? URL.parse(absolute(said, base) ?? '') : null
}

const host = ({ host }: URL) => host.replace(/^www\./, '')
const path = ({ pathname }: URL) => pathname.replace(/\/$/, '')
const isOnePage = (a: URL, b: URL) => host(a) === host(b) && path(a) === path(b)
const sorted = ({ searchParams }: URL) => JSON.stringify([...searchParams].sort())
const isSame = (a: URL, b: URL) => isOnePage(a, b) && sorted(a) === sorted(b)
/** Shops are asked with words of their own in the address, which say nothing of the variant. */
const isWithin = (variant: URL, address: URL) =>
  isOnePage(variant, address) &&
  [...variant.searchParams].every(([name, value]) => address.searchParams.get(name) === value)
