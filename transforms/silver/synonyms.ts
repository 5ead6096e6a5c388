/** Column names met in suppliers' files, per field, in order of preference: the first that a header has gives the field. */
import { type Field, fieldNames } from '../../schemas/product.ts'
import type { ColumnNames } from './synonyms/column-names.ts'
import { cs } from './synonyms/cs.ts'
import { de } from './synonyms/de.ts'
import { en } from './synonyms/en.ts'
import { es } from './synonyms/es.ts'
import { fr } from './synonyms/fr.ts'
import { further, weak } from './synonyms/further.ts'
import { it } from './synonyms/it.ts'
import { ja } from './synonyms/ja.ts'
import { nl } from './synonyms/nl.ts'
import { pl } from './synonyms/pl.ts'
import { pt } from './synonyms/pt.ts'
import { ru } from './synonyms/ru.ts'
import { zh } from './synonyms/zh.ts'

/** By ISO 639-1; the order decides where one name means two fields in two languages. */
export const languages = { en, de, fr, es, pt, it, nl, pl, cs, ru, ja, zh } as const satisfies Record<
  string,
  ColumnNames
>

export interface Synonym {
  readonly name: string
  readonly field: Field
  /** Any better name for the field is taken before it, and so is what its values say it is. */
  readonly weak: boolean
}

const namesIn = (table: Partial<ColumnNames>, field: Field, isWeak: boolean): Synonym[] =>
  ((table as Partial<Record<Field, string>>)[field]?.split('|') ?? []).map((name) => ({ name, field, weak: isWeak }))

export const synonyms: readonly Synonym[] = fieldNames.flatMap((field) => [
  ...[...Object.values(languages), further].flatMap((table) => namesIn(table, field, false)),
  ...namesIn(weak, field, true),
])
