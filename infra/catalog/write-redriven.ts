/** Writes what redrives did: each try is kept, and the rows of an import move from rejected to what they became. */
import type { PoolClient } from 'pg'
import type { Effect } from '../../transforms/apply.ts'
import type { BroughtBack, RedrivenRecord } from '../../transforms/ports.ts'
import { insertNotes, insertOutcome } from './import-ledger.ts'

/** In place of a partition: of the outcomes that redrives brought, each under the seq of its record. */
const redrivenPartition = -2

const triedSql = `
  with letter as (
    update dead_record
       set attempts = attempts + 1, state = case when $5::text is null then 'dead' else 'redriven' end,
           redriven_at = case when $5::text is null then null else now() end, kind = coalesce($6, kind), reason = coalesce($7, reason)
     where epoch = $1 and topic = $2 and partition = $3 and "offset" = $4 and state = 'dead'
    returning epoch, topic, partition, "offset", attempts, workspace_id, brand_id, catalog_id, kind)
  insert into dead_attempt (epoch, topic, partition, "offset", attempt, workspace_id, brand_id, catalog_id, job_id, by, effect, kind, reason)
  select epoch, topic, partition, "offset", attempts, workspace_id, brand_id, catalog_id, $8, $9, $5,
         case when $5::text is null then kind end, $7 from letter`

export async function writeRedriven(tx: PoolClient, epoch: number, redriven: readonly RedrivenRecord[]): Promise<void> {
  for (const one of redriven) {
    // The batch was computed from what it was: only who owns the partition brings one back.
    if (!(await noteTry(tx, one))) throw new Error(`dead record ${JSON.stringify(one.letter)} is not dead any more`)
    if (one.failed === undefined) await moveRows(tx, epoch, one)
  }
}

type Try = Pick<RedrivenRecord, 'letter' | 'job' | 'by'> &
  (
    | Pick<Extract<RedrivenRecord, { failed: object }>, 'failed'>
    | { readonly failed?: undefined; readonly effect: Effect }
  )

/** @returns false where it is not dead any more */
export async function noteTry(tx: PoolClient, one: Try): Promise<boolean> {
  const { letter, job, by, failed } = one
  const effect = failed === undefined ? one.effect : null
  const reason = failed?.reason.replaceAll('\0', '') ?? null
  const at = [letter.epoch, letter.topic, letter.partition, letter.offset]
  const { rowCount } = await tx.query(triedSql, [...at, effect, failed?.as ?? null, reason, job, by])
  return rowCount === 1
}

/** The rows that its death has noted as rejected are so no longer; a record that nobody could read at all has noted none. */
async function moveRows(tx: PoolClient, epoch: number, { record, effects, notes }: BroughtBack) {
  for (const effect of effects) {
    const { rowCount: rejected } = await tx.query(
      `delete from import_row where import_id = $1 and row_number = any ($2::bigint[]) and result = 'rejected' and code = 'unreadable_record'`,
      [effect.import, record.rows],
    )
    const scope = { importId: effect.import, workspace: effect.workspace, brand: effect.brand }
    await insertOutcome(
      tx,
      { ...scope, epoch, partition: redrivenPartition, firstSeq: record.seq },
      {
        ...effect.counts,
        ...{ rejected: -(rejected ?? 0), duplicate: 0, removed: effect.removed, warnings: effect.warnings },
      },
      effect.rows,
    )
    await insertNotes(tx, scope, notes)
  }
}
