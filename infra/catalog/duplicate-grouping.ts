/** Reads what hangs together through pairs and writes the groups of it: the third step in which duplicates are found. */
import type { PoolClient } from 'pg'
import type { Twin } from '../../transforms/duplicates/gather-groups.ts'
import type { DuplicateScope } from './duplicate-keys.ts'
import type { PairRow } from './duplicate-pairs.ts'

export async function nextToGroup(
  tx: PoolClient,
  catalog: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select product_id as id from duplicate_product
      where catalog_id = $1 and step = 2 and product_id > coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid
      order by product_id limit $3`,
    [catalog, after, limit],
  )
  return rows.map(({ id }) => id)
}

/** By pairs, and by the groups of now. */
const neighborsSql = `
  select b as id from duplicate_pair where catalog_id = $1 and a = any ($2::uuid[])
  union select a from duplicate_pair where catalog_id = $1 and b = any ($2::uuid[])
  union select o.product_id from duplicate_member m join duplicate_member o on o.catalog_id = $1 and o.group_id = m.group_id
         where m.catalog_id = $1 and m.product_id = any ($2::uuid[])`

/** All that hangs together with these; `whole` is false where that is more than `most`, and some of it was not looked at. */
export async function connectedTo(
  tx: PoolClient,
  catalog: string,
  ids: readonly string[],
  most: number,
): Promise<{ readonly ids: string[]; readonly whole: boolean }> {
  const found = new Set(ids)
  for (let edge = [...found]; edge.length > 0; ) {
    const { rows } = await tx.query<{ id: string }>(neighborsSql, [catalog, edge])
    edge = rows.map(({ id }) => id).filter((id) => !found.has(id))
    for (const id of edge) found.add(id)
    if (found.size > most) return { ids: [...found], whole: false }
  }
  return { ids: [...found], whole: true }
}

export interface Connected {
  readonly twins: readonly Twin[]
  readonly pairs: readonly PairRow[]
  /** Told apart by a person, as `a b`. */
  readonly apart: ReadonlySet<string>
}

export async function readConnected(tx: PoolClient, catalog: string, ids: readonly string[]): Promise<Connected> {
  const values = [catalog, ids]
  const twins = await tx.query<Twin>(
    `select product_id as id, traits ->> 'family' as family, traits ->> 'gtin' as gtin, md5((traits - 'family')::text) as rank from duplicate_product
      where catalog_id = $1 and product_id = any ($2::uuid[])`,
    values,
  )
  const pairs = await tx.query<PairRow>(
    'select a, b, reasons, confidence from duplicate_pair where catalog_id = $1 and a = any ($2::uuid[])',
    values,
  )
  const apart = await tx.query<{ a: string; b: string }>(
    'select a, b from duplicate_dismissal where catalog_id = $1 and a = any ($2::uuid[])',
    values,
  )
  return { twins: twins.rows, pairs: pairs.rows, apart: new Set(apart.rows.map(({ a, b }) => `${a} ${b}`)) }
}

interface Reasoned {
  readonly id: string
  readonly reasons: number
  readonly confidence: number
}
export interface GroupRow extends Reasoned {
  readonly members: readonly Reasoned[]
}

/** A group that is there already keeps the time when it was found. */
const groupSql = `
  insert into duplicate_group as g (catalog_id, workspace_id, brand_id, group_id, reasons, confidence)
  select $1, $2, $3, * from unnest($4::uuid[], $5::smallint[], $6::smallint[])
  on conflict (catalog_id, group_id) do update set reasons = excluded.reasons, confidence = excluded.confidence
   where (g.reasons, g.confidence) <> (excluded.reasons, excluded.confidence)`

const memberSql = `
  insert into duplicate_member (catalog_id, workspace_id, brand_id, product_id, group_id, reasons, confidence)
  select $1, $2, $3, * from unnest($4::uuid[], $5::uuid[], $6::smallint[], $7::smallint[])`

/** @param ids all that hangs together: what is in none of the groups is in none */
export async function keepGroups(
  tx: PoolClient,
  { catalog, workspace, brand }: DuplicateScope,
  ids: readonly string[],
  groups: readonly GroupRow[],
): Promise<void> {
  await tx.query(
    `with former as (
       delete from duplicate_member where catalog_id = $1 and product_id = any ($2::uuid[]) returning group_id)
     delete from duplicate_group where catalog_id = $1 and group_id in (select group_id from former) and group_id <> all ($3::uuid[])`,
    [catalog, ids, groups.map(({ id }) => id)],
  )
  if (groups.length > 0) {
    const of = [catalog, workspace, brand]
    await tx.query(groupSql, [...of, ...columnsOf(groups)])
    const members = groups.flatMap((group) => group.members.map((member) => ({ ...member, group: group.id })))
    const [products, ...why] = columnsOf(members)
    await tx.query(memberSql, [...of, products, members.map(({ group }) => group), ...why])
  }
  await tx.query(
    'update duplicate_product set step = 0 where catalog_id = $1 and product_id = any ($2::uuid[]) and step = 2',
    [catalog, ids],
  )
}

const columnsOf = (rows: readonly Reasoned[]) => [
  rows.map(({ id }) => id),
  rows.map(({ reasons }) => reasons),
  rows.map(({ confidence }) => confidence),
]

/** What hangs together so far that no groups can be told: its products are left ungrouped, and counted as skipped. */
export async function leaveUngrouped(tx: PoolClient, catalog: string, ids: readonly string[]): Promise<void> {
  await tx.query(
    'update duplicate_product set skipped = skipped + 1 where catalog_id = $1 and product_id = any ($2::uuid[])',
    [catalog, ids],
  )
}
