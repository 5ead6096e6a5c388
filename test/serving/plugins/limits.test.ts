import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import { type RateName, rates } from '../../../serving/plugins/limits.ts'
import { memoryCounter } from '../../../serving/plugins/rate-window.ts'
import { type Answer, type Running, startAssay } from '../../running.ts'
import { openProbe, type Probe, probes, tokenOf } from '../access/probe.ts'
import { expectSamplesForm, expectStandardForm } from '../envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay({ ASSAY_NODES: '2' })
})
afterAll(() => assay.close())

/** A server of its own, with the limits as they are, and a clock. */
async function limited(change: Partial<Parameters<typeof openProbe>[1]> = {}) {
  const clock = { ms: Date.parse('2026-11-28T00:00:00.250Z') }
  const limits = { counter: memoryCounter(), now: () => new Date(clock.ms), ...change?.limits }
  const probe = await openProbe(assay, { ...change, limits })
  return { probe, clock }
}

const told = ({ status, headers }: Answer) => {
  const figure = (name: string) => (headers[name] === undefined ? undefined : Number(headers[name]))
  return {
    status,
    limit: figure('x-ratelimit-limit'),
    remaining: figure('x-ratelimit-remaining'),
    reset: figure('x-ratelimit-reset'),
    retryAfter: figure('retry-after'),
  }
}

const times = async (n: number, ask: () => Promise<Answer>): Promise<Answer> => {
  for (let i = 1; i < n; i++) expect((await ask()).status).toBe(200)
  return ask()
}

test('the table of interface.md, and ours for workspace endpoints', () => {
  expect(rates).toEqual({
    feed: [{ by: 'credential', seconds: 60, limit: 60 }],
    search: [
      { by: 'credential', seconds: 60, limit: 1_000 },
      { by: 'credential+ip', seconds: 60, limit: 100 },
    ],
    'search-anonymous': [{ by: 'ip', seconds: 60, limit: 100 }],
    tools: [
      { by: 'credential', seconds: 60, limit: 200 },
      { by: 'credential+ip', seconds: 60, limit: 50 },
    ],
    'hub-clone': [{ by: 'workspace', seconds: 3_600, limit: 5 }],
    'hub-search': [{ by: 'credential', seconds: 60, limit: 60 }],
    'hub-preview': [{ by: 'credential', seconds: 60, limit: 30 }],
    workspace: [{ by: 'credential', seconds: 60, limit: 1_200 }],
  } satisfies Record<RateName, unknown>)
})

test('KF-33: the 61st request 15 s after the window opened', async () => {
  const { probe, clock } = await limited()
  const { key } = await probe.key({ brand: await probe.main() })
  const ask = () => probe.ask(probes.feed, { headers: { 'x-api-key': key } })
  const opened = clock.ms
  const reset = Math.ceil((opened + 60_000) / 1_000)
  expect(told(await ask())).toEqual({ status: 200, limit: 60, remaining: 59, reset, retryAfter: undefined })
  const last = await times(59, ask)
  expect(told(last)).toEqual({ status: 200, limit: 60, remaining: 0, reset, retryAfter: undefined })
  clock.ms = opened + 15_000
  const refused = await ask()
  expectStandardForm(refused, 429, 'RATE_001')
  expect(told(refused)).toEqual({ status: 429, limit: 60, remaining: 0, reset, retryAfter: 45 })
  expect(refused.headers).toMatchObject({ 'x-api-key-deprecated': 'true' })
  clock.ms = opened + 59_999
  expect(told(await ask())).toEqual({ status: 429, limit: 60, remaining: 0, reset, retryAfter: 1 })
  clock.ms = opened + 60_000
  expect(told(await ask())).toMatchObject({ status: 200, remaining: 59, reset: reset + 60 })
  await probe.app.close()
})

