/** The record of one found product as it goes on the log. */
import type { ImportRow } from '../infra/catalog/imports.ts'
import type { BronzeRecord } from '../schemas/pipeline.ts'
import type { Found } from './identity.ts'

/** @param family product id of the family's parent @param at ISO 8601, UTC */
export function recordOf(
  { candidate, product, sid, fresh, create, says }: Found,
  row: Pick<ImportRow, 'workspace' | 'brand' | 'catalog' | 'source' | 'id'>,
  context: number,
  family: string | null,
  at: string,
): BronzeRecord {
  if (product === null) throw new Error(`candidate ${candidate.seq} has no product`)
  return {
    v: 1,
    op: 'put',
    workspace: row.workspace,
    brand: row.brand,
    catalog: row.catalog,
    product,
    source: row.source,
    sid,
    import: row.id,
    context,
    seq: candidate.seq,
    rows: candidate.rows,
    kind: candidate.kind,
    ...(family !== null ? { family } : {}),
    ...(candidate.inherited ? { inherited: candidate.inherited } : {}),
    ...(fresh ? { fresh: true } : {}),
    ...(create ? { create } : {}),
    ...(says ? { ...says, regroups: true } : {}),
    at,
    cells: candidate.cells,
  }
}
