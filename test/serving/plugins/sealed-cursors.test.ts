import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let next: string
const base = `/api/workspace/${workspace}`
beforeAll(async () => {
  assay = await sharedAssay()
  for (const name of ['A', 'B', 'C']) await assay.newCatalog(name)
  next = (await assay.call('GET', `${base}/catalogs?limit=1`)).body.next
})
afterAll(() => assay.close())

test('200: a cursor goes on in its own list, with another page size too', async () => {
  const { status, body } = await assay.call('GET', `${base}/catalogs?limit=2&after=${next}`)
  expect({ status, rows: body.catalogs.length }).toEqual({ status: 200, rows: 2 })
})

test('400: a cursor of another list is refused by each of the lists', async () => {
  for (const list of ['brands', 'keys', 'members', 'jobs', 'audit', 'notifications', 'media-jobs', 'catalog/products'])
    expectSamplesForm(await assay.call('GET', `${base}/${list}?after=${next}`), 400, 'INVALID_REQUEST', 'after')
})

test('400: a cursor that was changed, cut or made up is refused', async () => {
  const [cursor = '', seal = ''] = next.split('.')
  const other = Buffer.from('1:ffffffff-ffff-ffff-ffff-ffffffffffff').toString('base64url')
  for (const forged of [
    cursor,
    `${cursor}.`,
    `.${seal}`,
    `${other}.${seal}`,
    other,
    `${cursor}.${seal.slice(1)}x`,
    '.',
    'x',
    `${cursor}.${'%C3%A9'.repeat(22)}`,
  ])
    expectSamplesForm(await assay.call('GET', `${base}/catalogs?after=${forged}`), 400, 'INVALID_REQUEST', 'after')
})

test('400: a cursor of another workspace is refused', async () => {
  const authorization = `Bearer ${await assay.token('owner')}`
  const { body } = await assay.call('POST', '/api/workspaces', { name: 'Other' }, { authorization })
  const theirs = { authorization: `Bearer ${await assay.token('admin', { workspace: body.workspace.id })}` }
  const answer = await assay.call(
    'GET',
    `/api/workspace/${body.workspace.id}/catalogs?after=${next}`,
    undefined,
    theirs,
  )
  expectSamplesForm(answer, 400, 'INVALID_REQUEST', 'after')
})