describe('429', () => {
  test.each([
    ['search', 100, 1_000],
    ['tools', 50, 200],
  ] as const)('RATE_001 on %s: %i a minute from one address, %i from all', async (channel, perIp, all) => {
    const { probe } = await limited()
    await probe.member(`m ${channel}`, 'viewer')
    const from = (ip: string) => probe.ask(probes[channel], { as: tokenOf(`m ${channel}`), ip })
    const refused = await times(perIp + 1, () => from('10.0.0.1'))
    expectStandardForm(refused, 429, 'RATE_001')
    expect(told(refused)).toMatchObject({ limit: perIp, remaining: 0 })
    for (let i = 0; i < 3; i++) expect((await from('10.0.0.1')).status).toBe(429)
    for (let n = perIp; n < all; n += perIp)
      expect((await times(perIp, () => from(`10.0.1.${n / perIp}`))).status).toBe(200)
    const full = await from('10.0.2.1')
    expectStandardForm(full, 429, 'RATE_001')
    expect(told(full)).toMatchObject({ limit: all, remaining: 0 })
    await probe.app.close()
  })

  test('RATE_LIMIT_EXCEEDED on workspace endpoints, each of a workspace’s people for themselves', async () => {
    const { probe } = await limited()
    await probe.member('one', 'viewer')
    await probe.member('two', 'viewer')
    const ask = (subject: string) => probe.ask(probes.workspace, { as: tokenOf(subject) })
    const refused = await times(1_201, () => ask('one'))
    expectSamplesForm(refused, 429, 'RATE_LIMIT_EXCEEDED')
    expect(told(refused)).toMatchObject({ limit: 1_200, remaining: 0, retryAfter: 60 })
    expect((await ask('two')).status).toBe(200)
    await probe.app.close()
  })

  test('RATE_002: an address with too many requests under way, before anything is looked up; free again after', async () => {
    const door = Promise.withResolvers<void>()
    const { access } = serverPorts(assay.system)
    let looked = 0
    const verify = async () => {
      looked++
      await door.promise
      return null
    }
    const limits = { counter: memoryCounter(), now: () => new Date(0), concurrentPerIp: 3 }
    const { probe } = await limited({ access: { ...access, verify }, limits })
    const ask = (ip: string) => probe.ask(probes.search, { as: 'a.b.c', ip })
    const waiting = [1, 2, 3].map(() => ask('10.0.0.1'))
    await expect.poll(() => looked).toBe(3)
    const refused = await ask('10.0.0.1')
    expectStandardForm(refused, 429, 'RATE_002')
    expect(told(refused)).toEqual({ status: 429, limit: 3, remaining: 0, reset: 1, retryAfter: 1 })
    expect(looked).toBe(3)
    const other = ask('10.0.0.2')
    await expect.poll(() => looked).toBe(4)
    door.resolve()
    expect((await Promise.all([...waiting, other])).map(({ status }) => status)).toEqual([401, 401, 401, 401])
    for (let i = 0; i < 5; i++) expect((await ask('10.0.0.1')).status).toBe(401)
    await probe.app.close()
  })
})

test('what nobody is known by counts for nobody', async () => {
  const { probe } = await limited()
  expect((await probe.ask(probes.feed)).headers).not.toHaveProperty('x-ratelimit-limit')
  expect((await probe.ask('/health/live')).headers).not.toHaveProperty('x-ratelimit-limit')
  await probe.app.close()
})

test('two nodes on one database count together', async () => {
  const nodes: Probe[] = [await openProbe(assay), await openProbe(assay)]
  const [first, second] = nodes as [Probe, Probe]
  second.clock.ms = first.clock.ms
  const { key } = await first.key({ brand: await first.main() })
  const asked = { headers: { 'x-api-key': key } }
  const answers: Answer[] = []
  for (let i = 0; i < 62; i++) answers.push(await (i % 2 ? first : second).ask(probes.feed, asked))
  expect(answers.map(({ status }) => status)).toEqual([...Array(60).fill(200), 429, 429])
  expect(new Set(answers.map(({ headers }) => headers['x-ratelimit-reset'])).size).toBe(1)
  for (const { app } of nodes) await app.close()
})
