import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../../infra/catalog/connection-file.ts'
import { exists } from '../../infra/catalog/postmaster.ts'
import { enough } from '../enough.ts'
import { type AssayFolder, type AssayProcess, assayFolder, demo } from './assay-process.ts'
import { ended, ledgerFaults, newCatalog, publish, sendFile, until } from './exact.ts'
import { postgresAway } from './postgres-away.ts'
import { supplierFile } from './supplier-file.ts'

// Processes start, die and start again; on a busy machine each start takes seconds.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

let ground: AssayFolder
let assay: AssayProcess
beforeAll(async () => {
  ground = await assayFolder()
  assay = await ground.start()
})
afterAll(() => ground.clear())

postgresAway(() => ({ ground, assay }))

const closesWithinMs = 15_000

test('a second Assay on the same data is refused in one sentence, and the first does not notice', async () => {
  const refused = await ground.run(['serve', '--no-sample', '--port', String(await freePort(0))])
  expect(refused).toEqual({
    code: 1,
    out: '',
    err: `The data folder ${ground.folder} is in use by another Assay.\n`,
  })
  expect((await assay.call('GET', `/api/workspace/${demo}/brands`)).status).toBe(200)
})

test('a Postgres that a killed Assay left is taken over with all that was in it', async () => {
  const [left] = await ground.postgres()
  await newCatalog(assay)
  const before = await assay.call('GET', `/api/workspace/${demo}/catalogs`)
  await assay.kill()
  expect((await ground.postgres())[0]).toBe(left)
  assay = await ground.start()
  expect((await ground.postgres())[0]).toBe(left)
  expect((await assay.call('GET', `/api/workspace/${demo}/catalogs`)).body).toEqual(before.body)
})

test('SIGTERM in the middle of an import closes everything in order, Postgres too, and the next start goes on', async () => {
  const file = supplierFile(9_000, 0, enough(2, 0))
  const catalog = await newCatalog(assay)
  await assay.call('POST', `/api/workspace/${demo}/datasets/ingest`, 'sku,title\nO-1,My own\n')
  const job = await sendFile(assay, file, catalog)
  const sql = 'select appended_seq as appended from import where job_id = $1'
  await until(ground, sql, job, ({ appended }) => appended >= 0)
  const transforms = await assay.transforms()
  const began = Date.now()
  assay.signal('SIGTERM')
  expect(await assay.ended).toBe(0)
  expect(Date.now() - began).toBeLessThan(closesWithinMs)
  expect(await ground.postgres()).toEqual([])
  expect(exists(transforms)).toBe(false)
  expect(assay.err()).not.toMatch(/"level":[56]0|\bat .+:\d+:\d+/)

  assay = await ground.start([])
  expect(ledgerFaults(await ended(assay, job), file, 'created')).toEqual([])
  await ended(assay, await publish(assay, catalog))
})

test('that start, with the sample and after one without it, neither adds it to the products that there are since nor waits for it', async () => {
  await vi.waitFor(() => expect(assay.out()).toContain('npm run assay -- ingest'), { timeout: 60_000, interval: 50 })
  const { body } = await assay.call('GET', `/api/workspace/${demo}/catalogs`)
  const main = body.catalogs.find((one: { isDefault: boolean }) => one.isDefault)
  const path = `/api/workspace/${demo}/catalog/products?catalog_id=${main.id}`
  const products = async () => (await assay.call('GET', path)).body.products
  await vi.waitFor(async () => expect(await products()).toMatchObject([{ sku: 'O-1' }]), { timeout: 30_000 })
})

test('Ctrl-C closes it once, also where it comes twice, and though a reader of a feed has stopped reading', async () => {
  const { body } = await assay.call('GET', `/api/workspace/${demo}/catalogs`)
  const published = body.catalogs.find((one: { publishedVersion: number }) => one.publishedVersion > 0)
  const slow = await assay.open(`/api/mcp/feed/google?catalog_id=${published.id}`)
  await slow.getReader().read()
  const began = Date.now()
  assay.signal('SIGINT')
  await sleep(100)
  // npm hands on what the terminal sends to both.
  assay.signal('SIGINT')
  expect(await assay.ended).toBe(0)
  expect(Date.now() - began).toBeLessThan(closesWithinMs)
  expect(await ground.postgres()).toEqual([])
})

test('a port in use is said in one sentence, and nothing is left running', async () => {
  assay.signal('SIGTERM')
  await assay.ended
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const refused = await ground.run(['serve', '--no-sample', '--port', String(port)])
  expect(refused).toEqual({
    code: 1,
    out: '',
    err: `Port ${port} on 127.0.0.1 is in use; choose another with --port.\n`,
  })
  expect(await ground.postgres()).toEqual([])
  other.close()
})
