import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, startAssay, workspace } from '../../running.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay({}, { roles: ['api'] })
})
afterAll(() => assay.close())

const path = `/api/workspace/${workspace}/settings/events`

test('a workspace that says nothing keeps events 400 days, and any other time within the bounds is its own', async () => {
  const usual = { events: { keepDays: 400, isDefault: true } }
  expect((await assay.call('GET', path)).body).toEqual(usual)
  for (const keep_days of [1, 3_650]) {
    expect((await assay.call('PUT', path, { keep_days })).body.events).toEqual({
      keepDays: keep_days,
      isDefault: false,
    })
    expect((await assay.call('GET', path)).body.events.keepDays).toBe(keep_days)
  }
  expect((await assay.call('PUT', path, { keep_days: null })).body).toEqual(usual)
})

test.each([0, -1, 3_651, 1.5, '30', undefined])('a time that is none is 400: %j', async (keep_days) => {
  expect((await assay.call('PUT', path, { keep_days })).status).toBe(400)
})

test('who may set it is who may change settings of the whole workspace, and the audit log has it', async () => {
  const as = async (role: 'viewer' | 'admin', more = {}) => ({
    authorization: `Bearer ${await assay.token(role, more)}`,
  })
  expect((await assay.call('PUT', path, { keep_days: 9 }, await as('viewer'))).status).toBe(403)
  expect((await assay.call('GET', path, undefined, await as('viewer'))).status).toBe(200)
  const { body } = await assay.call('GET', `/api/workspace/${workspace}/brands`)
  const oneBrand = await as('admin', { brand: body.brands[0].id })
  expect((await assay.call('PUT', path, { keep_days: 9 }, oneBrand)).status).toBe(403)
  expect((await assay.call('PUT', path, { keep_days: 9 }, await as('admin', { workspace: 'ws_other' }))).status).toBe(
    403,
  )
  await assay.call('PUT', path, { keep_days: 9 })
  const { rows } = await assay.system.catalog.pipeline.query(
    `select before, after from audit where action = 'events.retention' order by at desc limit 1`,
  )
  expect(rows).toEqual([{ before: { keepDays: null }, after: { keepDays: 9 } }])
})
