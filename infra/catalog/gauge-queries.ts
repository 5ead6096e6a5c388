/** What operators watch of the whole system: imports, jobs and dead letters by state. Never under a tenant, never in an answer to one. */
import type { Pool } from 'pg'

export interface StateCount {
  readonly kind: string
  readonly state: string
  readonly count: number
}

/** Ended ones of the last day only: tables grow for ever, and what is watched is what happens now. */
export async function countStates(pool: Pool): Promise<StateCount[]> {
  const { rows } = await pool.query<StateCount>(
    `select 'import' as kind, state, count(*) as count from import
      where finished_at is null or finished_at > now() - interval '1 day' group by state
      union all
     select 'dead_letter', state, count(*) from dead_record where at > now() - interval '1 day' group by state
      union all
     select 'job:' || kind, status, count(*) from job
      where finished_at is null or finished_at > now() - interval '1 day' group by kind, status`,
  )
  return rows
}
