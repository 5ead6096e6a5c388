/** Finds the one product that a page is about among the things that it tells of (KF-55). */
import { variantsOf } from './choose-variant.ts'
import type { PageSource } from './claims.ts'
import { type Item, itemsOf, type Things, textIn, thingsOf } from './item.ts'

const productTypes = new Set([
  'Product',
  'ProductGroup',
  'IndividualProduct',
  'ProductModel',
  'SomeProducts',
  'Vehicle',
  'Car',
])
/** Each is compared with all things of its page. */
const mostGroups = 100

const isProduct = ({ types }: Item) => types.some((type) => productTypes.has(type))

/** What the rest of the page says that it is about. */
export interface About {
  readonly addresses: ReadonlySet<string>
  /** In lower case. */
  readonly names: ReadonlySet<string>
}

/**
 * Only things that stand for themselves, or are what a page is mainly about: what is related to a product, or listed, is another.
 * @returns `several` where nothing tells which of them it is
 */
export function chooseProduct(page: Things, about: About): Item | 'several' | null {
  const main = page.items.filter((item) => !isProduct(item)).flatMap((item) => itemsOf(item, page, 'mainEntity'))
  const [entity] = main.filter(isProduct)
  if (entity) return entity
  const products = page.items.filter(isProduct)
  const groups = products.filter(({ types }) => types.includes('ProductGroup')).slice(0, mostGroups)
  const variants = new Set(groups.flatMap((group) => variantsOf(group, page)))
  const alone = products.filter((item) => !variants.has(item))
  const found = [...alone, ...page.items.flatMap((item) => offeredBy(item, page))]
  const [first, ...others] = found
  if (first === undefined || others.length === 0) return first ?? null
  const isMeant = (item: Item) =>
    [item.id, textIn(item, 'url', '@id')].some((one) => one !== null && about.addresses.has(one)) ||
    about.names.has(nameOf(item))
  // One product told several times is one.
  return found.find(isMeant) ?? (others.every((item) => nameOf(item) === nameOf(first)) ? first : 'several')
}

const nameOf = (item: Item) => (textIn(item, 'name') ?? '').toLowerCase().replace(/\s+/g, ' ')

/** An offer may stand for itself and name what it offers. */
function offeredBy(offer: Item, page: Things): Item[] {
  if (!offer.types.includes('Offer')) return []
  return itemsOf(offer, page, 'itemOffered')
    .filter(isProduct)
    .map((item) => ({ ...item, properties: new Map([...item.properties, ['offers', [offer]]]) }))
}

export interface Told {
  readonly source: PageSource
  readonly things: Things
}

export const told = (source: PageSource, items: readonly Item[]): Told => ({ source, things: thingsOf(items) })
