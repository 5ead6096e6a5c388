import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { completeJob, failJob, insertJob, startJob } from '../../../infra/catalog/job-table.ts'
import { takeMail } from '../../../infra/catalog/mail-queue.ts'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { openMailer } from '../../../infra/mail.ts'
import { mailSending } from '../../../infra/system/mail-sending.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { startSmtp } from '../../smtp.ts'

let database: TestDatabase
let catalog: Catalog
beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url, { maxConnections: 3 })
})
afterAll(async () => {
  await catalog.close()
  await database.drop()
})

async function ended(): Promise<string> {
  const id = randomUUID()
  const row = { id, workspace: 'ws_a', brand: randomUUID(), catalog: null, kind: 'bulk', input: {}, by: 'ada' }
  await insertJob(catalog.pipeline, { ...row, notify: { to: 'ada@shop.example' } })
  await startJob(catalog.pipeline, id)
  await completeJob(catalog.pipeline, id, { updated: 2 })
  return id
}
const sending = (smtpUrl: string) => {
  const mailer = openMailer({ smtpUrl, from: 'assay@shop.example', outbox: '/none' })
  return { round: mailSending({ catalog, mailer, url: 'http://assay.example' }), close: () => mailer.close() }
}
const mailOf = async (job: string) =>
  (await catalog.pipeline.query('select state, attempts, error from mail where job_id = $1', [job])).rows[0]
/** As if its wait were over. */
const wait = () => catalog.pipeline.query('update mail set next_at = now()')

test('a server that refuses at first is asked again, and then the mail is sent once', async () => {
  let tries = 0
  const smtp = await startSmtp(() => (++tries <= 2 ? 451 : null))
  const { round, close } = sending(smtp.url)
  const job = await ended()
  for (const attempt of [1, 2]) {
    await expect(round()).rejects.toThrow('not now')
    expect(await mailOf(job)).toMatchObject({ state: 'waiting', attempts: attempt })
    expect(await round()).toBe(false)
    await wait()
  }
  expect(await round()).toBe(true)
  await wait()
  expect(await round()).toBe(false)
  expect(smtp.taken).toHaveLength(1)
  expect(smtp.taken[0]?.text).toContain('Subject: Assay: Bulk change completed')
  expect(smtp.taken[0]?.text).toContain(`http://assay.example/jobs/${job}`)
  close()
  await smtp.close()
})

test('a server that is away keeps the mail, and gets it when it is back', async () => {
  const gone = await startSmtp()
  await gone.close()
  const { round, close } = sending(gone.url)
  const job = await ended()
  await expect(round()).rejects.toThrow('ECONNREFUSED')
  expect(await mailOf(job)).toMatchObject({
    state: 'waiting',
    attempts: 1,
    error: expect.stringContaining('ECONNREFUSED'),
  })
  const back = await startSmtp(() => null, Number(new URL(gone.url).port))
  await wait()
  expect(await round()).toBe(true)
  expect(back.taken).toHaveLength(1)
  expect(await mailOf(job)).toMatchObject({ state: 'sent', attempts: 2, error: null })
  close()
  await back.close()
})

test('a mail that is refused for good, or too often, is given up, and the job stays as it ended', async () => {
  let status = 550
  const smtp = await startSmtp(() => status)
  const { round, close } = sending(smtp.url)
  const refused = await ended()
  await expect(round()).rejects.toThrow()
  expect(await mailOf(refused)).toMatchObject({ state: 'failed', attempts: 1 })
  status = 451
  const often = await ended()
  for (let attempt = 1; attempt <= 15; attempt++) {
    await expect(round()).rejects.toThrow()
    await wait()
  }
  expect(await mailOf(often)).toMatchObject({ state: 'failed', attempts: 15 })
  expect(await round()).toBe(false)
  const { rows } = await catalog.pipeline.query('select distinct status from job')
  expect(rows).toEqual([{ status: 'completed' }])
  close()
  await smtp.close()
})

test('a mail whose sender died is another’s after its wait; two at once take two', async () => {
  const ids = [await ended(), await ended()]
  const taken = await Promise.all([takeMail(catalog.pipeline), takeMail(catalog.pipeline)])
  expect(taken.map((mail) => mail?.job).sort()).toEqual(ids.toSorted())
  expect(await takeMail(catalog.pipeline)).toBeNull()
  await wait()
  expect(await takeMail(catalog.pipeline)).toMatchObject({ attempts: 2 })
})

test('through HTTP: who asks for mail gets one in the outbox at the address of their membership, and without one the job says so', async () => {
  const assay: Running = await startAssay()
  const base = `/api/workspace/${workspace}`
  const told = { subject: 'test:owner', email: 'ada@shop.example', role: 'owner', all_brands: true }
  const owner = { authorization: `Bearer ${await assay.token('owner')}` }
  expect((await assay.call('POST', `${base}/members`, told, owner)).status).toBe(201)
  const into = await assay.newCatalog()
  const file = Buffer.from('sku,title,price\nM-1,Mug,"1,50"\n')
  const start = async (headers: Record<string, string>, query = '') => {
    const answer = await assay.call('POST', `${base}/datasets/ingest?catalog_id=${into}${query}`, file, headers)
    return assay.job(answer.body.job.id)
  }
  expect(await start(owner)).toMatchObject({ notifyEmail: 'off' })
  expect(await start({}, '&notify_email=true')).toMatchObject({ status: 'completed', notifyEmail: 'no_address' })
  expect(await start(owner, '&notify_email=true')).toMatchObject({ status: 'completed', notifyEmail: 'on' })
  const path = `${base}/catalogs/${into}/publish`
  const publish = await assay.call('POST', path, { notify_email: true }, owner)
  expect(await assay.job(publish.body.job.id)).toMatchObject({ status: 'completed', notifyEmail: 'on' })

  const outbox = join(assay.config.dataFolder, 'outbox')
  const written = async () => (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'))
  await vi.waitFor(async () => expect(await written()).toHaveLength(2), { timeout: 10_000, interval: 50 })
  const texts = await Promise.all((await written()).map((name) => readFile(join(outbox, name), 'utf8')))
  expect(texts.map((text) => /^Subject: (.*)\r$/m.exec(text)?.[1]).sort()).toEqual([
    'Assay: Catalog published',
    'Assay: Import completed',
  ])
  for (const text of texts) expect(text).toContain('To: ada@shop.example')
  await assay.close()
})

test('a job that failed is told by mail with the reason', async () => {
  const id = randomUUID()
  const row = { id, workspace: 'ws_a', brand: randomUUID(), catalog: null, kind: 'bulk', input: {}, by: 'ada' }
  await insertJob(catalog.pipeline, { ...row, notify: { to: 'ada@shop.example' } })
  await failJob(catalog.pipeline, id, 'gave_up', 'It failed again and again.')
  const { rows } = await catalog.pipeline.query('select subject, body from mail where job_id = $1', [id])
  expect(rows).toEqual([{ subject: 'Bulk change failed', body: 'It failed again and again.' }])
})
