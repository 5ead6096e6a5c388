import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm, expectStandardForm } from '../envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

test('405: a route that is asked in a way that it does not take says which it takes, in its own form', async () => {
  const catalogs = await assay.call('PATCH', `/api/workspace/${workspace}/catalogs`, {})
  expectSamplesForm(catalogs, 405, 'INVALID_REQUEST')
  expect(catalogs.headers.allow).toBe('GET, HEAD, POST')
  for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
    const one = await assay.call(method, `/api/workspace/${workspace}/dashboards/aggregate`)
    expectSamplesForm(one, 405, 'INVALID_REQUEST')
    expect(one.headers.allow).toBe('POST')
  }
  expect((await assay.call('GET', `/api/workspace/${workspace}/dashboards/no-id`)).status).toBe(400)
  const job = await assay.call('DELETE', '/jobs/00000000-0000-4000-8000-000000000001')
  expectStandardForm(job, 405, 'BAD_REQUEST')
  expect(job.headers.allow).toBe('GET, HEAD')
})

test('404: what is no route at all stays one, and does not repeat a credential in its address', async () => {
  expectStandardForm(await assay.call('GET', '/nope'), 404, 'NOT_FOUND')
  const answer = await assay.call('GET', '/nope/ask_live_abcdefgh12345678')
  expectStandardForm(answer, 404, 'NOT_FOUND')
  expect(answer.text).not.toContain('abcdefgh')
})
