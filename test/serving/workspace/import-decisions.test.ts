import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Job, Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay({ guardShare: 0.3 })
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}/imports`
const get = async (path: string) => (await assay.call('GET', `${base}${path}`)).body
const post = (id: string, what: string) => assay.call('POST', `${base}/${id}/${what}`, {})

/** @param changed how many of them have another title */
const file = (rows: number, changed = 0) =>
  `sku,title\n${Array.from({ length: rows }, (_, i) => `S-${i},${i < changed ? 'Bowl' : 'Mug'} ${i}\n`).join('')}`

const source = { source: 'nightly' }
const titled = async (catalog: string, word: string) =>
  (await assay.products(catalog)).filter(({ title }) => title?.startsWith(word)).length

async function held(rows = 10, next = file(10, 4)) {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, file(rows), source)
  const job = await assay.ingest(catalog, next, source)
  return { catalog, job, id: job.result.importId }
}

async function ended(answer: { body: { job: { id: string } } }): Promise<Job> {
  return assay.job(answer.body.job.id)
}

describe.concurrent('an import that changes more of a catalog than may change unasked', () => {
  test('is held: nothing is appended, the job says so, the difference is shown, and who started it is told', async () => {
    const { catalog, job, id } = await held()
    expect(job).toMatchObject({ status: 'completed', result: { state: 'held', importId: id, read: 0, updated: 0 } })
    expect(await titled(catalog, 'Bowl')).toBe(0)
    const { import: ledger } = await get(`/${id}`)
    expect(ledger).toMatchObject({ state: 'held', read: 0, rows: 10, finishedAt: null })
    expect(ledger.guard).toMatchObject({
      ...{ created: 0, updated: 4, unchanged: 6, removed: 0, changed: 4, products: 10, share: 0.4, limit: 0.3 },
      ...{ rows: 10, lastRows: 10, reasons: [expect.stringContaining('change 4 and remove 0 of 10')] },
    })
    const { notifications } = (await assay.call('GET', `/api/workspace/${workspace}/notifications`)).body
    const told = notifications.find(({ jobId }: { jobId: string }) => jobId === job.id)
    expect(told).toMatchObject({ title: 'Import held', text: expect.stringContaining('change 4') })
  })

  test('goes on when a person releases it, under its own id and as another job, and who did so is on record', async () => {
    const { catalog, job, id } = await held()
    const released = await ended(await post(id, 'release'))
    expect(released.id).not.toBe(job.id)
    expect(released).toMatchObject({
      status: 'completed',
      result: { importId: id, updated: 4, unchanged: 6, read: 10 },
    })
    expect(await titled(catalog, 'Bowl')).toBe(4)
    expect((await get(`/${id}`)).import).toMatchObject({ state: 'completed', releasedAt: expect.any(String) })
    expect((await post(id, 'release')).status).toBe(409)
    const { entries } = (await assay.call('GET', `/api/workspace/${workspace}/audit?action=import.release`)).body
    expect(entries).toContainEqual(expect.objectContaining({ target: id, subject: 'test:admin' }))
  })

  test('is gone for good when a person discards it', async () => {
    const { catalog, id } = await held()
    const answer = await post(id, 'discard')
    expect(answer.body.import).toMatchObject({ id, state: 'discarded', read: 0 })
    expect((await post(id, 'release')).status).toBe(409)
    expect((await post(id, 'discard')).status).toBe(409)
    expect((await post(id, 'undo')).status).toBe(409)
    expect(await titled(catalog, 'Mug')).toBe(10)
  })

  test('holds no other import up, and is not released once a later one of its source is in force', async () => {
    const { catalog, id } = await held()
    const later = await assay.ingest(catalog, file(10, 1), source)
    expect(later.result).toMatchObject({ updated: 1, unchanged: 9 })
    const refused = await post(id, 'release')
    expect(refused.status).toBe(409)
    expect(refused.body.details.message).toContain('A later import of this source')
    await assay.change(later.result.importId, 'undo')
    expect(await ended(await post(id, 'release'))).toMatchObject({ result: { updated: 4 } })
    expect(await titled(catalog, 'Bowl')).toBe(4)
  })

  test('is released once by two who ask at once', async () => {
    const { id } = await held()
    const answers = await Promise.all([post(id, 'release'), post(id, 'release')])
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
  })
})

describe.concurrent('an import is not held', () => {
  test('that changes as much as may change, or adds products', async () => {
    const { job } = await held(10, file(10, 3))
    expect(job.result).toMatchObject({ updated: 3, unchanged: 7 })
    const more = await held(10, file(30))
    expect(more.job.result).toMatchObject({ created: 20, unchanged: 10 })
  })

  test('into an empty catalog, nor into one that was emptied', async () => {
    const catalog = await assay.newCatalog()
    const first = await assay.ingest(catalog, file(10), source)
    expect(first.result).toMatchObject({ created: 10 })
    await assay.change(first.result.importId, 'undo')
    expect((await assay.ingest(catalog, file(2, 2), source)).result).toMatchObject({ created: 2 })
  })
})

test('a file with less than half the rows of its source`s last one is held, one with half is not', async () => {
  expect((await held(10, file(4))).job.result).toMatchObject({ state: 'held' })
  expect((await held(10, file(5))).job.result).toMatchObject({ unchanged: 5 })
})

test('undo of an import is seen in its ledger, and so is redo; its figures stay', async () => {
  const catalog = await assay.newCatalog()
  const { result } = await assay.ingest(catalog, file(10), source)
  await assay.change(result.importId, 'undo')
  const undone = (await get(`/${result.importId}`)).import
  expect(undone).toMatchObject({
    state: 'completed',
    undone: true,
    undoneAt: expect.any(String),
    created: 10,
    read: 10,
  })
  await assay.change(result.importId, 'redo')
  expect((await get(`/${result.importId}`)).import).toMatchObject({ undone: false, undoneAt: null, created: 10 })
  expect(await titled(catalog, 'Mug')).toBe(10)
})
