/** Kills Assay with -9 again and again while it imports and publishes, and says what was lost or came twice. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../infra/catalog/postgres.ts'
import { type AssayFolder, assayFolder } from './assay-process.ts'
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
  const ground = await assayFolder()
  const faults: string[] = []
  let struck = 0
  try {
    let assay = await ground.start()
    const catalog = await newCatalog(assay)
    /** @returns false where the job ended before its phase came, and nothing was killed */
    const strike = async (phase: Phase, job: string): Promise<boolean> => {
      if (!(await meet(ground, phase, job))) return false
      const afterMs = Math.round(random() * spreadMs[phase])
      await sleep(afterMs)
      const withPostgres = struck % 2 === 1
      say(`kill ${++struck}: ${afterMs} ms into ${phase}${withPostgres ? ', with Postgres' : ''}`)
      await Promise.all([assay.kill(), withPostgres ? ground.signalPostgres('SIGKILL') : null])
      const killedAt = performance.now()
      assay = await ground.start()
      say(`ready again after ${Math.round(performance.now() - killedAt)} ms`)
      return true
    }

    // An import is over after a few kills, since each run goes on where the last one was: the next edition of the file follows.
    const importKills = Math.ceil((kills * 3) / 4)
    let file = supplierFile(rows)
    for (let edition = 0; edition === 0 || struck < importKills; edition++) {
      file = supplierFile(rows, edition)
      const job = await sendFile(assay, file, catalog)
      while (struck < importKills && (await strike(phases[struck % 3] ?? 'reading', job))) {}
      const imported = await ended(assay, job)
      say(`edition ${edition} is imported`)
      const found = [
        ...ledgerFaults(imported, file, edition === 0 ? 'created' : 'updated'),
        ...(await storeFaults(await ground.databaseUrl(), catalog, imported.result?.importId ?? '', file)),
      ]
      faults.push(...found.map((fault) => `edition ${edition}: ${fault}`))
    }

    const publishing = await publish(assay, catalog)
    while (struck < kills && (await strike('building', publishing))) {}
    const published = await ended(assay, publishing)
    say('it is published')
    if (published.status !== 'completed' || published.result?.added !== file.products.length)
      faults.push(`the publish is ${published.status}: ${JSON.stringify(published.result ?? published.error)}`)
    faults.push(...(await feedFaults(assay, catalog, file)))

    const again = await ended(assay, await sendFile(assay, file, catalog))
    faults.push(...ledgerFaults(again, file, 'unchanged').map((fault) => `the same file again: ${fault}`))
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
