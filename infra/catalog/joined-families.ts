/** Families that two sources tell together, or that edits made and products have left: which there are, which have changed, and their members by key pages. Of the pipeline's role. */
import type { Pool, PoolClient } from 'pg'
import type { Layers } from '../../schemas/pipeline.ts'
import type { ProductKind, RefinedProduct } from '../../schemas/product.ts'
import type { ProductWrite } from '../../transforms/ports.ts'

/** A product that was written, as far as its family is asked. */
export type FamilyWord = Pick<
  ProductWrite,
  'workspace' | 'brand' | 'catalog' | 'product' | 'kind' | 'family' | 'joined' | 'movedIn'
>

/**
 * In the transaction that writes the products. Families are named whether joined or not: whether one is can be said only when
 * all batches are there, and asking here would cost every batch more than a row.
 */
export async function writeFamilies(tx: PoolClient, writes: readonly FamilyWord[]): Promise<void> {
  const due = new Map<string, { readonly owner: FamilyWord; families: Set<string>; joined: Set<string> }>()
  for (const write of writes) {
    const { kind, catalog, joined = false, movedIn = [] } = write
    if (kind === 'single' && !joined && movedIn.length === 0) continue
    const found = due.get(catalog) ?? { owner: write, families: new Set(), joined: new Set() }
    due.set(catalog, found)
    const own = (kind === 'variant' && write.family) || write.product
    if (kind !== 'single' || joined) found.families.add(own)
    if (joined) found.joined.add(own)
    for (const family of movedIn) {
      found.families.add(family)
      found.joined.add(family)
    }
  }
  for (const [catalog, { owner, families, joined }] of due) {
    const scope = [catalog, owner.workspace, owner.brand]
    if (joined.size > 0) await tx.query(joinSql, [...scope, [...joined].sort()])
    await tx.query('insert into family_due (catalog_id, workspace_id, brand_id, family_ids) values ($1, $2, $3, $4)', [
      ...scope,
      [...families],
    ])
  }
}

const joinSql = `
  insert into joined_family (catalog_id, workspace_id, brand_id, family_id)
  select $1, $2, $3, f.id from unnest($4::uuid[]) as f (id)
   where not exists (select from joined_family j where j.catalog_id = $1 and j.family_id = f.id)
  on conflict do nothing`

/** See `startWhenDue`. */
export const areFamiliesDue = 'exists (select from family_due) or exists (select from joined_family where due)'

/** Catalogs in which something is due, and no import is writing: its families follow when it ends. */
export async function catalogsWithDue(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ catalog: string }>(
    `select c.catalog_id as catalog from catalog c
      where c.deleted_at is null
        and c.catalog_id in (select catalog_id from family_due union select catalog_id from joined_family where due)
        and not exists (select from import i where i.catalog_id = c.catalog_id and i.state in ('appending', 'settling'))
      limit 20`,
  )
  return rows.map(({ catalog }) => catalog)
}

/** Whether a catalog has families at all, and whether any of them is due: also one that somebody has taken and not committed yet. */
export async function familiesOf(pool: Pool, catalog: string): Promise<{ some: boolean; due: boolean }> {
  const { rows } = await pool.query<{ some: boolean; due: boolean }>(
    `select exists (select from products where catalog_id = $1 and family_id is not null)
              or exists (select from joined_family where catalog_id = $1) as some,
            exists (select from family_due where catalog_id = $1)
              or exists (select from joined_family where catalog_id = $1 and due) as due`,
    [catalog],
  )
  return rows[0] ?? { some: false, due: false }
}

export interface FamilyPage {
  readonly workspace: string
  readonly brand: string
  readonly family: string
  /** The product of this id, which is its parent or has been. */
  readonly head: Head | null
  /** Told with the first page alone. */
  readonly isFirst: boolean
  readonly members: readonly Member[]
}

export interface Head {
  readonly kind: ProductKind
  readonly alive: boolean
  readonly sid: string
  readonly layers: Layers
  readonly refined: RefinedProduct | null
}

export interface Member {
  readonly id: string
  readonly sid: string
  readonly kind: string
  readonly layers: Layers
  readonly options: Readonly<Record<string, string>>
}

