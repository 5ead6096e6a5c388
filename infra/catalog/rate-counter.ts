/** Counts windows of requests in Postgres, where several nodes serve one database: the same limits whichever node is asked. */
import { hash } from 'node:crypto'
import type { Pool } from 'pg'

interface Window {
  readonly key: string
  readonly limit: number
  readonly seconds: number
}

/** A window opens with its key's first request; a key over its limit is not counted further. */
const hitSql = `
  insert into rate_counter as r (key, window_start, hits) values ($1, to_timestamp($4::double precision / 1000), 1)
  on conflict (key) do update set
    window_start = case when r.window_start <= excluded.window_start - make_interval(secs => $3) then excluded.window_start else r.window_start end,
    hits = case when r.window_start <= excluded.window_start - make_interval(secs => $3) then 1 else least(r.hits + 1, $2 + 1) end
  returning hits, round((extract(epoch from window_start) + $3) * 1000)::bigint as "endsMs"`

const giveBackSql = 'update rate_counter set hits = hits - 1 where key = any ($1) and hits > 1'
/** The one that opened its window: no window is opened by a request that is refused. */
const closeSql = 'delete from rate_counter where key = any ($1) and hits <= 1'

/** Subjects of tokens have any length; an index entry has not. */
const stored = (key: string) => hash('sha256', key, 'base64url')

export function sharedCounter(pool: Pool) {
  const hitOne = async ({ key, limit, seconds }: Window, nowMs: number) => {
    const { rows } = await pool.query<{ hits: number; endsMs: number }>(hitSql, [stored(key), limit, seconds, nowMs])
    const [row] = rows
    if (!row) throw new Error('the window was not counted')
    return { limit, ...row }
  }
  return {
    /** One after another; what a later window refuses is given back to the earlier ones. */
    async hit(windows: readonly Window[], nowMs: number) {
      const counted: { limit: number; hits: number; endsMs: number }[] = []
      for (const window of windows) {
        const one = await hitOne(window, nowMs)
        counted.push(one)
        if (one.hits <= window.limit) continue
        const passed = [windows.slice(0, counted.length - 1).map(({ key }) => stored(key))]
        if (counted.length > 1) {
          await pool.query(closeSql, passed)
          await pool.query(giveBackSql, passed)
        }
        return counted
      }
      return counted
    },
    /** Windows that ended long ago. */
    async sweep(): Promise<void> {
      await pool.query(`delete from rate_counter where window_start < now() - interval '2 hours'`)
    },
  }
}
