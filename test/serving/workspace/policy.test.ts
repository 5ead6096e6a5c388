import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import { buildServer } from '../../../serving/server.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

const path = `/api/workspace/${workspace}/policy`
const open = { ip_allow: [] as string[], session_minutes: null as number | null, require_second_factor: false }
const put = (more: object, headers = {}) => assay.call('PUT', path, { ...open, ...more }, headers)

test('200: everything is open until a policy says otherwise, and it is read as it was set', async () => {
  const nothing = { ipAllow: [], sessionMinutes: null, requireSecondFactor: false }
  expect((await assay.call('GET', path)).body).toEqual({ policy: nothing })
  const ip_allow = ['127.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1']
  const policy = { ipAllow: ip_allow, sessionMinutes: 600, requireSecondFactor: false }
  const { status, body } = await put({ ip_allow, session_minutes: 600 })
  expect({ status, body }).toEqual({ status: 200, body: { policy } })
  expect((await assay.call('GET', path)).body).toEqual({ policy })
  expect((await put({})).body).toEqual({ policy: nothing })
})

test('400: ranges that would lock the caller out, who is told their own address', async () => {
  for (const ip_allow of [['10.0.0.0/8'], ['2001:db8::/32'], ['127.0.0.2', '192.0.2.0/24']]) {
    const answer = await put({ ip_allow })
    expectSamplesForm(answer, 400, 'INVALID_REQUEST', 'ip_allow')
    expect(answer.body.details.message).toContain('127.0.0.1')
  }
  expect((await assay.call('GET', path)).body.policy.ipAllow).toEqual([])
})

test('400: a session that is shorter than this sign-in is old, or a factor that it has not, would lock the caller out', async () => {
  expectSamplesForm(await put({ require_second_factor: true }), 400, 'INVALID_REQUEST', 'require_second_factor')
  await new Promise((go) => setTimeout(go, 10))
  const ports = serverPorts(assay.system, () => new Date(Date.now() + 10 * 60_000))
  const app = await buildServer({ ...ports, logger: null })
  const headers = { authorization: `Bearer ${await assay.token('admin')}` }
  const send = (session_minutes: number) =>
    app.inject({ method: 'PUT', url: path, headers, payload: { ...open, session_minutes } })
  const late = await send(9)
  expect({ status: late.statusCode, field: late.json().details?.field }).toEqual({
    status: 400,
    field: 'session_minutes',
  })
  expect((await send(60)).statusCode).toBe(200)
  await put({})
  await app.close()
  expect((await assay.call('GET', path)).body.policy.requireSecondFactor).toBe(false)
})

test('400: what is no range, no number of minutes, or half a policy', async () => {
  const ranges = [
    '',
    'localhost',
    '10.0.0.0/33',
    '10.0.0/8',
    '::/129',
    '1.2.3.4/',
    'fe80::1%eth0/64',
    '127.0.0.1 ',
    '10.0.0.1/-1',
  ]
  for (const range of ranges)
    expectSamplesForm(await put({ ip_allow: ['127.0.0.1', range] }), 400, 'INVALID_REQUEST', 'ip_allow.1')
  for (const session_minutes of [0, -1, 1.5, 525_601, '60'])
    expectSamplesForm(await put({ session_minutes }), 400, 'INVALID_REQUEST', 'session_minutes')
  const { ip_allow: _, ...half } = open
  expectSamplesForm(await assay.call('PUT', path, half), 400, 'INVALID_REQUEST', 'ip_allow')
  expectSamplesForm(await put({ ip_deny: [] }), 400, 'INVALID_REQUEST', 'ip_deny')
})

test("403: a brand's admin reads the policy and does not set it", async () => {
  const { body } = await assay.call('GET', `/api/workspace/${workspace}/brands`)
  const mine = { authorization: `Bearer ${await assay.token('admin', { brand: body.brands[0].id })}` }
  expect((await assay.call('GET', path, undefined, mine)).status).toBe(200)
  expectSamplesForm(await put({ session_minutes: 5 }, mine), 403, 'FORBIDDEN')
})

// Last: it is in force for these tests too.
test('403: a policy is in force on this node from the moment it is set', async () => {
  const old = await assay.call('GET', path)
  expect(old.status).toBe(200)
  // A key has no factors, so it is not locked out.
  const key = { name: 'policies', scopes: ['workspace:write'], brand_id: null }
  const { secret } = (await assay.call('POST', `/api/workspace/${workspace}/keys`, key)).body
  expect((await put({ require_second_factor: true }, { authorization: '', 'x-api-key': secret })).status).toBe(200)
  expectSamplesForm(await assay.call('GET', path), 403, 'FORBIDDEN')
})
