/** What people decide about an import: that a held one goes on or not, and that one is taken out of the catalog or back in. */
import type { Pool, PoolClient } from 'pg'
import type { GuardSeen } from '../../schemas/import.ts'
import { insertOutbox } from './outbox.ts'

/** With its event. @returns false where it was cancelled or given up meanwhile */
export async function stopHeld(tx: PoolClient, id: string, guard: GuardSeen): Promise<boolean> {
  const { rows } = await tx.query<HeldRow>(
    `update import set state = 'held', guard = $2 where import_id = $1 and state = 'reading'
     returning workspace_id as workspace, brand_id as brand, catalog_id as catalog, job_id as job, source, file_name as "fileName"`,
    [id, JSON.stringify(guard)],
  )
  const [held] = rows
  if (!held) return false
  const { workspace, brand, catalog, job, source, fileName } = held
  const named = { import_id: id, job_id: job, catalog_id: catalog, source, file_name: fileName }
  const event = { kind: 'import.held', cause: `held:${id}`, workspace, brand, catalog }
  await insertOutbox(tx, { ...event, body: { ...named, reasons: guard.reasons } })
  return true
}

interface HeldRow {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly job: string
  readonly source: string
  readonly fileName: string
}

export interface Deciding {
  readonly state: string
  readonly appended: boolean
  readonly changeJob: string | null
  /** A later import of this source is completed, or on its way beyond waiting. */
  readonly overtaken: boolean
}

/** Held until the transaction ends, so that two who decide at once decide once. */
export async function holdForDecision(tx: PoolClient, id: string): Promise<Deciding | null> {
  const { rows } = await tx.query<Deciding>(
    `select state, offsets is not null as appended, change_job as "changeJob",
            exists (select from import o
                     where o.catalog_id = i.catalog_id and o.source = i.source and (o.created_at, o.import_id) > (i.created_at, i.import_id)
                       and o.undone_at is null and o.state in ('completed', 'reading', 'appending', 'settling')) as overtaken
       from import i where import_id = $1 for update of i`,
    [id],
  )
  return rows[0] ?? null
}

/** It goes on as another job. */
export async function releaseImport(tx: PoolClient, id: string, job: string): Promise<void> {
  const sql = `update import set state = 'waiting', job_id = $2, released_at = now() where import_id = $1`
  await tx.query(sql, [id, job])
}

export async function discardImport(tx: PoolClient, id: string): Promise<void> {
  await tx.query(`update import set state = 'discarded', finished_at = now() where import_id = $1`, [id])
}

export async function beginChange(tx: PoolClient, id: string, job: string): Promise<void> {
  await tx.query('update import set change_job = $2 where import_id = $1', [id, job])
}

export async function endChange(tx: PoolClient, job: string, undone: boolean): Promise<void> {
  await tx.query(
    'update import set change_job = null, undone_at = case when $2 then coalesce(undone_at, now()) end where change_job = $1',
    [job, undone],
  )
}

/** What it had done stays, and the import can be changed again. */
export async function giveChangeUp(client: Pool | PoolClient, job: string): Promise<void> {
  await client.query('update import set change_job = null where change_job = $1', [job])
}
