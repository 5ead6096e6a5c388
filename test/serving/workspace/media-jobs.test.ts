import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { completeMediaJob, insertMediaJob, startMediaJob } from '../../../infra/catalog/media-jobs.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let brand: string
let other: string
beforeAll(async () => {
  assay = await sharedAssay()
  brand = (await assay.call('GET', `${base}/brands`)).body.brands[0].id
  other = (await assay.call('POST', `${base}/brands`, { name: 'Second' })).body.brand.id
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const used = { provider: 'openai', model: 'gpt-image-1' }
const pool = () => assay.system.catalog.pipeline

async function media(brandId = brand): Promise<string> {
  const id = randomUUID()
  const row = { id, workspace, brand: brandId, product: null, kind: 'image-edit', input: {}, by: 'ada' }
  await insertMediaJob(pool(), row)
  return id
}
const read = async (id: string, headers = {}) => assay.call('GET', `${base}/media-jobs/${id}`, undefined, headers)
const cancel = async (id: string, headers = {}) =>
  assay.call('POST', `${base}/media-jobs/${id}/cancel`, undefined, headers)

test('200: a media job tells how far it is and, once it is known, which model did it', async () => {
  const id = await media()
  expect((await read(id)).body.mediaJob).toEqual({
    id,
    brandId: brand,
    productId: null,
    kind: 'image-edit',
    status: 'pending',
    provider: null,
    model: null,
    result: null,
    error: null,
    createdBy: 'ada',
    createdAt: expect.stringMatching(/Z$/),
    startedAt: null,
    finishedAt: null,
  })
  await startMediaJob(pool(), id)
  await completeMediaJob(pool(), id, used, { url: 'https://shop.example/new.jpg' })
  expect((await read(id)).body.mediaJob).toMatchObject({ status: 'completed', ...used })
})

test('200: newest first, by state, and of the brands that the reader has', async () => {
  const [mine, theirs] = [await media(), await media(other)]
  const ids = async (query: string, headers = {}) =>
    (await assay.call('GET', `${base}/media-jobs?${query}`, undefined, headers)).body.mediaJobs.map(
      ({ id }: { id: string }) => id,
    )
  expect(await ids('status=pending')).toEqual([theirs, mine])
  const narrow = { authorization: `Bearer ${await assay.token('editor', { brand: other })}` }
  expect(await ids('', narrow)).toEqual([theirs])
  expectSamplesForm(await read(mine, narrow), 404, 'NOT_FOUND', 'mediaJobId')
  expectSamplesForm(await cancel(mine, narrow), 404, 'NOT_FOUND', 'mediaJobId')
})

test('200: one that waits and one that is worked on are cancelled; 409: one that has ended', async () => {
  const [waits, runs] = [await media(), await media()]
  await startMediaJob(pool(), runs)
  for (const id of [waits, runs]) {
    expect((await cancel(id)).body.mediaJob).toMatchObject({ status: 'cancelled', finishedAt: expect.any(String) })
    expectSamplesForm(await cancel(id), 409, 'CONFLICT')
  }
})
