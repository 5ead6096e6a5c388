/** Groups of duplicates as the API reads them, the surest first. Under policy. */
import type { PoolClient } from 'pg'

export interface DuplicateMemberRow {
  readonly productId: string
  readonly sku: string | null
  readonly title: string | null
  readonly reasons: number
  readonly confidence: number
}

export interface DuplicateGroupRow {
  readonly id: string
  readonly reasons: number
  readonly confidence: number
  readonly foundAt: Date
  readonly members: readonly DuplicateMemberRow[]
}

interface Place {
  readonly confidence: number
  readonly id: string
}

const groupColumns = 'group_id as id, reasons, confidence, found_at as "foundAt"'

/** @param bit of a reason that one of the members has at least; 0 for any */
export async function listDuplicates(
  tx: PoolClient,
  catalog: string,
  bit: number,
  after: Place | null,
  limit: number,
): Promise<DuplicateGroupRow[]> {
  const { rows } = await tx.query<Omit<DuplicateGroupRow, 'members'>>(
    `select ${groupColumns} from duplicate_group
      where catalog_id = $1 and ($2::int = 0 or reasons & $2::int <> 0)
        and ($3::smallint is null or confidence <= $3 and (confidence < $3 or group_id > $4))
      order by confidence desc, group_id limit $5`,
    [catalog, bit, after?.confidence ?? null, after?.id ?? null, limit],
  )
  return withMembers(tx, catalog, rows)
}

export async function findDuplicates(tx: PoolClient, catalog: string, id: string): Promise<DuplicateGroupRow | null> {
  const { rows } = await tx.query<Omit<DuplicateGroupRow, 'members'>>(
    `select ${groupColumns} from duplicate_group where catalog_id = $1 and group_id = $2`,
    [catalog, id],
  )
  return (await withMembers(tx, catalog, rows))[0] ?? null
}

async function withMembers(
  tx: PoolClient,
  catalog: string,
  groups: readonly Omit<DuplicateGroupRow, 'members'>[],
): Promise<DuplicateGroupRow[]> {
  const { rows } = await tx.query<DuplicateMemberRow & { readonly group: string }>(
    `select m.group_id as group, m.product_id as "productId", p.sku, p.title, m.reasons, m.confidence
       from duplicate_member m join products p on p.catalog_id = m.catalog_id and p.product_id = m.product_id
      where m.catalog_id = $1 and m.group_id = any ($2::uuid[]) and p.alive order by m.product_id`,
    [catalog, groups.map(({ id }) => id)],
  )
  const members = Map.groupBy(rows, (row) => row.group)
  return groups.map((group) => ({ ...group, members: members.get(group.id) ?? [] }))
}

export interface DuplicateState {
  /** null before the first round has ended. */
  readonly settledAt: Date | null
  readonly skipped: number
}

export async function duplicateState(tx: PoolClient, catalog: string): Promise<DuplicateState> {
  const { rows } = await tx.query<DuplicateState>(
    'select settled_at as "settledAt", skipped from duplicate_state where catalog_id = $1',
    [catalog],
  )
  return rows[0] ?? { settledAt: null, skipped: 0 }
}
