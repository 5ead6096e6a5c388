/** The formats in which a catalog is taken out, each of which can be imported again. */

export const exportFormatNames = ['csv', 'ndjson', 'xlsx', 'parquet', 'arrow'] as const
export type ExportFormat = (typeof exportFormatNames)[number]

export const exportFormats: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.stream',
}
