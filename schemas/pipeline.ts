/** What travels on the log, and what a product's layers look like: the vocabulary that ingest and the transforms share. */
import type { Field, ProductKind } from './product.ts'

/** A raw value exactly as its source gave it; a list where one field came from several cells or rows. */
export type CellValue = string | readonly string[]
/** Raw cells by column name. An absent column and a blank cell say nothing. */
export type Cells = Readonly<Record<string, CellValue>>

/** The literal that clears a value; a blank cell changes nothing (KF-06). */
export const clearWord = '__CLEAR__'
/** In place of a row of a file: the cell was taken from the family when its parent was edited, or when another source told the parent. */
export const familyRow = 0
/** The source of what a variant takes from a parent that another file tells: the weakest of all, and no listing of its own. */
export const familySource = 'family'
/** A reserved column: the options that tell a variant from its siblings, as a JSON object of name to value. */
export const optionsColumn = 'assay:options'

/**
 * `put` says cells; `withdraw` ends its source's layer; `void` and `unvoid` take one import's records out of a product and
 * back in; `redrive` counts a dead record at its original position.
 */
export type RecordOp = 'put' | 'withdraw' | 'void' | 'unvoid' | 'redrive'

/** One record: one product of one import, edit or page, complete in itself. The log key is `product`. */
export interface BronzeRecord {
  readonly v: 1
  readonly op: RecordOp
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly product: string
  /** Who says so: `api`, `url`, `hub:…`, `check:images`, `family`, or a file source's name. */
  readonly source: string
  /** SHA-256 over workspace, catalog and the deciding identifier, lowercase hex. */
  readonly sid: string
  /** The import that appended it, absent for edits. For `void` and `unvoid`: the import whose records are meant. */
  readonly import?: string
  /** Number of the import context; 0 where columns are our own field names. */
  readonly context: number
  /** Place in the gathered order of its import, from 0; -1 outside imports. */
  readonly seq: number
  /** Rows of the file whose result is this record's; empty where the file has none (a parent made from its variants). */
  readonly rows: readonly number[]
  readonly kind: ProductKind
  /** Product id of the family's parent; absent for singles. */
  readonly family?: string
  /** Cells that a variant takes from its family, and the row they stand in. */
  readonly inherited?: { readonly row: number; readonly columns: readonly string[] }
  /** Identity has just made this id: no row can exist for it. */
  readonly fresh?: true
  /** A create through the API: keeps the product alive without a file, and brings a deleted one back. */
  readonly create?: true
  /** An edit that names a group or leaves one: it says anew what the product is, also that it is a single. */
  readonly regroups?: true
  /** Of a redrive: where the dead record stands, of the same product; of a tenant's message, between which records it came. */
  readonly origin?: Position
  /** Of a redrive of what a tenant wrote to a topic of its own: which message (of epoch 0, unless said), and the record that is made of it by now. */
  readonly letter?: Omit<Position, 'epoch'> & { readonly topic: string; readonly epoch?: number }
  readonly says?: BronzeRecord
  /** Offset of the last record that changed a cell, as the caller saw it; judged once, by the worker. */
  readonly ifRev?: number
  /** The epoch of that offset; absent in records from before the log was ever moved. */
  readonly ifEpoch?: number
  readonly ifAbsent?: true
  /** ISO 8601, UTC. */
  readonly at: string
  readonly by?: string
  /** The bulk job that appended it, which is told what the record did. */
  readonly job?: string
  /** Of a bulk job on a log apart from the catalog: its number among all that the job appended, by which a repeat is known. */
  readonly once?: { readonly of: string; readonly number: number }
  /** Where Assay took the cells from: a product of another catalog or version. `version` null: its working state. */
  readonly from?: { readonly catalog: string; readonly version: number | null; readonly product: string }
  readonly cells: Cells
}

/** Where a record stands on the log. A product's records share a partition within an epoch, so (epoch, offset) orders them. */
export interface Position {
  readonly epoch: number
  readonly partition: number
  readonly offset: number
}

/** Where a cell's value was first said: provenance of a value. `import` null for edits, `row` null where no file row stands behind it. */
export interface Origin {
  readonly epoch: number
  readonly offset: number
  readonly import: string | null
  readonly context: number
  readonly row: number | null
}

/** What a source says a product is in its family, and where it first said so. A single: an edit took it out of its group. */
export interface FamilyWord {
  readonly kind: ProductKind
  readonly family: string | null
  readonly epoch: number
  readonly offset: number
  /** Of a parent without a row of its own: `made` of its variants, or `apart`, where other files of the source had its row. */
  readonly told?: 'made' | 'apart'
}

/** What one source last said. `by` gives the index into `from` for each cell that is not from index 0. */
export interface Layer {
  readonly source: string
  /** False after `withdraw`: its values are remembered and count for nothing. */
  readonly live: boolean
  /** A create record stands behind it. */
  readonly created: boolean
  readonly cells: Cells
  readonly from: readonly Origin[]
  readonly by: Readonly<Record<string, number>>
  /** That the product is one of a family; absent where its source knows of none, and in layers stored before this was kept. */
  readonly says?: FamilyWord
  /** Values that voided records said since the last counting one, by column, as [JSON of the value, origin] pairs. */
  readonly ghosts?: Readonly<Record<string, readonly (readonly [string, Origin])[]>>
}

/** The merged state of one product. `rev` is the offset of the last record that changed a cell (in `epoch`). */
export interface Layers {
  readonly kind: ProductKind
  readonly family: string | null
  readonly epoch: number
  readonly rev: number
  readonly layers: readonly Layer[]
}

