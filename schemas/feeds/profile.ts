/** What a platform asks of a product, and how Assay writes one for it: the shapes of feed rules and feed profiles. */
import type { Field, RefinedProduct } from '../product.ts'

/** A product as feeds see it: with the two ids that no refined field holds alone. */
export interface FeedProduct {
  /** The SKU, else the product id. */
  readonly id: string
  /** The parent's SKU, else the family's key; null for a single. */
  readonly itemGroupId: string | null
  readonly product: RefinedProduct
  /** When it is judged, ISO 8601: by that its dates are past, or too far ahead. */
  readonly at: string
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
export const feedPlatformNames = [...platformNames] as const
export type FeedPlatform = (typeof feedPlatformNames)[number]

export interface PlatformRules {
  readonly platform: FeedPlatform
  /** Grows when a rule changes; stored lines and verdicts name the version they were made with. The rubric's grows with it. */
  readonly version: number
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
  /** Up to the first item, with {title} and {link} where it says whose feed it is. */
  readonly head: string
  readonly tail: string
  readonly item: string
  /** Before the names of attributes, but for the bare ones. */
  readonly prefix?: string
  readonly bare?: readonly string[]
  /** Keys that are attributes of their element, by its name; the key \`value\` beside them is its text. */
  readonly attributes?: Readonly<Record<string, readonly string[]>>
  /** Whether objects become elements inside their element; they are JSON text where not. */
  readonly nested?: true
}

export interface FeedProfile extends PlatformRules {
  /** What the platform itself takes. */
  readonly native: FeedForm
  /** Every attribute that a line may have, in the order of a line: the header of tables. */
  readonly columns: readonly string[]
  readonly table: FeedTable
  readonly xml: FeedXml
  /** The product in the platform's own attribute names, always in the same order; unknown attributes are left out. */
  line(p: FeedProduct): Record<string, unknown>
}
