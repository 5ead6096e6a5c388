/** The audit log: who changed what, when, by which request, and what it was before and after; written in the change's own transaction. */
import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { kept } from './kept.ts'

export interface AuditEntry {
  readonly workspace: string
  /** null: of the whole workspace, and read by those who have all brands. */
  readonly brand: string | null
  readonly subject: string
  readonly action: string
  readonly target: string
  readonly requestId: string
  /** Never a secret; null where there was or is nothing. */
  readonly before: object | null
  readonly after: object | null
}

export interface AuditRow extends Omit<AuditEntry, 'workspace'> {
  readonly id: string
  readonly at: Date
  /** `at` to the microsecond, which a Date cannot hold. */
  readonly micros: number
}

export interface AuditFilter {
  readonly action?: string | undefined
  readonly subject?: string | undefined
  readonly since?: Date | undefined
}

export async function insertAudit(tx: PoolClient, entry: AuditEntry): Promise<void> {
  await tx.query(
    kept(
      `insert into audit (audit_id, workspace_id, brand_id, subject, action, target, request_id, before, after)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        randomUUID(),
        entry.workspace,
        entry.brand,
        entry.subject,
        entry.action,
        entry.target,
        entry.requestId,
        entry.before && JSON.stringify(entry.before),
        entry.after && JSON.stringify(entry.after),
      ],
    ),
  )
}

/** Newest first. @param after the place that the page before ended with */
export async function listAudit(
  tx: PoolClient,
  { action, subject, since }: AuditFilter,
  after: { readonly micros: number; readonly id: string } | null,
  limit: number,
): Promise<AuditRow[]> {
  const { rows } = await tx.query<AuditRow>(
    `select audit_id as id, brand_id as brand, at, (extract(epoch from at) * 1000000)::bigint as micros, subject, action, target,
            request_id as "requestId", before, after
       from audit
      where ($1::text is null or action = $1) and ($2::text is null or subject = $2) and ($3::timestamptz is null or at >= $3)
        and ($4::bigint is null or (at, audit_id) < (to_timestamp(0) + $4 * interval '1 microsecond', $5::uuid))
      order by at desc, audit_id desc limit $6`,
    [action ?? null, subject ?? null, since ?? null, after?.micros ?? null, after?.id ?? null, limit],
  )
  return rows
}
