import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sentence } from '../infra/cli/sentence.ts'
import { type AssayFolder, type AssayProcess, assayFolder, demo } from './assay-process.ts'
import { ended, ledgerFaults, newCatalog, sendFile, storeFaults } from './exact.ts'
import { type SmallDisk, smallDisk } from './small-disk.ts'
import { supplierFile } from './supplier-file.ts'

// Processes start, die and start again; on a busy machine each start takes seconds.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const disk: SmallDisk | string = await smallDisk(400)
const mounted = typeof disk !== 'string'
if (!mounted) console.log(`skipped: a full disk, since ${disk}`)

let ground: AssayFolder
let assay: AssayProcess
beforeAll(async () => {
  if (typeof disk === 'string') return
  ground = await assayFolder(disk.folder)
  assay = await ground.start()
})
afterAll(async () => {
  if (typeof disk === 'string') return
  await ground.clear()
  await disk.unmount()
})
const the = () => disk as SmallDisk

test.runIf(mounted)(
  'a full disk is told in a sentence, and what was acknowledged is there when there is space',
  async () => {
    const catalog = await newCatalog(assay)
    const small = supplierFile(2_000)
    const kept = await ended(assay, await sendFile(assay, small, catalog))
    expect(ledgerFaults(kept, small, 'created')).toEqual([])

    // No space for the file itself: it is refused, and nothing of it stays.
    // Postgres may want a segment of 16 MB meanwhile: without it, it falls, and the answer is that a store is away.
    await the().fill(18_000_000)
    const path = `/api/workspace/${demo}/datasets/ingest?catalog_id=${catalog}`
    const refused = await assay.call('POST', path, supplierFile(90_000, 1).text)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(refused.body).toMatchObject({
      error: 'SERVER_002',
      details: { message: expect.stringMatching(/disk is full/) },
    })
    await the().empty()

    // Space for the file and not for what comes of it: it was acknowledged, so it waits.
    await the().fill(24_000_000)
    const large = supplierFile(16_000)
    const job = await sendFile(assay, large, catalog)
    const says = /"msg":"The disk is full; what was acknowledged is kept/
    await vi.waitFor(() => expect(assay.err()).toMatch(says), { timeout: 60_000, interval: 100 })
    expect([200, 503]).toContain((await assay.call('GET', `/jobs/${job}`)).status)
    await the().empty()
    const imported = await ended(assay, job)
    expect(imported.result).toMatchObject({
      read: large.rows,
      created: large.products.length - small.products.length,
      rejected: large.counts.rejected,
    })
    expect(await storeFaults(await ground.databaseUrl(), catalog, imported.result?.importId ?? '', large)).toEqual([])
    expect(assay.err()).not.toMatch(/\\n +at |^ +at /m)
  },
)

test.runIf(mounted)('a first start on a full disk says so in one sentence', async () => {
  assay.signal('SIGTERM')
  expect(await assay.ended).toBe(0)
  await the().fill(100_000)
  expect(sentence(await ground.run(['serve', '--no-sample', '--data', join(the().folder, 'other')]))).toMatch(
    /No space left on device/,
  )
  await the().empty()
})
