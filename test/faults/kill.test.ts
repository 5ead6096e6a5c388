import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { enough } from '../enough.ts'
import { ended, feedFaults, ledgerFaults, newCatalog, publish, sendFile, storeFaults, until } from './exact.ts'
import { killEvents } from './kill-events.ts'
import { killImageCheck } from './kill-image-check.ts'
import { killRedrive } from './kill-redrive.ts'
import { killUpload } from './kill-upload.ts'
import { killWebhooks } from './kill-webhooks.ts'
import { type KilledAssay, killedAssay } from './killed-assay.ts'
import { supplierFile } from './supplier-file.ts'

// Processes start, die and start again; on a busy machine each start takes seconds.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

let one: KilledAssay
beforeAll(async () => {
  one = await killedAssay({ ASSAY_EGRESS_ALLOW: '127.0.0.1' })
})
afterAll(() => one.ground.clear())

/** Two appends, so that one stands on the log when the first kill strikes. */
const file = supplierFile(9_000, 0, enough(1, 0))
const importSql = 'select state, appended_seq as appended from import where job_id = $1'
const builtSql = 'select state, built_to as built from publish where job_id = $1'

test('killed with -9 in the append, between append and sink, and in the publish: nothing is lost, nothing comes twice', {
  timeout: 90_000,
}, async () => {
  const { ground } = one
  let { assay } = one
  const catalog = await newCatalog(assay)
  const job = await sendFile(assay, file, catalog)
  await until(ground, importSql, job, ({ state, appended }) =>
    state !== 'appending' ? state === 'settling' : appended >= 0,
  )
  await assay.kill()

  // Appended but not taken: the transforms stand still while the reader comes to its end.
  assay = await one.start({ transformsStand: true })
  await until(ground, importSql, job, ({ state }) => state === 'settling')
  await Promise.all([assay.kill(), ground.signalPostgres('SIGKILL')])
  assay = await one.start()
  const imported = await ended(assay, job)
  expect(ledgerFaults(imported, file, 'created')).toEqual([])
  const importId = imported.result?.importId ?? ''
  expect(await storeFaults(await ground.databaseUrl(), catalog, importId, file)).toEqual([])

  const publishing = await publish(assay, catalog)
  await until(ground, builtSql, publishing, ({ state, built }) => built > 0 || state === 'published')
  await assay.kill()
  assay = await one.start()
  expect(await ended(assay, publishing)).toMatchObject({ status: 'completed', result: { added: file.products.length } })
  expect(await feedFaults(assay, catalog, file)).toEqual([])

  const again = await ended(assay, await sendFile(assay, file, catalog))
  expect(ledgerFaults(again, file, 'unchanged')).toEqual([])
})

test('transforms that are killed alone are started anew, and the import comes to its end', async () => {
  const { ground, assay } = one
  const [file, catalog] = [supplierFile(enough(4_000, 9_000)), await newCatalog(assay)]
  const first = await assay.transforms()
  const job = await sendFile(assay, file, catalog)
  await until(ground, importSql, job, ({ appended }) => appended >= 0)
  process.kill(first, 'SIGKILL')
  const { status, result } = await ended(assay, job)
  expect({ status, faults: ledgerFaults({ id: job, status, result, error: null }, file, 'created') }).toEqual({
    status: 'completed',
    faults: [],
  })
  expect(await assay.transforms()).not.toBe(first)
  expect(assay.err()).toContain('the transforms process died and is started anew')
})

describe('killed with -9 in the middle of everything', () => {
  /** In the order in which they come to their middle: the first are held there, the last takes the shortest time. */
  const struck = [killImageCheck, killWebhooks, killRedrive, killEvents, killUpload].map((of) => of(() => one))
  beforeAll(async () => {
    for (const work of struck) await work.prepare()
    for (let round = 0; round < enough(1, 3); round++) {
      for (const work of struck) await work.middle(round)
      await one.assay.kill()
      await one.start()
    }
  })
  for (const { promise, check } of struck) test(promise, check)
})
