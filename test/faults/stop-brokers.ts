/** Takes brokers of three away under a running import, one after the other, cuts them off, fills the disk of one, and stops who consumes; says what was lost or came twice. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../kafka/brokers.ts'
import { type CuttableCluster, cuttableCluster } from '../kafka/cuttable-cluster.ts'
import { assayFolder } from './assay-process.ts'
import { ended, ledgerFaults, newCatalog, sendFile, storeFaults } from './exact.ts'
import { mulberry32 } from './mulberry.ts'
import { type SmallDisk, smallDisk } from './small-disk.ts'
import { supplierFile } from './supplier-file.ts'

export interface StopBrokers {
  readonly rows: number
  readonly kills: number
  readonly seed: number
  readonly say: (text: string) => void
}

/** Every leader that a broker has is another's by then. */
const awayMs = 6_000
const betweenMs = 3_000
/** Past its session, which is ten seconds. */
const stoppedMs = 12_000
const diskMegabytes = 400

/** @returns what is wrong in the end; nothing when the promise is kept */
export async function stopBrokers({ rows, kills, seed, say }: StopBrokers): Promise<string[]> {
  const random = mulberry32(seed)
  const disk = await smallDisk(diskMegabytes)
  if (typeof disk === 'string') say(`no broker becomes full: ${disk}`)
  const cluster = await cuttableCluster({ size: 3, folders: typeof disk === 'string' ? {} : { 1: disk.folder } })
  const ground = await assayFolder(undefined, { KAFKA_BROKERS: cluster.addresses })
  const faults: string[] = []
  try {
    const assay = await ground.start()
    const file = supplierFile(rows)
    let catalog = ''
    for (let round = 1, n = 0; n < kills || round === 1; round++) {
      catalog = await newCatalog(assay)
      const job = await sendFile(assay, file, catalog)
      for (const end = Math.min(kills, n + Math.ceil(kills / 2)); n < end; n++) {
        await sleep(random() * betweenMs)
        const at = n % 6
        if (at === 3) await standStill(await assay.transforms(), say)
        else if (at > 3) await becomeCutOff(cluster, at === 4 ? 1 : 3, say)
        else if (at === 0 && typeof disk !== 'string') await becomeFull(cluster, disk, say)
        else await goAway(cluster, at, n % 2 === 0, say)
      }
      const imported = await ended(assay, job)
      say(`import ${round} has ended`)
      const importId = imported.result?.importId ?? ''
      const found = [
        ...ledgerFaults(imported, file, 'created'),
        ...(await storeFaults(await ground.databaseUrl(), catalog, importId, file, true)),
      ]
      faults.push(...found.map((fault) => `import ${round}: ${fault}`))
    }
    const again = await ended(assay, await sendFile(assay, file, catalog))
    faults.push(...ledgerFaults(again, file, 'unchanged').map((fault) => `the same file again: ${fault}`))
    assay.signal('SIGTERM')
    const code = await assay.ended
    if (code !== 0) faults.push(`it ended with ${code}`)
    return faults
  } finally {
    await ground.clear()
    await cluster.close()
    if (typeof disk !== 'string') await disk.unmount()
  }
}

async function goAway({ brokers }: Cluster, at: number, killed: boolean, say: StopBrokers['say']): Promise<void> {
  const broker = brokers[at]
  say(`broker ${at + 1} ${killed ? 'is killed' : 'stands still'} for ${awayMs / 1000} s`)
  if (killed) await broker?.kill()
  else broker?.signal('SIGSTOP')
  await sleep(awayMs)
  if (killed) await broker?.start()
  else broker?.signal('SIGCONT')
}

/** The others hold one that they cannot reach for alive, since it tells the controller so. */
async function becomeCutOff({ networks }: CuttableCluster, count: number, say: StopBrokers['say']): Promise<void> {
  say(`${count} of the brokers cannot be reached for ${stoppedMs / 1000} s`)
  const some = networks.slice(0, count)
  for (const network of some) network.cut()
  await sleep(stoppedMs)
  for (const network of some) network.mend()
}

async function standStill(transforms: number, say: StopBrokers['say']): Promise<void> {
  say(`the process that transforms stands still for ${stoppedMs / 1000} s`)
  process.kill(transforms, 'SIGSTOP')
  await sleep(stoppedMs)
  process.kill(transforms, 'SIGCONT')
}

/** A broker whose only disk is full ends by itself. */
async function becomeFull({ brokers }: Cluster, disk: SmallDisk, say: StopBrokers['say']): Promise<void> {
  say('the disk of broker 1 is full')
  await disk.fill(0)
  await sleep(awayMs)
  await disk.empty()
  await brokers[0]?.kill()
  await brokers[0]?.start()
  say('it has space, and is started again')
}
