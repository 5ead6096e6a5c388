/** What suppliers call their columns in one language: for every field that a file can have a column for. */
import type { Field } from '../../../schemas/product.ts'

/** Options are gathered by the reader from what a platform calls them, and no file deletes. */
export type NamedField = Exclude<Field, 'options' | 'deleted'>

/** Names stand between bars, the more telling first; case, accents, camel case and marks make no difference. */
export type ColumnNames = Readonly<Record<NamedField, string>>
