/** A workspace's policy as its keepers read and set it. Under policy of the database. */
import type { PoolClient } from 'pg'
import type { Policy } from './access-queries.ts'

const columns = `ip_allow as "ipAllow", session_minutes as "sessionMinutes", require_second_factor as "requireSecondFactor"`
const open: Policy = { ipAllow: [], sessionMinutes: null, requireSecondFactor: false }

/** What holds where none was ever set is that everything is open. */
export async function readPolicy(tx: PoolClient): Promise<Policy> {
  return (await tx.query<Policy>(`select ${columns} from workspace_policy`)).rows[0] ?? open
}

export async function writePolicy(tx: PoolClient, workspace: string, policy: Policy, by: string): Promise<void> {
  await tx.query(
    `insert into workspace_policy as p (workspace_id, ip_allow, session_minutes, require_second_factor, updated_by)
     values ($1, $2, $3, $4, $5)
     on conflict (workspace_id) do update set ip_allow = excluded.ip_allow, session_minutes = excluded.session_minutes,
       require_second_factor = excluded.require_second_factor, updated_by = excluded.updated_by, updated_at = now()`,
    [workspace, policy.ipAllow, policy.sessionMinutes, policy.requireSecondFactor, by],
  )
}
