import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOthers } from '../../../infra/system/others.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

let assay: Running
beforeAll(async () => {
  // No worker: what is appended stays unread.
  assay = await startAssay({}, { roles: ['api'] })
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const fails = (error: unknown) => {
  throw error
}
/** As a process of its own knows it. */
const elsewhere = () => openOthers({ pool: assay.system.catalog.pipeline, log: assay.system.log }, fails)
/** Longer than a call counts. */
const quiet = () => sleep(2_300)

test('nobody is at work until somebody calls, and again some seconds after; every node knows', async () => {
  await quiet()
  expect(await elsewhere().areAtWork()).toBe(false)
  expect((await assay.call('GET', `${base}/catalogs`)).status).toBe(200)
  expect(await assay.system.others.areAtWork()).toBe(true)
  await expect.poll(() => elsewhere().areAtWork()).toBe(true)
  await quiet()
  expect(await elsewhere().areAtWork()).toBe(false)
  expect(await assay.system.others.areAtWork()).toBe(false)
})

test('who follows a job, asks whether the server is ready or is refused is not at work', async () => {
  await quiet()
  expect((await assay.call('GET', '/jobs/00000000-0000-4000-8000-000000000000')).status).toBe(404)
  expect((await assay.call('GET', `${base}/jobs`)).status).toBe(200)
  expect((await assay.call('GET', '/health/ready')).status).toBe(200)
  expect((await assay.call('GET', `${base}/catalogs`, undefined, { authorization: 'Bearer nobody' })).status).toBe(401)
  expect(await assay.system.others.areAtWork()).toBe(false)
  expect(await elsewhere().areAtWork()).toBe(false)
})

test('records that wait for the sink are others at work', async () => {
  await quiet()
  const key = '0190a0a0-0000-8000-8000-000000000000'
  await assay.system.log.append('products.bronze', [{ key, value: '{}' }])
  expect(await elsewhere().areAtWork()).toBe(true)
})
