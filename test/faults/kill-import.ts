/** Kills Assay with -9 again and again while it imports and publishes, and says what was lost or came twice. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../infra/catalog/postgres.ts'
import { type AssayFolder, type AssayProcess, assayFolder } from './assay-process.ts'
import { ended, feedFaults, ledgerFaults, newCatalog, publish, sendFile, storeFaults } from './exact.ts'
import { mulberry32 } from './mulberry.ts'
import { supplierFile } from './supplier-file.ts'

export interface KillImport {
  readonly rows: number
  /** How often, spread over the phases. */
  readonly kills: number
  readonly seed: number
  readonly say: (text: string) => void
}

/** Where a kill strikes; a state of the import's row, or of the publish. */
const phases = ['reading', 'appending', 'settling', 'building'] as const
type Phase = (typeof phases)[number]
/** A kill comes this long after its phase began, at most: enough to reach the middle of the longest. */
const spreadMs: Record<Phase, number> = { reading: 900, appending: 1_500, settling: 250, building: 1_500 }

/** @returns what is wrong in the end; nothing when the promise is kept */
export async function killImport({ rows, kills, seed, say }: KillImport): Promise<string[]> {
  const random = mulberry32(seed)
  const file = supplierFile(rows)
  const ground = await assayFolder()
  try {
    let assay = await ground.start()
    const catalog = await newCatalog(assay)
    const job = await sendFile(assay, file, catalog)
    const strike = async (phase: Phase, n: number, of: string): Promise<AssayProcess> => {
      const met = await meet(ground, phase, of)
      const afterMs = Math.round(random() * spreadMs[phase])
      if (met) await sleep(afterMs)
      const withPostgres = n % 2 === 1
      say(
        `kill ${n + 1}: ${met ? `${afterMs} ms into ${phase}` : `after ${phase}`}${withPostgres ? ', with Postgres' : ''}`,
      )
      await Promise.all([assay.kill(), withPostgres ? ground.signalPostgres('SIGKILL') : null])
      const killedAt = Date.now()
      const next = await ground.start()
      say(`  ready again after ${Date.now() - killedAt} ms`)
      return next
    }
    const importKills = Math.ceil((kills * 3) / 4)
    for (let n = 0; n < importKills; n++) assay = await strike(phases[n % 3] ?? 'reading', n, job)
    const first = await ended(assay, job)
    say('the import has ended')
    const faults = ledgerFaults(first, file, 'created')
    const url = await ground.databaseUrl()
    faults.push(...(await storeFaults(url, catalog, first.result?.importId ?? '', file)))

    const publishing = await publish(assay, catalog)
    for (let n = importKills; n < kills; n++) assay = await strike('building', n, publishing)
    const published = await ended(assay, publishing)
    say('the publish has ended')
    if (published.status !== 'completed' || published.result?.added !== file.products.length)
      faults.push(`the publish is ${published.status}: ${JSON.stringify(published.result ?? published.error)}`)
    faults.push(...(await feedFaults(assay, catalog, file)))

    const again = await ended(assay, await sendFile(assay, file, catalog))
    say('the second import has ended')
    faults.push(...ledgerFaults(again, file, 'unchanged').map((fault) => `the second time ${fault}`))
    assay.signal('SIGTERM')
    const code = await assay.ended
    if (code !== 0) faults.push(`it ended with ${code}`)
    return faults
  } finally {
    await ground.clear()
  }
}

const stateSql = `
  select j.status, coalesce(p.state, i.state) as state
    from job j left join import i on i.job_id = j.job_id left join publish p on p.job_id = j.job_id where j.job_id = $1`

/** Waits until the job of this run has come to the phase. @returns false where it ended before that */
async function meet(ground: AssayFolder, phase: Phase, job: string): Promise<boolean> {
  const client = await connect(await ground.databaseUrl())
  try {
    // What the row says at first is where the killed run was; a run that goes on begins by reading.
    let begun = phase === 'building'
    for (;;) {
      const { rows } = await client.query<{ status: string; state: string }>(stateSql, [job])
      const { status, state } = rows[0] ?? {}
      if (status === 'completed' || status === 'failed') return false
      begun ||= state === 'reading'
      if (begun && state === phase) return true
      await sleep(4)
    }
  } finally {
    await client.end()
  }
}
