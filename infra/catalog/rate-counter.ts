/** Counts windows of requests in Postgres, where several nodes serve one database: the same limits whichever node is asked. */
import type { Pool } from 'pg'

/** A window opens with its key's first request; a key over its limit is not counted further. */
const hitSql = `
  insert into rate_counter as r (key, window_start, hits) values ($1, to_timestamp($4::double precision / 1000), 1)
  on conflict (key) do update set
    window_start = case when r.window_start <= excluded.window_start - make_interval(secs => $3) then excluded.window_start else r.window_start end,
    hits = case when r.window_start <= excluded.window_start - make_interval(secs => $3) then 1 else least(r.hits + 1, $2 + 1) end
  returning hits, ceil(extract(epoch from window_start) + $3)::bigint as "resetAt"`

export function sharedCounter(pool: Pool) {
  return {
    async hit(key: string, limit: number, windowSeconds: number, nowMs: number) {
      const { rows } = await pool.query<{ hits: number; resetAt: number }>(hitSql, [key, limit, windowSeconds, nowMs])
      const row = rows[0]
      if (!row) throw new Error('the window was not counted')
      return { limit, hits: row.hits, resetAt: row.resetAt }
    },
    /** Windows that ended long ago. */
    async sweep(): Promise<void> {
      await pool.query(`delete from rate_counter where window_start < now() - interval '2 hours'`)
    },
  }
}
