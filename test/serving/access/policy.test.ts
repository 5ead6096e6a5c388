import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isAllowed, readRange } from '../../../serving/access/ip-ranges.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { expectSamplesForm, expectStandardForm } from '../envelopes.ts'
import { openProbe, type Probe, probes, tokenOf } from './probe.ts'

let assay: Running
let probe: Probe
beforeAll(async () => {
  assay = await startAssay()
  probe = await openProbe(assay)
  await probe.member('anna', 'admin')
})
afterAll(async () => {
  await probe.app.close()
  await assay.close()
})
afterEach(() => policy({}))

async function policy(p: { ip?: string[]; minutes?: number; factor?: boolean }) {
  await probe.pool.query(
    `insert into workspace_policy (workspace_id, ip_allow, session_minutes, require_second_factor) values ($1, $2, $3, $4)
     on conflict (workspace_id) do update set ip_allow = $2, session_minutes = $3, require_second_factor = $4`,
    [workspace, p.ip ?? [], p.minutes ?? null, p.factor ?? false],
  )
  probe.clock.ms += 5_000
}

describe('an address', () => {
  test.each<[boolean, string, string]>([
    [true, '10.1.2.3', '10.1.2.3'],
    [false, '10.1.2.4', '10.1.2.3'],
    [true, '10.1.2.255', '10.1.2.0/24'],
    [false, '10.1.3.0', '10.1.2.0/24'],
    [true, '8.8.8.8', '0.0.0.0/0'],
    [true, '::ffff:10.1.2.3', '10.1.2.0/24'],
    [true, '10.1.2.3', '::ffff:10.1.2.3'],
    [true, '10.1.2.9', '::ffff:10.1.2.0/120'],
    [false, '10.1.3.9', '::ffff:10.1.2.0/120'],
    [true, '2001:db8::1', '2001:db8::/32'],
    [true, '2001:DB8:0:0::1', '2001:db8::1'],
    [false, '2001:db9::1', '2001:db8::/32'],
    [true, 'fe80::1%eth0', 'fe80::/10'],
    [false, '8.8.8.8', '::/0'],
    [false, '2001:db8::1', '0.0.0.0/0'],
    [false, '10.1.2.3', 'everyone'],
    [false, '10.1.2.3', '10.0.0.0/33'],
    [false, '10.1.2.3', ''],
    [false, 'unknown', '0.0.0.0/0'],
  ])('%s: %s in %j', (is, ip, range) => {
    expect(isAllowed(ip, [range])).toBe(is)
    expect(isAllowed(ip, ['192.0.2.1', range])).toBe(is)
  })

  test('range is read or none', () => {
    expect(readRange('10.0.0.0/8')).toEqual({ address: '10.0.0.0', family: 'ipv4', bits: 8 })
    for (const text of ['10.0.0.0/', '10.0.0.0/33', '::/129', '10.0.0', 'a', '10.0.0.0/8/8', '::ffff:10.0.0.0/90'])
      expect(readRange(text)).toBeNull()
  })
})

describe('403, and a text that says why', () => {
  const ask = (ip: string, headers = {}) => probe.ask(probes.workspace, { as: tokenOf('anna'), ip, headers })

  test('an address that the workspace does not allow, for keys and tokens, on every channel', async () => {
    const { key } = await probe.key({ brand: await probe.main() })
    await policy({ ip: ['10.1.0.0/16', '2001:db8::/32'] })
    for (const ip of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::7']) expect((await ask(ip)).status).toBe(200)
    const refused = await ask('10.2.0.1')
    expectSamplesForm(refused, 403, 'FORBIDDEN')
    expect(refused.body.details.message).toBe('This workspace is not open to the address 10.2.0.1')
    const headers = { 'x-api-key': key }
    expectStandardForm(await probe.ask(probes.feed, { headers, ip: '10.2.0.1' }), 403, 'FORBIDDEN')
    expect((await probe.ask(probes.feed, { headers, ip: '10.1.0.1' })).status).toBe(200)
  })

  test('X-Forwarded-For is not believed, but of a trusted proxy', async () => {
    await policy({ ip: ['10.1.0.0/16'] })
    const forwarded = { 'x-forwarded-for': '10.1.2.3' }
    expectSamplesForm(await ask('192.0.2.1', forwarded), 403, 'FORBIDDEN')
    const behind = await openProbe(assay, { trustedProxies: ['192.0.2.0/24'] })
    behind.clock.ms = probe.clock.ms
    const as = tokenOf('anna')
    const through = (ip: string, headers: Record<string, string>) => behind.ask(probes.workspace, { as, ip, headers })
    expect((await through('192.0.2.1', forwarded)).body.ip).toBe('10.1.2.3')
    expectSamplesForm(await through('198.51.100.1', forwarded), 403, 'FORBIDDEN')
    // What the caller wrote before the proxy added the address that it saw.
    const forged = { 'x-forwarded-for': '10.1.2.3, 203.0.113.9' }
    expectSamplesForm(await through('192.0.2.1', forged), 403, 'FORBIDDEN')
    await behind.app.close()
  })

  test('a session that is older than the workspace allows, or of no known age', async () => {
    await policy({ minutes: 30 })
    const aged = (issuedAt: number | null, more = {}) =>
      probe.ask(probes.workspace, { as: tokenOf('anna', { issuedAt, ...more }) })
    const now = Math.floor(probe.clock.ms / 1_000)
    expect((await aged(now - 1_790)).status).toBe(200)
    const refused = await aged(now - 1_810)
    expectSamplesForm(refused, 403, 'FORBIDDEN')
    expect(refused.body.details.message).toBe('This workspace takes tokens of at most 30 minutes; sign in again')
    expectSamplesForm(await aged(null), 403, 'FORBIDDEN')
    const scopes = ['mcp:feed:read']
    expect((await aged(now - 1_810, { scopes, machine: true })).status).toBe(200)
    expectSamplesForm(await aged(now - 1_810, { scopes }), 403, 'FORBIDDEN')
  })

  test('a person without a second factor, also one whose token has scopes', async () => {
    await policy({ factor: true })
    const by = (factors: string[], more = {}) =>
      probe.ask(probes.workspace, { as: tokenOf('anna', { factors, ...more }) })
    for (const factor of ['mfa', 'otp', 'hwk']) expect((await by(['pwd', factor])).status).toBe(200)
    const refused = await by(['pwd'])
    expectSamplesForm(refused, 403, 'FORBIDDEN')
    expect(refused.body.details.message).toBe('This workspace asks for a second factor; sign in with one')
    expectSamplesForm(await by([], { scopes: ['mcp:feed:read'] }), 403, 'FORBIDDEN')
    expect((await by([], { scopes: ['mcp:feed:read'], machine: true })).status).toBe(200)
    const { key } = await probe.key()
    expect((await probe.ask(probes.workspace, { headers: { 'x-api-key': key } })).status).toBe(200)
  })

  test('a policy is in force within five seconds', async () => {
    expect((await ask('10.2.0.1')).status).toBe(200)
    await policy({ ip: ['10.1.0.0/16'] })
    expectSamplesForm(await ask('10.2.0.1'), 403, 'FORBIDDEN')
  })

  test('a workspace that was removed opens to nobody', async () => {
    await probe.pool.query("insert into workspace (workspace_id, name, deleted_at) values ('ws_gone', 'Gone', now())")
    const token = await assay.token('owner', { workspace: 'ws_gone' })
    const path = probes.workspace.replace(workspace, 'ws_gone')
    expectSamplesForm(await probe.ask(path, { as: token }), 403, 'FORBIDDEN')
  })
})
