/** What a platform asks of a product, and how Assay writes one for it: the shapes of feed rules and feed profiles. */
import type { Field, RefinedProduct } from '../product.ts'
import type { Shape } from './shapes.ts'

/** A product as feeds see it: with the two ids that no refined field holds alone. */
export interface FeedProduct {
  /** The SKU, else the product id. */
  readonly id: string
  /** The parent's SKU, else the family's key; null for a single. */
  readonly itemGroupId: string | null
  readonly product: RefinedProduct
  /** When it is judged, ISO 8601: by that its dates are past, or too far ahead. */
  readonly at: string
  /** Of the feed that it is written for; grades have none. */
  readonly settings?: FeedSettings
}

/** What the one who sets up a feed says for all its lines, and no product can say. */
export interface FeedSettings {
  /** Who sells, as buyers know the shop: OpenAI takes no line without it. */
  readonly sellerName?: string
  /** Meta: preorder and backorder go out as in stock, since its present reference of feeds has no words for them. */
  readonly foldsWaiting?: boolean
  /** Lists stand in one column of a table, also where the platform's have several of one name. */
  readonly listsInOneColumn?: boolean
  /** Amazon: for which marketplace and in which language the listing is, as in `en_US`, and its product type. */
  readonly marketplaceId?: string
  readonly languageTag?: string
  readonly productType?: string
}

/** One reason why the platform refuses a product. */
export interface FeedProblem {
  /** The attribute as the platform names it. */
  readonly field: string
  /** A sentence for the merchant: what is wrong, and what would be right. */
  readonly reason: string
  /** As its rule says. */
  readonly mends?: Field
}

/** One attribute, and for what the platform refuses a product over it. */
export interface PlatformRule {
  readonly field: string
  /** What the platform asks, in its own limits. */
  readonly asks: string
  /** The page that says so. */
  readonly source: string
  /** The field of ours that has to be mended, where it is another than the attribute's own: a price lacks its currency. */
  readonly mends?: Field
  /** What is wrong and what would be right; null where the attribute may go out. */
  broken(p: FeedProduct): string | null
}

/** Platforms whose verdict is part of every grade. */
export const platformNames = ['google', 'meta', 'openai'] as const
export type Platform = (typeof platformNames)[number]

/** All platforms that feeds are written for. */
export const feedPlatformNames = [
  ...platformNames,
  'acp',
  'pinterest',
  'tiktok',
  'microsoft',
  'amazon',
  'heureka',
  'yandex',
] as const

export interface PlatformRules {
  /** One of the platforms' names, or that of a workspace's own profile. */
  readonly platform: string
  /** Grows when a rule changes; stored lines and verdicts name the version they were made with. The rubric's grows with the present one. */
  readonly version: number
  /** Of one that the platform has announced: the day from which it asks that. */
  readonly from?: string
  /** Other names under which callers may ask for the platform. */
  readonly aliases: readonly string[]
  readonly rules: readonly PlatformRule[]
}

/** A platform that grades ask: they say whether it would take the product. */
export interface GradedPlatform extends PlatformRules {
  readonly platform: Platform
  /** A power of two: the platform's bit in a grade's `valid`. Never used again for another. */
  readonly bit: number
}

export const feedForms = ['csv', 'tsv', 'xml', 'ndjson'] as const
export type FeedForm = (typeof feedForms)[number]

/** How a line becomes a row of a table. */
export interface FeedTable {
  /** Between the values of a list in one cell; a value that holds it stands in quotes. */
  readonly listSeparator: string
  /** Lists that stand in several columns of the same name instead, one value each: how many columns. */
  readonly repeated?: Readonly<Record<string, number>>
  /** Where the platform knows no quotes: a cell's tabs and line breaks are spaces then. */
  readonly unquoted?: true
  /** Of a table's file, where the platform asks for another than that of the form. */
  readonly extension?: string
}

/** How a line becomes an element of a document. */
export interface FeedXml {
  /** Up to the first item, with {title}, {link}, {date} and {categories} where it describes the feed. */
  readonly head: string
  readonly tail: string
  readonly item: string
  /** Before the names of attributes, but for the bare ones. */
  readonly prefix?: string
  readonly bare?: readonly string[]
  /** Keys that are attributes of their element, by its name; the key \`value\` beside them is its text. */
  readonly attributes?: Readonly<Record<string, readonly string[]>>
  /** Objects become elements inside their element; where this is not said, they are JSON text. */
  readonly nested?: true
}

export interface FeedProfile extends PlatformRules {
  /** What the platform itself takes. */
  readonly native: FeedForm
  /** Every attribute that a line may have, in the order of a line: the header of tables. */
  readonly columns: readonly string[]
  readonly table: FeedTable
  readonly xml: FeedXml
  /** What a line must look like: a JSON Schema made from the same data as the line. */
  readonly schema: Shape
  /** The product in the platform's own attribute names, always in the same order; unknown attributes are left out. */
  line(p: FeedProduct): Record<string, unknown>
  /** Of a workspace's own whose rules write the id: which attribute it is. A platform's own is one product's alone. */
  readonly named?: string
  /** Of a workspace's own: the line with what is refused of it, since rules of its own may mend that; null: they leave the product out. */
  shaped?(p: FeedProduct): { readonly line: Record<string, unknown>; readonly problems: readonly FeedProblem[] } | null
}
