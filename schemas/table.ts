/** A small table of an answer, and the formats in which it is taken out. */
import { exportFormats } from './export.ts'

export const tableFormatNames = ['csv', 'parquet', 'arrow'] as const
export type TableFormat = (typeof tableFormatNames)[number]

export const tableFormats: Readonly<Record<TableFormat, string>> = {
  csv: exportFormats.csv,
  parquet: exportFormats.parquet,
  arrow: exportFormats.arrow,
}

/** `long` are whole numbers. */
export type ColumnKind = 'text' | 'long' | 'double'

export interface Table {
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[]
  /** Cells in the order of the columns; nothing and an empty text are two things. */
  readonly rows: readonly (readonly (string | number | null)[])[]
}
