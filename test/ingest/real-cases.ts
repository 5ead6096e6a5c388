/** What was counted in each of the eleven real files apart from us, and where it must be found again. */
import type { ProductResource } from '../../serving/workspace/product-resource.ts'
import { metric, numbersIn } from './expected-figures.ts'
import type { Imported } from './real-imports.ts'

/** What the script counts as products. */
export const topLevel = (products: readonly ProductResource[]) => products.filter(({ kind }) => kind !== 'variant')
/** And as variants. */
export const forSale = (products: readonly ProductResource[]) => products.filter(({ kind }) => kind !== 'parent')

export interface Case {
  readonly file: string
  /** Single + parent. */
  readonly products: (file: string) => number
  /** Single + variant. */
  readonly variants: (file: string) => number
  readonly duplicates?: (file: string) => number
  readonly prices: readonly [column: string, of: (imported: Imported) => readonly (number | null)[]][]
}

const prices = ({ products }: Imported) => forSale(products).map(({ price }) => price)
const shopify = (file: string): Case => ({
  file,
  products: (name) => metric(name, 'products'),
  variants: (name) => metric(name, 'variants'),
  prices: [['Variant Price', prices]],
})
/** A file whose sentence says "7 records -> 7 products". */
const flat = (file: string, column: string): Case => {
  const products = (name: string) => numbersIn(name, /-> ([\d,]+) products/)[0] ?? 0
  return { file, products, variants: products, prices: [[column, prices]] }
}

/** How many parents, and how many variations they have. */
export const wooParents = (file: string) => numbersIn(file, /(\d+) variable parents own the (\d+) variations/)

/** A duplicate row costs what the row that it repeats costs. */
function pricesByRow({ products, rows }: Imported): (number | null)[] {
  const byLink = new Map(products.map(({ link, price }) => [link, price]))
  return rows.map(({ url = '' }) => byLink.get(url) ?? null)
}

export const cases: readonly Case[] = [
  shopify('shopify/partners-apparel.csv'),
  shopify('shopify/partners-jewelery.csv'),
  shopify('shopify/sneakers-export.csv'),
  shopify('shopify/pt-br-export.csv'),
  {
    file: 'woocommerce/sample-products.csv',
    products: (file) => numbersIn(file, /-> (\d+) top-level products/)[0] ?? 0,
    variants: (file) => metric(file, 'records') - (wooParents(file)[0] ?? 0),
    prices: [
      ['Regular price', prices],
      ['Sale price', ({ products }) => forSale(products).map(({ salePrice }) => salePrice)],
    ],
  },
  {
    file: 'magento/configurable-products.csv',
    products: (file) => numbersIn(file, /-> ([\d,]+) configurable products/)[0] ?? 0,
    variants: (file) => numbersIn(file, /and ([\d,]+) simple children/)[0] ?? 0,
    // Its parents have prices of their own, and the script's sum is over all rows.
    prices: [['price', ({ products }) => products.map(({ price }) => price)]],
  },
  {
    file: 'vendure/mock-products.csv',
    products: (file) => numbersIn(file, /-> (\d+) products/)[0] ?? 0,
    variants: (file) => numbersIn(file, /, (\d+) variants/)[0] ?? 0,
    prices: [['price', prices]],
  },
  flat('prestashop/products-semicolon.csv', 'Price tax excluded'),
  {
    file: 'hm/products.csv',
    products: (file) => numbersIn(file, /-> ([\d,]+) distinct ids and urls/)[0] ?? 0,
    variants: (file) => numbersIn(file, /-> ([\d,]+) distinct ids and urls/)[0] ?? 0,
    duplicates: (file) => numbersIn(file, /(\d+) are exact repeats/)[0] ?? 0,
    prices: [['price', pricesByRow]],
  },
  flat('odoo/product-template-de.csv', 'Verkaufspreis'),
  {
    ...flat('flipkart/sample-with-blank-rows.csv', ''),
    prices: [
      ['retail_price', prices],
      // What a buyer pays: 141 products are offered at their list price, which is no sale.
      ['discounted_price', ({ products }) => products.map(({ salePrice, price }) => salePrice ?? price)],
    ],
  },
]
