/** Mail that lies ready since the transaction of its cause, and is sent at least once. */
import type { Pool } from 'pg'

export interface DueMail {
  readonly id: string
  /** null: it is not about one. */
  readonly job: string | null
  readonly recipient: string
  readonly subject: string
  readonly body: string
  /** With this one. */
  readonly attempts: number
}

/** See `DueWork`. */
export const isMailDue = "exists (select from mail where state = 'waiting' and next_at <= now())"

/** Nobody else takes it while it is being sent; one whose sender died is due again after its wait: 10 s, 20 s, … an hour. */
const takeSql = `
  update mail set attempts = attempts + 1, next_at = now() + least(interval '10 seconds' * power(2, attempts), interval '1 hour')
   where mail_id = (
     select mail_id from mail where state = 'waiting' and next_at <= now() order by next_at for update skip locked limit 1)
  returning mail_id as id, job_id as job, recipient, subject, body, attempts`

export async function takeMail(pool: Pool): Promise<DueMail | null> {
  return (await pool.query<DueMail>(takeSql)).rows[0] ?? null
}

export async function mailSent(pool: Pool, id: string): Promise<void> {
  await pool.query(`update mail set state = 'sent', sent_at = now(), error = null where mail_id = $1`, [id])
}

/** @param last it is not tried again */
export async function mailFailed(pool: Pool, id: string, error: string, last: boolean): Promise<void> {
  await pool.query(
    `update mail set error = $2, state = case when $3 then 'failed' else state end where mail_id = $1 and state = 'waiting'`,
    [id, error.slice(0, 500), last],
  )
}

/** Who was told long ago need not be reminded of it. */
export async function sweepTold(pool: Pool, days: number): Promise<void> {
  await pool.query(`delete from mail where state <> 'waiting' and created_at < now() - make_interval(days => $1)`, [
    days,
  ])
  await pool.query('delete from notification where created_at < now() - make_interval(days => $1)', [days])
}
