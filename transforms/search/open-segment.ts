/** A segment as a query reads it: columns and postings that are at hand, and which of its documents the asked version no longer has. */
import { unpackColumns } from './pack-columns.ts'
import type {
  BaseColumns,
  CodedColumn,
  ColumnGroup,
  ListColumn,
  OfferColumns,
  PopularityColumns,
  SegmentColumns,
} from './segment-columns.ts'

export interface OpenSegment {
  readonly catalog: string
  readonly documents: number
  /** Those that the question needs. */
  readonly columns: Pick<SegmentColumns, 'base'> & Partial<SegmentColumns>
  /** 1 where the document is none of the version; null: all are. */
  readonly gone: Uint8Array | null
  postings(term: string): Uint32Array | null
}

type Unpacked = ReturnType<typeof unpackColumns>

const readers = {
  base: ([ids, scores, states, titleWords]: Unpacked) =>
    ({ ids, scores, states, titleWords }) as unknown as BaseColumns,
  offer: ([prices, currencies, valid, created, sales, currencyCodes]: Unpacked) =>
    ({ prices, currencies, valid, created, sales, currencyCodes }) as unknown as OfferColumns,
  brand: ([codes, values]: Unpacked) => ({ codes, values }) as unknown as CodedColumn,
  category: ([codes, values]: Unpacked) => ({ codes, values }) as unknown as CodedColumn,
  popularity: ([points, trends]: Unpacked) => ({ points, trends }) as unknown as PopularityColumns,
  attributes: ([offsets, codes, values]: Unpacked) => ({ offsets, codes, values }) as unknown as ListColumn,
} as const satisfies Record<ColumnGroup, (unpacked: Unpacked) => unknown>

export const readColumns = <G extends ColumnGroup>(group: G, packed: Uint8Array): SegmentColumns[G] =>
  readers[group](unpackColumns(packed)) as SegmentColumns[G]
