/** What one batch of a file comes to: results that the reader gives by itself, and the records of all other rows; an import appends them, a preview folds them. */
import type { Identities } from '../infra/catalog/identities.ts'
import type { Outcome, RowNote } from '../infra/catalog/import-ledger.ts'
import type { ImportRow } from '../infra/catalog/imports.ts'
import type { BronzeRecord, ImportContext } from '../schemas/pipeline.ts'
import { openRows, type PackedRows } from '../transforms/row-results.ts'
import { editRecord } from './edit.ts'
import { kinds, unit, valueHash } from './identifiers.ts'
import type { Found, Resolution } from './identity.ts'
import type { Judged } from './judged.ts'
import type { Run } from './pass-one.ts'
import { ambiguous, note, type ReaderResults, readerResults } from './reader-results.ts'
import { recordOf } from './record.ts'

/** A SKU that differs from another of its file only by case. */
export interface CaseOnly {
  readonly sku: string
  readonly other: string
  readonly row: number
}

/** @param cased told with the first batch */
export function ownResults(
  batch: readonly Judged[],
  cased: readonly CaseOnly[],
  mapping: ImportContext['mapping'],
): ReaderResults {
  const own = readerResults(batch, mapping)
  for (const { sku, other, row: at } of cased) {
    const says = `SKU "${sku}" differs from "${other}" of this file only by case; they are kept as two products`
    own.notes.push({
      row: at,
      ordinal: 1,
      result: 'warning',
      code: 'sku_case',
      says,
      field: 'sku',
      column: null,
      raw: sku,
    })
    own.outcome.warnings.sku_case = (own.outcome.warnings.sku_case ?? 0) + 1
  }
  return own
}

/** @param parents products of the families' parents; goes from one batch to the next */
export async function batchRecords(
  { row, recordContext }: Pick<Run, 'row' | 'recordContext'>,
  identities: Identities,
  own: ReaderResults,
  resolution: Resolution,
  parents: Map<string, string>,
  at: string,
): Promise<{ outcome: Outcome; notes: RowNote[]; records: BronzeRecord[]; rows: PackedRows }> {
  const outcome = { ...own.outcome, removed: 0, warnings: own.outcome.warnings }
  const notes = [...own.notes]
  const scope = { workspace: row.workspace, brand: row.brand, catalog: row.catalog, by: row.by ?? '' }
  // No row of the file is theirs, and none of their import's records.
  const records: BronzeRecord[] = (resolution.beside ?? []).map(({ id, sid, cells, says }) => ({
    ...editRecord(scope, id, sid, cells, says),
    at,
  }))
  const rows = openRows()
  let group: string | undefined
  for (const found of resolution.found) {
    const { candidate, product, refused, same } = found
    group = found.namesGroup ?? group
    if (product === null) {
      outcome.rejected += candidate.rows.length
      if (refused) {
        const { code, says, ...at } = refused
        notes.push(...candidate.rows.map((row) => ({ ...note(row, 'rejected', code, says), ...at })))
      } else notes.push(...ambiguous(candidate))
      continue
    }
    const [first] = candidate.rows
    if (group !== undefined && first !== undefined) {
      const told = note(first, 'warning', 'names_group', noProduct(group))
      notes.push({ ...told, ordinal: ofGroup, field: 'sku', raw: group })
      outcome.warnings.names_group = (outcome.warnings.names_group ?? 0) + 1
      group = undefined
    }
    if (same) {
      // A family whose parent is left as it is leads its variants to it all the same.
      if (candidate.kind === 'parent') await parentOf(found, row, identities, parents)
      outcome.unchanged += candidate.rows.length
      for (const at of candidate.rows) rows.add(at, 'unchanged')
      continue
    }
    records.push(recordOf(found, row, recordContext.id, await parentOf(found, row, identities, parents), at))
  }
  return { outcome, notes, records, rows: rows.packed() }
}

/** Behind all other notes of a row. */
const ofGroup = 1_000

/** Told at the first row of the group, whose parent may have none. */
const noProduct = (sku: string) =>
  `"${sku}" is a product's SKU and names a group: the product is the group's parent from now on, and in no feed; give one of the two another name if they are not the same`

/** The family's product: its parent comes first in the order, or was appended before a restart. */
async function parentOf(
  { candidate, product }: Found,
  row: ImportRow,
  identities: Identities,
  parents: Map<string, string>,
): Promise<string | null> {
  const family = candidate.ids.family
  if (candidate.kind === 'single' || family === null || product === null) return null
  if (candidate.kind === 'parent') {
    parents.clear()
    parents.set(family, product)
    return product
  }
  const known = parents.get(family)
  if (known) return known
  const wanted = { kind: kinds.family, hash: valueHash(kinds.family, `${family}${unit}parent`) }
  const [holder] = await identities.find(row.catalog, [wanted])
  if (holder) parents.set(family, holder.product)
  return holder?.product ?? null
}
