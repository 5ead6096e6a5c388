import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { enough } from '../enough.ts'
import { type AssayFolder, type AssayProcess, assayFolder } from '../faults/assay-process.ts'
import { ended, ledgerFaults, newCatalog, sendFile, storeFaults, until } from '../faults/exact.ts'
import { supplierFile } from '../faults/supplier-file.ts'
import { type CuttableCluster, cuttableCluster } from './cuttable-cluster.ts'
import { onKafka, startsWithinMs } from './on-kafka.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const sessionMs = 2_000
/** Two appends, so that one stands on the log when they are cut off. */
const file = supplierFile(9_000, 0, enough(2, 0))
const importSql = 'select state, appended_seq as appended from import where job_id = $1'

onKafka('three brokers of which', () => {
  let cluster: CuttableCluster
  let ground: AssayFolder
  let assay: AssayProcess
  beforeAll(async () => {
    cluster = await cuttableCluster({ size: 3 })
    ground = await assayFolder(undefined, {
      KAFKA_BROKERS: cluster.addresses,
      ASSAY_KAFKA_SESSION_MS: String(sessionMs),
    })
    assay = await ground.start()
  }, startsWithinMs)
  afterAll(async () => {
    await ground?.clear()
    await cluster?.close()
  })

  // One that is cut off leads its partitions on: it tells the controller that it lives, and nobody can write to them.
  test.each(enough([1], [1, 3]))(
    '%i cannot be reached, by clients nor by the others: every row exactly once',
    async (count) => {
      const catalog = await newCatalog(assay)
      const job = await sendFile(assay, file, catalog)
      await until(ground, importSql, job, ({ state, appended }) => appended >= 0 || state === 'settling')
      const some = cluster.networks.slice(0, count)
      for (const network of some) network.cut()
      await sleep(2 * sessionMs)
      for (const network of some) network.mend()
      const imported = await ended(assay, job)
      const importId = imported.result?.importId ?? ''
      expect([
        ...ledgerFaults(imported, file, 'created'),
        ...(await storeFaults(await ground.databaseUrl(), catalog, importId, file, true)),
      ]).toEqual([])
    },
  )
})
