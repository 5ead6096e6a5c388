/** Takes Postgres away under a running import and publish, by -9 and by stopping it for a while, and says what was lost or came twice. */
import { setTimeout as sleep } from 'node:timers/promises'
import { assayFolder } from './assay-process.ts'
import { ended, feedFaults, ledgerFaults, newCatalog, publish, sendFile, storeFaults } from './exact.ts'
import { mulberry32 } from './mulberry.ts'
import { supplierFile } from './supplier-file.ts'

export interface StopPostgres {
  readonly rows: number
  readonly kills: number
  readonly seed: number
  readonly say: (text: string) => void
}

/** Longer than a job's heartbeat, so that its job is taken for dead while its handler waits. */
const frozenMs = 25_000
const betweenMs = 3_000

/** @returns what is wrong in the end; nothing when the promise is kept */
export async function stopPostgres({ rows, kills, seed, say }: StopPostgres): Promise<string[]> {
  const random = mulberry32(seed)
  const file = supplierFile(rows)
  const ground = await assayFolder()
  const takeAway = async (n: number) => {
    await sleep(random() * betweenMs)
    if (n % 4 === 1) {
      say(`Postgres stands still for ${frozenMs / 1000} s`)
      await ground.signalPostgres('SIGSTOP')
      await sleep(frozenMs)
      await ground.signalPostgres('SIGCONT')
    } else {
      say('Postgres is killed')
      await ground.signalPostgres('SIGKILL')
    }
  }
  try {
    const assay = await ground.start()
    const catalog = await newCatalog(assay)
    const job = await sendFile(assay, file, catalog)
    const half = Math.ceil(kills / 2)
    for (let n = 0; n < half; n++) await takeAway(n)
    const first = await ended(assay, job)
    const faults = ledgerFaults(first, file, 'created')
    faults.push(...(await storeFaults(await ground.databaseUrl(), catalog, first.result?.importId ?? '', file)))
    say('the import has ended')

    const publishing = await publish(assay, catalog)
    for (let n = half; n < kills; n++) await takeAway(n)
    const published = await ended(assay, publishing)
    say('the publish has ended')
    if (published.result?.added !== file.products.length)
      faults.push(`the publish is ${published.status}: ${JSON.stringify(published.result ?? published.error)}`)
    faults.push(...(await feedFaults(assay, catalog, file)))

    const again = await ended(assay, await sendFile(assay, file, catalog))
    faults.push(...ledgerFaults(again, file, 'unchanged').map((fault) => `the second time ${fault}`))
    assay.signal('SIGTERM')
    const code = await assay.ended
    if (code !== 0) faults.push(`it ended with ${code}`)
    return faults
  } finally {
    await ground.signalPostgres('SIGCONT')
    await ground.clear()
  }
}
