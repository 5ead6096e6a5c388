/** The formats of product feeds in XML, as data: how each is known, where its products stand, and what is special in them. */
import { acpRoot } from '../../../schemas/feeds/acp-xml.ts'
import { acpAmountCells } from './acp-amounts.ts'
import { atomEntry } from './atom-entry.ts'
import type { Element } from './element.ts'
import type { Cells, Flattening } from './flatten.ts'
import { yandexCategories } from './yandex-categories.ts'
import { yandexName } from './yandex-name.ts'

export interface XmlFormat {
  readonly name: string
  /** Local name of the root element. */
  readonly root: string
  /** Path of the products, by local names. */
  readonly item: string
  readonly flattening: Pick<Flattening, 'plainAttributes' | 'pairs'>
  /** Each product is an item of its own by its specification; elsewhere an item may hold variants. */
  readonly flat?: true
  /** Another export of the same root and items: a platform that the columns tell, and what it is called. */
  readonly or?: { readonly platform: string; readonly name: string }
  /** Columns whose numbers have a decimal point by its specification, where they are written with its prefix. */
  readonly pointed?: readonly string[]
  /**
   * What a reading learns from the elements that stand before the products; made anew for each reading.
   * @param google prefixes of Google's elements
   */
  readonly open: (google: ReadonlySet<string>) => Completion
}

export interface Completion {
  /** Paths of further elements that are wanted. */
  readonly also: readonly string[]
  learn(element: Element): void
  /** Fills cells that the format says elsewhere or otherwise. */
  complete(cells: Cells): void
  /** What was made or could not be, for people. */
  notes(): readonly string[]
}

const nothing: Completion = { also: [], learn() {}, complete() {}, notes: () => [] }
const plain: XmlFormat['flattening'] = { plainAttributes: false, pairs: [] }

/** The specification of product data asks for amounts such as `15.00 USD`, in ISO 4217, with a point. */
const googles: XmlFormat['pointed'] = ['price', 'sale_price']

export const xmlFormats: readonly XmlFormat[] = [
  {
    name: "Google's RSS",
    root: 'rss',
    item: '/rss/channel/item',
    pointed: googles,
    flattening: plain,
    flat: true,
    open: () => nothing,
  },
  {
    name: "Google's RSS 1.0",
    root: 'RDF',
    item: '/RDF/item',
    pointed: googles,
    flattening: plain,
    flat: true,
    open: () => nothing,
  },
  {
    name: "Google's Atom",
    root: 'feed',
    item: '/feed/entry',
    pointed: googles,
    flattening: plain,
    flat: true,
    open: (google) => ({ ...nothing, complete: (cells) => atomEntry(cells, google) }),
  },
  {
    name: "Heureka's feed",
    root: 'SHOP',
    item: '/SHOP/SHOPITEM',
    or: { platform: 'shoptet', name: "Shoptet's export" },
    flattening: {
      plainAttributes: false,
      pairs: [
        { element: 'PARAM', name: { child: 'PARAM_NAME' }, value: { child: 'VAL' }, unit: null },
        ...['PARAMETER', 'INFORMATION_PARAMETER', 'TEXT_PROPERTY'].map((element) => ({
          element,
          name: { child: 'NAME' },
          value: { child: 'VALUE' },
          unit: null,
        })),
      ],
    },
    open: () => nothing,
  },
  {
    name: "Yandex's YML",
    root: 'yml_catalog',
    item: '/yml_catalog/shop/offers/offer',
    flattening: {
      plainAttributes: true,
      pairs: [{ element: 'param', name: { attribute: 'name' }, value: null, unit: 'unit' }],
    },
    flat: true,
    open: () => {
      const categories = yandexCategories()
      const names = yandexName()
      return {
        also: [categories.path],
        learn: categories.learn,
        complete(cells) {
          categories.complete(cells)
          names.complete(cells)
        },
        notes: () => [...categories.notes(), ...names.notes()],
      }
    },
  },
  {
    name: "the Agentic Commerce Protocol's products, as Assay writes them in XML",
    root: acpRoot,
    item: `/${acpRoot}/product`,
    flattening: plain,
    flat: true,
    open: () => ({ ...nothing, complete: acpAmountCells }),
  },
]

/** A format that nobody has told us of. */
export const unknownFormat = (item: string): XmlFormat => ({
  name: 'XML',
  root: '',
  item,
  flattening: plain,
  open: () => nothing,
})
