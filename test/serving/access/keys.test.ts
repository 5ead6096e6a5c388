import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiKeyPattern, looksLikeApiKey } from '../../../schemas/api-key.ts'
import { isSecretOf, makeApiKey, parseApiKey } from '../../../serving/access/api-key.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { expectSamplesForm, expectStandardForm } from '../envelopes.ts'
import { openProbe, type Probe, probes, tokenOf } from './probe.ts'

let assay: Running
let probe: Probe
let brand: string
beforeAll(async () => {
  assay = await startAssay()
  probe = await openProbe(assay)
  brand = await probe.main()
})
afterAll(async () => {
  await probe.app.close()
  await assay.close()
})

const byHeader = (key: string) => ({ headers: { 'x-api-key': key } })
const deprecation = {
  'x-api-key-deprecated': 'true',
  'x-deprecation-info': expect.stringMatching(/^https?:\/\/[^/]+\/docs#machine-tokens$/),
  deprecation: 'true',
}

describe('a key', () => {
  test('is told by its mark, and only its own secret fits', () => {
    const { key, prefix, secretHash } = makeApiKey()
    expect(key).toMatch(apiKeyPattern)
    expect(looksLikeApiKey(key)).toBe(true)
    const parsed = parseApiKey(key)
    expect(parsed?.prefix).toBe(prefix)
    expect(isSecretOf(parsed?.secret ?? '', secretHash)).toBe(true)
    expect(isSecretOf(parseApiKey(makeApiKey().key)?.secret ?? '', secretHash)).toBe(false)
    expect(isSecretOf('', secretHash)).toBe(false)
    expect(key).not.toContain(secretHash.toString('hex'))
  })

  test('that is mistyped in any one place is none', () => {
    const { key } = makeApiKey()
    for (let i = 'ask_live_'.length; i < key.length; i++)
      expect(parseApiKey(`${key.slice(0, i)}${key[i] === 'a' ? 'b' : 'a'}${key.slice(i + 1)}`)).toBeNull()
  })
})

describe('401', () => {
  test('AUTH_002: a key that is unknown, mistyped, of no form, revoked or expired', async () => {
    const { key, prefix } = await probe.key({ brand })
    await probe.pool.query('update api_key set revoked_at = now() where prefix = $1', [prefix])
    const expired = await probe.key({ brand, expiresAt: new Date(probe.clock.ms - 1) })
    const half = `${expired.key.slice(0, -6)}AAAAAA`
    for (const bad of [key, expired.key, half, makeApiKey().key, 'ask_', 'ask_live_x', 'hello', `${key} `.repeat(900)])
      expectStandardForm(await probe.ask(probes.feed, byHeader(bad)), 401, 'AUTH_002')
  })

  test("AUTH_002: a known prefix with another key's secret", async () => {
    const { key } = await probe.key({ brand })
    const other = makeApiKey().key
    const mixed = key.slice(0, 21) + other.slice(21)
    expectStandardForm(await probe.ask(probes.feed, byHeader(mixed)), 401, 'AUTH_002')
  })

  test('UNAUTHORIZED outside the channels', async () => {
    expectSamplesForm(await probe.ask(probes.workspace, byHeader('ask_live_x')), 401, 'UNAUTHORIZED')
    expectSamplesForm(await probe.ask(probes.workspace), 401, 'UNAUTHORIZED')
    expectStandardForm(await probe.ask(probes.none, byHeader('ask_live_x')), 401, 'UNAUTHORIZED')
  })

  test('a key that is revoked is out within five seconds, on every node', async () => {
    const { key, prefix } = await probe.key({ brand })
    const other = await openProbe(assay)
    other.clock.ms = probe.clock.ms
    const ask = async () => {
      const answers = [await probe.ask(probes.feed, byHeader(key)), await other.ask(probes.feed, byHeader(key))]
      return answers.map(({ status }) => status)
    }
    expect(await ask()).toEqual([200, 200])
    await probe.pool.query('update api_key set revoked_at = now() where prefix = $1', [prefix])
    for (const { clock } of [probe, other]) clock.ms += 5_000
    expect(await ask()).toEqual([401, 401])
    await other.app.close()
  })

  test('a key that expires is out at that moment, whatever is kept of it', async () => {
    const { key } = await probe.key({ brand, expiresAt: new Date(probe.clock.ms + 1_000) })
    expect((await probe.ask(probes.feed, byHeader(key))).status).toBe(200)
    probe.clock.ms += 1_000
    expectStandardForm(await probe.ask(probes.feed, byHeader(key)), 401, 'AUTH_002')
  })
})

describe('where a key is read', () => {
  test('in X-API-Key or as bearer; on /api/v1 in X-API-Key alone, where tokens stay bearers', async () => {
    const { key } = await probe.key({ brand })
    await probe.member('machine', 'viewer')
    for (const url of [probes.tools, probes.none, probes.workspace]) {
      expect((await probe.ask(url, byHeader(key))).status).toBe(200)
      expect((await probe.ask(url, { as: key })).status).toBe(200)
    }
    expect((await probe.ask(probes.feed, byHeader(key))).status).toBe(200)
    expectStandardForm(await probe.ask(probes.feed, { as: key }), 401, 'AUTH_001')
    expect((await probe.ask(probes.feed, { as: tokenOf('machine') })).status).toBe(200)
  })

  test('never in the query, whatever the parameter is called', async () => {
    const { key } = await probe.key({ brand })
    for (const name of ['key', 'api_key', 'x-api-key', 'access_token'])
      expectStandardForm(await probe.ask(`${probes.feed}?${name}=${key}`), 401, 'AUTH_001')
    const other = await probe.key({ brand, scopes: [] })
    expectStandardForm(await probe.ask(`${probes.feed}?key=${key}`, byHeader(other.key)), 403, 'AUTH_003')
  })

  test('every path of /api/v1 asks for one, also those that are no route, however they are spelt', async () => {
    const { key } = await probe.key({ brand })
    for (const path of [
      '/api/v1',
      '/api/v1/',
      '/api/v1/none',
      '/api/%76%31/none',
      '/api/v1?x=1',
      '/api/v1/none?key=k',
    ]) {
      expectStandardForm(await probe.ask(path), 401, 'AUTH_001')
      expectStandardForm(await probe.ask(path, { as: key }), 401, 'AUTH_001')
      expectStandardForm(await probe.ask(path, byHeader(key)), 404, 'NOT_FOUND')
    }
    expectStandardForm(await probe.ask('/api/%76%31/feeds/probe', { as: key }), 401, 'AUTH_001')
    expectStandardForm(await probe.ask('/api/v10'), 404, 'NOT_FOUND')
  })
})

describe('403', () => {
  test('AUTH_003, or INSUFFICIENT_PERMISSIONS elsewhere: a key without the scope, and which one', async () => {
    const { key } = await probe.key({ brand, scopes: ['products:read'] })
    const answer = await probe.ask(probes.feed, byHeader(key))
    expectStandardForm(answer, 403, 'AUTH_003')
    expect(answer.body.error.message).toContain('mcp:feed:read')
    expectSamplesForm(await probe.ask(probes.workspace, byHeader(key)), 403, 'INSUFFICIENT_PERMISSIONS')
  })

  test('AUTH_003: a key of the whole workspace on feeds and tools, and why; elsewhere it is taken', async () => {
    const { key } = await probe.key()
    for (const url of [probes.feed, probes.tools]) {
      const answer = await probe.ask(url, byHeader(key))
      expectStandardForm(answer, 403, 'AUTH_003')
      expect(answer.body.error.message).toContain('one brand')
    }
    for (const url of [probes.search, probes.none, probes.workspace])
      expect((await probe.ask(url, byHeader(key))).status).toBe(200)
  })

  test('AUTH_004: a good token whose workspace is not there any more, on feeds, search and tools', async () => {
    await probe.pool.query("insert into workspace (workspace_id, name, deleted_at) values ('ws_left', 'Left', now())")
    const token = await assay.token('owner', { workspace: 'ws_left' })
    for (const url of [probes.feed, probes.search, probes.tools])
      expectStandardForm(await probe.ask(url, { as: token }), 403, 'AUTH_004')
  })

  test('a key of another workspace, also where its prefix was asked for here a moment ago', async () => {
    const { key } = await probe.key({ brand })
    expect((await probe.ask(probes.workspace, byHeader(key))).status).toBe(200)
    const elsewhere = probes.workspace.replace(workspace, 'ws_elsewhere')
    expectSamplesForm(await probe.ask(elsewhere, byHeader(key)), 403, 'FORBIDDEN')
  })
})

test('every answer to a key on feeds and tools says that keys are on their way out; no other answer does', async () => {
  const { key } = await probe.key({ brand })
  const wide = await probe.key()
  const without = await probe.key({ brand, scopes: [] })
  for (const url of [probes.feed, probes.tools])
    for (const one of [key, wide.key, without.key])
      expect((await probe.ask(url, byHeader(one))).headers).toMatchObject(deprecation)
  const token = await assay.token('viewer')
  const others = [
    await probe.ask(probes.search, byHeader(key)),
    await probe.ask(probes.none, byHeader(key)),
    await probe.ask(probes.feed, { as: token }),
  ]
  for (const { headers } of others) expect(headers).not.toHaveProperty('deprecation')
})

test('a key sees its brand alone, acts by its scopes, and its last use is kept', async () => {
  const { key, prefix } = await probe.key({ brand, scopes: ['mcp:feed:read', 'products:read'] })
  const { body } = await probe.ask(probes.workspace, byHeader(key))
  expect(body).toMatchObject({
    subject: expect.stringMatching(/^key:/),
    kind: 'key',
    workspace,
    role: null,
    actions: ['mcp:feed:read', 'products:read'],
    brands: [brand],
    brand,
  })
  await expect
    .poll(async () => {
      const { rows } = await probe.pool.query('select last_used_at as at from api_key where prefix = $1', [prefix])
      return rows[0].at
    })
    .toBeInstanceOf(Date)
})
