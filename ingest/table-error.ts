/** A file that cannot be read as a table of products: the whole file is refused, in one sentence for the person who sent it. */

export type TableErrorCode =
  /** No bytes, no header or no data rows. */
  | 'empty_file'
  /** The bytes are no text that we can decode. */
  | 'not_text'
  /** Text, but neither delimited rows nor one JSON object a line, nor XML with products. */
  | 'not_a_table'
  | 'unreadable_header'
  | 'repeated_header'
  | 'too_many_columns'
  /** Readable, but nothing in it says which product a row is. */
  | 'no_columns'
  /** A mapping names a column that the file does not have. */
  | 'unknown_column'
  /** Two columns are mapped to one field that takes one. */
  | 'mapping_conflict'
  | 'bad_mapping'
  | 'source_name'
  | 'source_tie'
  /** Withdrawing what is missing was asked for, of a file that is not all there is. */
  | 'not_a_snapshot'
  | 'too_large'
  /** The address of the file answered with something else. */
  | 'http_status'
  /** It lies in another data folder, or in none any more. */
  | 'no_file'
  /** The workbook has no sheet of the name or number that the caller gave. */
  | 'no_sheet'
  /** More than the workspace's plan takes; the code is that of the API. */
  | 'PLAN_LIMIT'

export class TableError extends Error {
  readonly code: TableErrorCode
  /** What is wrong, and what to do. */
  readonly says: string

  constructor(code: TableErrorCode, says: string) {
    super(says)
    this.code = code
    this.says = says
  }
}