/** Rows of batches that are taken at once, and families of which members are read. */
const mostRows = 100
const mostFamilies = 200

/** One process at a time looks after a catalog's families. @returns null where nothing is due, or the catalog is deleted */
export async function takeFamilies(tx: PoolClient, catalog: string, limit: number): Promise<FamilyPage[] | null> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('families:' || $1, 0))`, [catalog])
  const taken = await markDue(tx, catalog)
  const { rows: due } = await tx.query<DueRow>(dueSql, [catalog, mostFamilies])
  if (due.length === 0) return taken === mostRows ? [] : null
  const { rows } = await tx.query<MemberRow>(memberSql, [
    catalog,
    due.map(({ family }) => family),
    due.map(({ after }) => after),
    limit,
  ])
  const last = rows.length === limit ? rows.at(-1) : undefined
  const done = due.filter(({ family }) => last === undefined || family < last.family)
  await tx.query(doneSql, [catalog, done.map(({ family }) => family)])
  if (last) await tx.query(partlySql, [catalog, last.family, last.id])
  const members = Map.groupBy(rows, ({ family }) => family)
  const looked = due.filter((one) => members.has(one.family) || done.includes(one))
  return looked.map(({ family, workspace, brand, after, kind, alive, sid, layers, refined }) => ({
    ...{ workspace, brand, family, isFirst: after === null },
    head: layers === null ? null : { kind, alive, sid, layers: read(layers), refined },
    members: (members.get(family) ?? []).map((row) => ({ ...row, layers: read(row.layers) })),
  }))
}

const doneSql =
  'update joined_family set due = false, after_id = null where catalog_id = $1 and family_id = any ($2::uuid[])'
const partlySql = 'update joined_family set after_id = $3 where catalog_id = $1 and family_id = $2'

/** Of the families that batches named, those that are joined; the others are forgotten. */
async function markDue(tx: PoolClient, catalog: string): Promise<number> {
  const { rows } = await tx.query<{ n: number }>(
    `with taken as (
       delete from family_due where due_id = any (array(
         select due_id from family_due where catalog_id = $1 order by due_id limit ${mostRows})) returning family_ids),
     marked as (
       update joined_family j set due = true, after_id = null
         from (select distinct unnest(family_ids) as id from taken) f
        where j.catalog_id = $1 and j.family_id = f.id)
     select count(*)::int as n from taken`,
    [catalog],
  )
  return rows[0]?.n ?? 0
}

interface DueRow {
  readonly workspace: string
  readonly brand: string
  readonly family: string
  readonly after: string | null
  readonly kind: ProductKind
  readonly alive: boolean
  readonly sid: string
  /** null where there is no such product, and the three before it too. */
  readonly layers: Buffer | null
  readonly refined: RefinedProduct | null
}

/** Settings are numbered from 1: a row under 0 was never refined. */
const dueSql = `
  select j.workspace_id as workspace, j.brand_id as brand, j.family_id as family, j.after_id as after, p.kind, p.alive,
         encode(p.source_identifier, 'hex') as sid, p.layers,
         case when p.settings_number > 0 then p.refined end as refined
    from joined_family j
    left join products p on p.catalog_id = j.catalog_id and p.product_id = j.family_id
   where j.catalog_id = $1 and j.due
     and exists (select from catalog c where c.catalog_id = $1 and c.deleted_at is null)
   order by j.family_id limit $2`

type MemberRow = Omit<Member, 'layers'> & { readonly family: string; readonly layers: Buffer }

/** One that has left a family is a family of its own here. */
const memberSql = `
  select f.id as family, p.product_id as id, encode(p.source_identifier, 'hex') as sid, p.kind, p.layers,
         coalesce(p.refined -> 'options', '{}') as options
    from unnest($2::uuid[], $3::uuid[]) as f (id, after)
    cross join lateral (
      select * from products v
       where v.catalog_id = $1 and v.family_id = f.id and v.kind = 'variant' and v.alive
         and (f.after is null or v.product_id > f.after)
      union all
      select * from products v where v.catalog_id = $1 and v.product_id = f.id and v.kind <> 'parent' and f.after is null
       order by product_id limit $4) p
   order by f.id, p.product_id limit $4`

const read = (bytes: Buffer): Layers => JSON.parse(bytes.toString())
