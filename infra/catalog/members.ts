/** Members of a workspace: who has which role, over which brands. Under policy. */
import type { PoolClient } from 'pg'
import type { Role } from '../../schemas/access.ts'

export interface MemberRow {
  readonly subject: string
  readonly email: string | null
  readonly name: string | null
  readonly role: Role
  readonly allBrands: boolean
  readonly brandIds: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = `subject, email, name, role, all_brands as "allBrands", brand_ids as "brandIds", created_at as "createdAt", updated_at as "updatedAt"`

export type Membership = Pick<MemberRow, 'role' | 'allBrands' | 'brandIds'>

export async function listMembers(tx: PoolClient, after: string | null, limit: number): Promise<MemberRow[]> {
  const { rows } = await tx.query<MemberRow>(
    `select ${columns} from member where $1::text is null or subject collate "C" > $1 order by subject collate "C" limit $2`,
    [after, limit],
  )
  return rows
}

export async function findMember(tx: PoolClient, subject: string): Promise<MemberRow | null> {
  return (await tx.query<MemberRow>(`select ${columns} from member where subject = $1`, [subject])).rows[0] ?? null
}

/** Of the whole workspace, also those that the principal does not see. */
export async function countMembers(tx: PoolClient): Promise<number> {
  const { rows } = await tx.query<{ members: number }>('select assay_member_count() as members')
  return rows[0]?.members ?? 0
}

/** @throws a unique violation where the subject is a member, whether or not the principal sees it */
export async function insertMember(
  tx: PoolClient,
  m: Membership & { workspace: string; subject: string; email: string | null; name: string | null; by: string },
): Promise<MemberRow> {
  const { rows } = await tx.query<MemberRow>(
    `insert into member (workspace_id, subject, email, name, role, all_brands, brand_ids, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`,
    [m.workspace, m.subject, m.email, m.name, m.role, m.allBrands, m.brandIds, m.by],
  )
  const row = rows[0]
  if (!row) throw new Error('the member was not made')
  return row
}

export async function updateMember(tx: PoolClient, subject: string, m: Membership): Promise<MemberRow | null> {
  const { rows } = await tx.query<MemberRow>(
    `update member set role = $2, all_brands = $3, brand_ids = $4, updated_at = now() where subject = $1 returning ${columns}`,
    [subject, m.role, m.allBrands, m.brandIds],
  )
  return rows[0] ?? null
}

export async function deleteMember(tx: PoolClient, subject: string): Promise<void> {
  await tx.query('delete from member where subject = $1', [subject])
}
