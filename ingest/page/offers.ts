/** Reads what a product of schema.org costs: of one offer, of several, or of a range of them. */
import { availabilityOf } from '../../transforms/silver/availability-words.ts'
import { compareAmounts } from '../../transforms/silver/compare-amounts.ts'
import { variantsOf } from './choose-variant.ts'
import type { Money, PageNote } from './claims.ts'
import { type Item, isItem, itemsOf, plainName, type Things, textIn, valuesOf } from './item.ts'
import { readMoney } from './page-money.ts'

export interface Offered {
  readonly price: Money | null
  readonly original: Money | null
  readonly availability: string | null
  /** Where it may say what the product itself does not. */
  readonly offer: Item | null
}

/** Prices of schema.org that are not what is paid now. */
const formerPrices = /^(?:ListPrice|StrikethroughPrice|SRP|MSRP|RegularPrice)$/i

export function readOffers(product: Item, page: Things, notes: PageNote[]): Offered {
  const variants = variantsOf(product, page)
  if (variants.length < 2) return ownOffers(product, page, notes)
  notes.push(severalVariants(variants.length))
  const offers = offersIn(product, page)
  if (offers.length === 1) return ownOffers(product, page, notes)
  return ofAll(
    offers.length > 0
      ? offers.map((offer) => readOffer(offer, page, []))
      : variants.map((variant) => ownOffers(variant, page, [])),
  )
}

const offersIn = (product: Item, page: Things) =>
  itemsOf(product, page, 'offers', 'offer').flatMap((offer) => {
    const within = itemsOf(offer, page, 'offers')
    return within.length > 0 ? within : [offer]
  })

function ownOffers(product: Item, page: Things, notes: PageNote[]): Offered {
  const read = offersIn(product, page).map((offer) => readOffer(offer, page, notes))
  const priced = read.filter(({ price }) => price !== null)
  const chosen = priced.find(({ availability }) => !isGone(availability)) ?? priced[0] ?? read[0]
  const amounts = priced.map(({ price }) => price?.amount ?? '').sort(compareAmounts)
  const [least, most] = [amounts[0], amounts.at(-1)]
  if (least !== undefined && most !== undefined && compareAmounts(least, most) !== 0)
    notes.push({
      code: 'several_offers',
      says: `The page offers it from ${least} to ${most}; the first that can be bought is taken`,
    })
  return chosen ?? { price: null, original: null, availability: null, offer: null }
}

const severalVariants = (count: number): PageNote => ({
  code: 'several_variants',
  says: `The page tells of ${count} variants, and its address names none of them: only what holds for all of them is taken; give the address of one for its SKU and its price`,
})

/** What is the same for every variant is the group's; which of them a buyer would choose, nobody knows. */
function ofAll(variants: readonly Offered[]): Offered {
  const [first] = variants
  const same = <T>(of: (one: Offered) => T) => new Set(variants.map((one) => JSON.stringify(of(one)))).size === 1
  return {
    price: first && same(({ price }) => price) ? first.price : null,
    original: first && same(({ price, original }) => [price, original]) ? first.original : null,
    availability: first && same(({ availability }) => availability) ? first.availability : null,
    offer: null,
  }
}

const isGone = (availability: string | null) => availability !== null && availabilityOf(availability) === 'out_of_stock'

function readOffer(offer: Item, page: Things, notes: PageNote[]): Offered {
  const specifications = itemsOf(offer, page, 'priceSpecification')
  const isFormer = (one: Item) => formerPrices.test(plainName(textIn(one, 'priceType') ?? ''))
  const former = specifications.find(isFormer)
  const now = specifications.find((one) => !isFormer(one))
  const priced = [offer, ...(now ? [now] : [])]
  const currency = first(priced, (one) => textIn(one, 'priceCurrency', 'currency'))
  const low = amountIn(offer, 'lowPrice')
  const given = first(priced, (one) => amountIn(one, 'price')) ?? low
  const high = readMoney(amountIn(offer, 'highPrice'), currency, [])
  const price = readMoney(given, currency, notes)
  if (price && given === low && high && compareAmounts(high.amount, price.amount) > 0)
    notes.push({
      code: 'price_range',
      says: `The page gives prices from ${price.amount} to ${high.amount}; the least is taken`,
    })
  const before = former ? amountIn(former, 'price') : null
  return {
    price,
    original: readMoney(before, (former && textIn(former, 'priceCurrency')) ?? currency, []),
    availability: wordIn(offer, 'availability'),
    offer,
  }
}

/** An empty object, as some pages have it, is no amount. */
function amountIn(item: Item, name: string): string | number | null {
  for (const value of valuesOf(item, name)) {
    const plain = isItem(value) ? amountIn(value, '@value') : typeof value === 'string' ? value.trim() : value
    if (plain !== null && plain !== '') return plain
  }
  return null
}

/** A word of schema.org without the address before it. */
export function wordIn(item: Item, name: string): string | null {
  const word = textIn(item, name)
  return word === null ? null : plainName(word)
}

function first<T, R>(list: readonly T[], read: (one: T) => R | null): R | null {
  for (const one of list) {
    const found = read(one)
    if (found !== null) return found
  }
  return null
}
