/** A webhook becomes inactive: what waits is missed, and a mail and a notification say so, in the transaction of the last attempt. */
import type { PoolClient } from 'pg'
import type { InactiveReason } from '../../schemas/webhook.ts'
import { missWaiting } from './webhooks.ts'

/** Before their turns are held: who deletes one takes them in this order too. */
export async function holdForEnd(tx: PoolClient, webhooks: readonly string[]): Promise<void> {
  const sql = 'select from webhook where webhook_id = any ($1::uuid[]) order by webhook_id for no key update'
  await tx.query(sql, [webhooks])
}

/** To who made it; where no address of theirs is known, to the owners. */
const endSql = `
  with ended as (
    update webhook set state = 'inactive', reason = $2, inactive_at = now(), rev = rev + 1, updated_at = now()
     where webhook_id = $1 and state = 'active' returning webhook_id, workspace_id, brand_id, created_by),
  known as (
    select m.email, m.subject = e.created_by as own from ended e join member m on m.workspace_id = e.workspace_id
     where m.email is not null and (m.subject = e.created_by or m.role = 'owner')),
  told as (
    insert into notification (workspace_id, brand_id, subject, kind, title, says)
    select workspace_id, brand_id, created_by, 'webhook.inactive', $3, $4 from ended),
  mailed as (
    insert into mail (workspace_id, recipient, subject, body)
    select e.workspace_id, r.email, $3, $4 from ended e, (
      select distinct email from known where own or not exists (select from known where own)) r)
  select count(*)::int as n from ended`

export async function endWebhook(
  tx: PoolClient,
  webhook: string,
  reason: InactiveReason,
  { title, says }: { title: string; says: string },
): Promise<void> {
  await tx.query(endSql, [webhook, reason, title, says])
  await missWaiting(tx, webhook)
}
