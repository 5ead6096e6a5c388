import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect } from '../../infra/catalog/postgres.ts'
import { enough } from '../enough.ts'
import { type AssayFolder, type AssayProcess, assayFolder } from '../faults/assay-process.ts'
import { ended, ledgerFaults, newCatalog, sendFile, storeFaults, until } from '../faults/exact.ts'
import { supplierFile } from '../faults/supplier-file.ts'
import { type CuttableCluster, cuttableCluster } from './cuttable-cluster.ts'
import { onKafka, startsWithinMs } from './on-kafka.ts'
import { startWorker, type Worker } from './worker.ts'

// Brokers start, die and start again; on a busy machine each start takes seconds.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const sessionMs = 2_000
const importSql = 'select state, appended_seq as appended from import where job_id = $1'

onKafka('on a broker that', () => {
  let cluster: CuttableCluster
  let ground: AssayFolder
  let assay: AssayProcess
  let env: Record<string, string>
  beforeAll(async () => {
    cluster = await cuttableCluster()
    env = { KAFKA_BROKERS: cluster.addresses, ASSAY_KAFKA_SESSION_MS: String(sessionMs) }
    ground = await assayFolder(undefined, env)
    assay = await ground.start()
  }, startsWithinMs)
  afterAll(async () => {
    await ground?.clear()
    await cluster?.close()
  })

  /** Two appends, so that one stands on the log when the fault strikes. */
  const appendedTwice = () => supplierFile(9_000, 0, enough(2, 0))
  /** What workers share, and what is still to be shared when a worker has started. */
  const shared = { file: () => supplierFile(enough(3_000, 9_000)), long: () => supplierFile(enough(5_000, 9_000)) }
  async function imported(fault: (job: string) => Promise<void>, make = appendedTwice): Promise<string[]> {
    const [file, catalog] = [make(), await newCatalog(assay)]
    const job = await sendFile(assay, file, catalog)
    await fault(job)
    const found = await ended(assay, job)
    const importId = found.result?.importId ?? ''
    return [
      ...ledgerFaults(found, file, 'created'),
      ...(await storeFaults(await ground.databaseUrl(), catalog, importId, file, true)),
    ]
  }
  const appended = (job: string) =>
    until(ground, importSql, job, ({ state, appended: n }) => n >= 0 || state === 'settling')
  const lagIsGone = async () => {
    const client = await connect(await ground.databaseUrl())
    try {
      const { rows: left } = await client.query(
        `select 1 from import i, jsonb_array_elements_text(i.offsets->'to') with ordinality t
           join sink_position s on s.consumer_group = 'products' and s.partition = t.ordinality - 1
          where t.value is not null and s.next_offset < t.value::bigint`,
      )
      return left.length === 0
    } finally {
      await client.end()
    }
  }

  test('is killed with -9 in the middle of an import and started again: every row exactly once', async () => {
    const [broker] = cluster.brokers
    const faults = await imported(async (job) => {
      await appended(job)
      await broker?.kill()
      await sleep(1_500)
      await broker?.start()
    })
    expect(faults).toEqual([])
    expect(await lagIsGone()).toBe(true)
  })

  test('cannot be reached for longer than a session: every row exactly once', async () => {
    const [network] = cluster.networks
    const faults = await imported(async (job) => {
      await appended(job)
      network?.cut()
      await sleep(sessionMs + 1_500)
      network?.mend()
    })
    expect(faults).toEqual([])
    expect(await lagIsGone()).toBe(true)
  })

  test('shares partitions among workers of which one joins, one is stopped past its session, and one is killed (KF-46)', async () => {
    const more = { ...env, ASSAY_DATA: ground.folder, DATABASE_URL: await ground.databaseUrl() }
    const first = await assay.transforms()
    let second: Worker | undefined
    try {
      const joined = await imported(async (job) => {
        await appended(job)
        second = startWorker(more)
      }, shared.long)
      expect(joined).toEqual([])

      const stopped = await imported(async (job) => {
        await appended(job)
        process.kill(first, 'SIGSTOP')
        await sleep(sessionMs + 2_000)
        process.kill(first, 'SIGCONT')
      }, shared.file)
      expect(stopped).toEqual([])

      const killed = await imported(async (job) => {
        await appended(job)
        await second?.kill()
      }, shared.file)
      expect(killed).toEqual([])
      expect(await lagIsGone()).toBe(true)
    } finally {
      await second?.kill()
    }
  })
})
