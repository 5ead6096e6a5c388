import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { serverPorts } from '../../infra/system/server-ports.ts'
import { buildRoleServer } from '../../serving/role-server.ts'
import { type Running, startAssay } from '../running.ts'
import { expectStandardForm } from './envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay({}, { roles: ['transforms'] })
})
afterAll(() => assay.close())

async function ask(url: string, more: Partial<Parameters<typeof buildRoleServer>[0]> = {}) {
  const app = await buildRoleServer({ ...serverPorts(assay.system), ...more })
  const { statusCode: status, headers, payload: text } = await app.inject({ method: 'GET', url })
  await app.close()
  return { status, headers, text, body: text.startsWith('{') ? JSON.parse(text) : null }
}

test('200: a process that transforms is ready while it has its turns and Postgres answers', async () => {
  await vi.waitFor(async () => expect((await ask('/health/ready')).status).toBe(200))
  const { body, headers } = await ask('/health/ready')
  expect(body).toEqual({ status: 'ok', stores: { postgres: true, transforms: true } })
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})

test('503: one that has lost its turns is not ready, and lives', async () => {
  const readiness = { check: async () => ({ postgres: true, transforms: false }) }
  expect((await ask('/health/ready', { readiness })).status).toBe(503)
  expect((await ask('/health/live', { readiness })).body).toEqual({ status: 'ok' })
})

test('200: metrics, as the API has them', async () => {
  const { status, text } = await ask('/metrics')
  expect(status).toBe(200)
  for (const name of ['assay_log_lag_records', 'assay_pool_connections', 'process_cpu_seconds_total'])
    expect(text).toContain(name)
})

test('404: whatever else is asked, in the standard form', async () => {
  expectStandardForm(await ask('/api/workspace/ws_test/catalogs'), 404, 'NOT_FOUND')
  expect((await ask('/openapi.json')).status).toBe(404)
})
