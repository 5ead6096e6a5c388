/** What a person is told: of jobs of theirs that ended, so far. Under policy; each query is for one recipient. */
import type { PoolClient } from 'pg'

export interface NotificationRow {
  readonly id: string
  /** Orders those of one recipient as they were committed. */
  readonly seq: number
  readonly brand: string
  readonly kind: string
  readonly job: string | null
  readonly title: string
  readonly text: string
  readonly createdAt: Date
  readonly readAt: Date | null
}

const columns = `notification_id as id, seq, brand_id as brand, kind, job_id as job, title, says as text, created_at as "createdAt", read_at as "readAt"`

/** Newest first. @param after the id that the page before ended with */
export async function listNotifications(
  tx: PoolClient,
  subject: string,
  { unread, after }: { unread: boolean; after: string | null },
  limit: number,
): Promise<NotificationRow[]> {
  const { rows } = await tx.query<NotificationRow>(
    `select ${columns} from notification
      where subject = $1 and (not $2 or read_at is null)
        and ($3::uuid is null or seq < (select seq from notification where notification_id = $3 and subject = $1))
      order by seq desc limit $4`,
    [subject, unread, after, limit],
  )
  return rows
}

/** In order. */
export async function notificationsSince(
  tx: PoolClient,
  subject: string,
  seq: number,
  limit: number,
): Promise<NotificationRow[]> {
  const { rows } = await tx.query<NotificationRow>(
    `select ${columns} from notification where subject = $1 and seq > $2 order by seq limit $3`,
    [subject, seq, limit],
  )
  return rows
}

/** @param id null: the newest that there is @returns null for an id that is none of the recipient's */
export async function placeOfNotification(tx: PoolClient, subject: string, id: string | null): Promise<number | null> {
  if (id === null) {
    const sql = 'select coalesce(max(seq), 0)::bigint as seq from notification where subject = $1'
    return (await tx.query<{ seq: number }>(sql, [subject])).rows[0]?.seq ?? 0
  }
  const sql = 'select seq from notification where subject = $1 and notification_id = $2'
  return (await tx.query<{ seq: number }>(sql, [subject, id])).rows[0]?.seq ?? null
}

/** Read once, it stays as it was read. */
export async function readNotification(tx: PoolClient, subject: string, id: string): Promise<NotificationRow | null> {
  const { rows } = await tx.query<NotificationRow>(
    `update notification set read_at = coalesce(read_at, now()) where subject = $1 and notification_id = $2 returning ${columns}`,
    [subject, id],
  )
  return rows[0] ?? null
}

/** @returns how many were unread */
export async function readAllNotifications(tx: PoolClient, subject: string): Promise<number> {
  const sql = 'update notification set read_at = now() where subject = $1 and read_at is null'
  return (await tx.query(sql, [subject])).rowCount ?? 0
}
