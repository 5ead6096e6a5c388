/** Which cell of a row decides which product it is: where two rows are one product, that is the cell to look at. */
import type { ImportContext } from '../schemas/pipeline.ts'
import type { Field } from '../schemas/product.ts'
import { idColumn } from '../transforms/versions/export-row.ts'
import type { Candidate } from './candidate.ts'
import { shownText } from './shown-text.ts'
import type { SharedFlags } from './verdicts.ts'

/** As DESIGN 5.3 has them; the family's key comes from no one column. */
const kinds: readonly (readonly [kind: keyof SharedFlags, field: Field | null])[] = [
  ['sku', 'sku'],
  ['sourceId', 'source_id'],
  ['family', null],
  ['gtin', 'gtin'],
  ['mpnBrand', 'mpn'],
  ['url', 'link'],
]

/** @param shared identifiers that stand on several products, and so decide nothing */
export function decidingCell(
  { ids, cells, edits }: Pick<Candidate, 'ids' | 'cells' | 'edits'>,
  shared: SharedFlags | null,
  mapping: ImportContext['mapping'],
): { column: string; raw: string } | null {
  if (edits) return { column: idColumn, raw: edits }
  const [, field] = kinds.find(([kind]) => ids[kind] !== null && shared?.[kind] !== true) ?? []
  if (!field) return null
  const column = Object.keys(mapping).find((name) => mapping[name]?.field === field && Object.hasOwn(cells, name))
  return column === undefined ? null : { column, raw: shownText([cells[column] ?? ''].flat().join(' ')) }
}