/** How a column's numbers are written. `decimal` null: no cell of the column told, so a lone separator is ambiguous. */
export interface NumberFormat {
  readonly decimal: '.' | ',' | null
  readonly reason: string
  /** Its texts contradict each other: `decimal` then is a guess from nearly all of them, or null. Contexts stored before went by the majority. */
  readonly mixed?: true
  /** Set where the decimal mark is a point whatever the workspace's setting says; contexts stored before it was known have none. */
  readonly point?: CertainPoint
}

/** `numbers`: the file has numbers as numbers, not as texts. `format`: the specification of the file's format says so. */
export interface CertainPoint {
  readonly by: 'numbers' | 'format'
  /** The decimal mark of the column's texts, as far as they tell; a comma can stand in them alone. */
  readonly texts: '.' | ',' | null
  /** Some text has a lone point: in a cell it looks like a number, and may mean thousands. */
  readonly lonePoints: boolean
  /** Some text has an exponent, which in a cell looks like a number's. */
  readonly exponents: boolean
}

/** The currency that a column's amounts are in where the cell itself does not say. `guess` is reported. */
export interface ColumnCurrency {
  readonly code: string
  readonly reason: string
  readonly guess: boolean
  /** Nothing in the file says it: the workspace's currency wins. */
  readonly byPlatform?: true
}

/** How a column's dates are written where their numbers alone do not tell. `order` null: no cell of the column told. */
export interface ColumnDates {
  readonly order: 'day first' | 'month first' | null
  readonly reason: string
  /** Its cells contradict each other: then no setting decides either. */
  readonly mixed?: true
}

/** Which language a column's texts are in, by a sample of its cells. */
export interface ColumnLanguage {
  /** ISO 639-1; null where the sample does not tell. */
  readonly language: string | null
  /** 0 to 1. */
  readonly confidence: number
  readonly reason: string
}

type ContextMapping = Readonly<Record<string, { readonly field: Field; readonly reason: string }>>

/** What pass one learned about a file; immutable and numbered. Context 0 is our own field names. */
export interface ImportContext {
  readonly id: number
  readonly platform: string
  readonly header: readonly string[]
  /**
   * Target of each mapped column and why, as the file was read: identities and families are made by it. Columns without an
   * entry stay raw.
   */
  readonly mapping: ContextMapping
  /**
   * The same without what the workspace's settings said then: fields are merged by it under the settings of now. Absent
   * where it is no other.
   */
  readonly proposed?: ContextMapping
  /** Columns that mean a field which another column gives, and say it where that one is blank; absent where there are none. */
  readonly fills?: Readonly<Record<string, Field>>
  readonly numbers: Readonly<Record<string, NumberFormat>>
  readonly currencies: Readonly<Record<string, ColumnCurrency>>
  /** Contexts stored before they were looked at have neither of these. */
  readonly dates?: Readonly<Record<string, ColumnDates>>
  readonly languages?: Readonly<Record<string, ColumnLanguage>>
  /** Columns of measures none of whose cells has a unit, nor anything beside them, with how many there are. */
  readonly unitless?: Readonly<Record<string, number>>
  /** How the file was read (encoding, delimiter …) and how its source was chosen, for people. */
  readonly notes: readonly string[]
}

/** The workspace's numbered settings, as silver needs them. */
export interface SilverSettings {
  readonly number: number
  /** Column to field, by source name; wins over the context's mapping. */
  readonly mappings: Readonly<Record<string, Readonly<Record<string, Field>>>>
  /** Column to field for every source that does not say otherwise. */
  readonly everySource?: Readonly<Record<string, Field>>
  /** Fills a gap, never relabels an amount. */
  readonly currency: string | null
  /** Wins over evidence where set. */
  readonly decimal: '.' | ',' | null
  /** `{sku}`, `{id}` and `{handle}` are replaced; fills a missing link. */
  readonly linkTemplate: string | null
  readonly condition: 'new' | 'refurbished' | 'used' | null
  /** Google's category by the shop's path, its names with ` > ` between them; fills a missing one. */
  readonly categories?: Readonly<Record<string, string>>
  /** The files of Google's taxonomy that a process had when it set these in force; what they say is not kept here. */
  readonly taxonomy?: string
  /** BCP 47; how people of the workspace read dates that a column leaves open. */
  readonly locale?: string
  /** Whose days and hours are meant where no zone is written: a name of the IANA time zone database, or an offset. UTC where not said. */
  readonly timeZone?: string
  /** Whether new cells are refined, and refined products graded, unasked; on where it is not said. */
  readonly autoSilver?: boolean
  readonly autoGold?: boolean
}

/** One thing a person should know about a value: where it stands and what would be right. */
export interface CellWarning {
  readonly code: string
  readonly field: Field
  readonly column: string
  readonly raw: string
  readonly says: string
  /** It is so of all of the column, and told there: a row is counted and has no note of its own. */
  readonly ofColumn?: true
}

/** One mapped value that won over all layers, with everything that reading it needs from its own layer. */
export interface FieldCell {
  readonly field: Field
  readonly column: string
  readonly value: CellValue
  readonly source: string
  readonly origin: Origin
}

/** The layers of a product seen through their mappings: what silver reads. */
export interface MergedFields {
  /** The mapped cell with the newest change over all live layers; null where no source says anything or the newest says clear. */
  get(field: Field): FieldCell | null
  /** What the layer that a cell came from says of another field: an amount's currency, a measure's unit. */
  beside(cell: FieldCell, field: Field): FieldCell | null
  /** What a check of the product's images last said of them; it speaks of no field, so no mapping leads to it. */
  readonly imageChecks?: string | undefined
  /** Present cells of live layers that are mapped to nothing, newest first by column. */
  unmapped(): readonly { readonly column: string; readonly value: CellValue }[]
}
