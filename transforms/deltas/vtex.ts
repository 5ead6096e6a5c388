/** The SKU suggestion that a seller sends to VTEX's marketplace, and for what goes the notification that says so. */
import type { DeltaOptions } from '../../schemas/delta.ts'
import { askedPrices } from '../../schemas/feeds/asked-prices.ts'
import { cutText } from '../../schemas/feeds/cut-text.ts'
import { minorUnits } from '../../schemas/feeds/money-text.ts'
import { toldApart } from '../../schemas/feeds/told-apart.ts'
import { tradableGtin } from '../../schemas/feeds/tradable-gtin.ts'
import type { RefinedProduct } from '../../schemas/product.ts'
import { centimetres, weightIn } from './measure-in.ts'
import type { DeltaProduct, DeltaShape } from './shape.ts'
import { known } from './written.ts'

const longestName = 150

/** Numbers there; exact to what a number holds. */
const number = (text: string | null) => (text === null ? null : Number(text))

const symbolOf = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

function pricingOf(p: RefinedProduct) {
  const { full, sale } = askedPrices(p, false)
  const units = minorUnits(sale ?? full, p.currency)
  return p.currency === null || units === null
    ? null
    : { Currency: p.currency, SalePrice: units, CurrencySymbol: symbolOf(p.currency) }
}

/** None is what "out of stock" says; how many are in stock is known only where it is counted. */
const quantityOf = ({ quantity, availability }: RefinedProduct) =>
  availability === 'out_of_stock' ? 0 : quantity === null ? null : Math.max(0, Math.floor(quantity))

const skuOf = ({ feedId, id }: DeltaProduct) => feedId ?? id
const groupOf = (p: DeltaProduct) => (p.kind === 'variant' ? (p.product.itemGroupId ?? p.id) : skuOf(p))
const seller = (options: DeltaOptions) => String(options.seller_id)

/** What stands in the path of VTEX's own address does so here by its name. */
export const vtex: DeltaShape = {
  nameOf: skuOf,
  removal: (p, options) => ({
    IdSku: skuOf(p),
    ProductId: groupOf(p),
    An: seller(options),
    DateModified: new Date(p.publishedAt).toISOString(),
    IsActive: false,
    StockModified: false,
    PriceModified: false,
    HasStockKeepingUnitModified: false,
    HasStockKeepingUnitRemovedFromAffiliate: true,
  }),
  product(p, _, options) {
    const { product } = p
    const told = toldApart(product)
    const name = product.title && cutText(product.title, longestName)
    return known({
      ProductName: name,
      ProductId: groupOf(p),
      ProductDescription: product.description,
      BrandName: product.brand,
      SkuName: told.length > 0 && p.kind === 'variant' ? told.map(([, value]) => value).join(' / ') : name,
      SellerId: seller(options),
      Height: number(centimetres(product.height)),
      Width: number(centimetres(product.width)),
      Length: number(centimetres(product.length)),
      Weight: number(weightIn(product.weight, 'g')),
      RefId: product.sku ?? product.mpn,
      EAN: tradableGtin(product.gtin),
      SellerStockKeepingUnitId: skuOf(p),
      CategoryFullPath: product.categoryPath.length > 0 ? product.categoryPath.join('/') : null,
      SkuSpecifications: told.map(([fieldName, value]) => ({ fieldName, fieldValues: [value] })),
      ProductSpecifications: Object.entries({ Gender: product.gender, 'Age group': product.ageGroup }).flatMap(
        ([fieldName, value]) => (value === null ? [] : [{ fieldName, fieldValues: [value] }]),
      ),
      Images: product.images
        .filter((url) => url.startsWith('https:'))
        .map((imageUrl, i) => ({ imageName: `${i + 1}`, imageUrl })),
      MeasurementUnit: 'un',
      UnitMultiplier: 1,
      AvailableQuantity: quantityOf(product),
      Pricing: pricingOf(product),
    })
  },
  says: 'A product is the body of `PUT /suggestions/{SellerId}/{SellerStockKeepingUnitId}`; one that goes is the notification with `HasStockKeepingUnitRemovedFromAffiliate`, since a suggestion cannot be taken back. `SalePrice` is in the smallest units of its currency, by ISO 4217: 1500 for 1500 JPY. VTEX has no place for a price before a sale nor for when one holds, so a sale for a time is left out. Dimensions are in cm, weights in g, pictures those at https. What VTEX requires and the product does not have is left out: it refuses such a suggestion.',
}
