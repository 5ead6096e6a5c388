import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openTokens, ProviderAway, type Tokens } from '../../infra/tokens.ts'

/** An identity provider in this process: discovery, and keys that change. */
interface Pair {
  readonly kid: string
  readonly secret: CryptoKey
  readonly open: CryptoKey
}

let folder: string
let server: Server
let issuer: string
let keys: JWK[] = []
let sets = 0
let broken: null | 'status' | 'text' = null
let first: Pair
let second: Pair
let tokens: Tokens

async function pair(kid: string): Promise<Pair> {
  const made = await generateKeyPair('RS256', { extractable: true })
  return { kid, secret: made.privateKey, open: made.publicKey }
}
const published = async ({ kid, open }: Pair): Promise<JWK> => ({
  ...(await exportJWK(open)),
  kid,
  alg: 'RS256',
  use: 'sig',
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-tokens-'))
  ;[first, second] = await Promise.all([pair('one'), pair('two')])
  keys = [await published(first)]
  server = createServer((request, response) => {
    if (broken) return response.writeHead(broken === 'status' ? 500 : 200).end('nothing of use')
    if (request.url === '/keys') sets++
    const body = request.url === '/keys' ? { keys } : { issuer, jwks_uri: `${issuer}/keys` }
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  tokens = await open()
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await rm(folder, { recursive: true })
})
afterEach(() => {
  broken = null
  vi.useRealTimers()
})

const open = (more: { local?: boolean; issuer?: string; jwksUrl?: string } = {}) =>
  openTokens(folder, {
    local: more.local ?? true,
    provider: { issuer: more.issuer ?? issuer, audience: 'assay', jwksUrl: more.jwksUrl },
  })

const seconds = (from = 0) => Math.floor(Date.now() / 1_000) + from

function sign(claims: JWTPayload = {}, { kid, secret }: Pair = first): Promise<string> {
  const whole = { sub: 'anna', iss: issuer, aud: 'assay', iat: seconds(), exp: seconds(300), ...claims }
  return new SignJWT(whole).setProtectedHeader({ alg: 'RS256', kid }).sign(secret)
}

test('a good token says who, since when, what for and by which proof', async () => {
  const token = await sign({ scope: 'openid mcp:feed:read', amr: ['pwd', 'otp'], acr: 'gold' })
  expect(await tokens.verify(token)).toEqual({
    subject: 'anna',
    scopes: ['openid', 'mcp:feed:read'],
    issuedAt: expect.any(Number),
    factors: ['pwd', 'otp', 'gold'],
    machine: false,
    local: null,
  })
})

test('scopes stand in scope or in scp, as a text or a list; none at all is none', async () => {
  const scopes = async (claims: JWTPayload) => (await tokens.verify(await sign(claims)))?.scopes
  expect(await scopes({ scp: 'a b' })).toEqual(['a', 'b'])
  expect(await scopes({ scp: ['a', 'b'] })).toEqual(['a', 'b'])
  expect(await scopes({ scope: 'a', scp: ['b'] })).toEqual(['a', 'b'])
  expect(await scopes({ scope: '  ' })).toBeNull()
  expect(await scopes({})).toBeNull()
})

test('an e-mail address is known where the provider vouches for it', async () => {
  const email = async (claims: JWTPayload) => (await tokens.verify(await sign(claims)))?.email
  expect(await email({ email: 'anna@shop.example', email_verified: true })).toBe('anna@shop.example')
  expect(await email({ email: 'anna@shop.example', email_verified: false })).toBeUndefined()
  expect(await email({ email: 'anna@shop.example' })).toBeUndefined()
  expect(await email({ email: 7, email_verified: true })).toBeUndefined()
})

test.each<[boolean, JWTPayload]>([
  [true, { client_id: 'anna' }],
  [true, { azp: 'anna' }],
  [true, { gty: 'client-credentials' }],
  [true, { idtyp: 'app' }],
  [false, { client_id: 'the shop', azp: 'the shop', scope: 'products:read' }],
  [false, {}],
])('a machine: %s, says %j', async (machine, claims) => {
  expect((await tokens.verify(await sign(claims)))?.machine).toBe(machine)
})

describe('nobody is known by a token that', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const wrong: Record<string, () => Promise<string>> = {
    'is expired': () => sign({ exp: seconds(-60) }),
    'has no end': () => sign({ exp: undefined as unknown as number }),
    'is not yet valid': () => sign({ nbf: seconds(120) }),
    'is for another audience': () => sign({ aud: 'another' }),
    'is for nobody': () => sign({ aud: undefined as unknown as string }),
    'is of another issuer': () => sign({ iss: 'http://elsewhere.example' }),
    'claims to be of the local issuer': () => sign({ iss: 'assay-local', workspace: 'ws_a', role: 'owner' }),
    'has no subject': () => sign({ sub: '' }),
    'is signed by a key that is not in the set': () => sign({}, { ...second, kid: 'three' }),
    "is signed by another key under a known one's id": () => sign({}, { ...second, kid: 'one' }),
    'is changed': async () => {
      const [head, , signature] = (await sign()).split('.')
      return `${head}.${part({ sub: 'boss', iss: issuer, aud: 'assay', exp: seconds(300) })}.${signature}`
    },
    'is not signed': async () => `${part({ alg: 'none', kid: 'one' })}.${(await sign()).split('.')[1]}.`,
    'is signed with the public key as a shared secret': async () => {
      const secret = new TextEncoder().encode(await exportSPKI(first.open))
      const claims = { sub: 'anna', iss: issuer, aud: 'assay', exp: seconds(300) }
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret)
    },
    'is none': async () => 'a.b.c',
  }
  test.each(Object.entries(wrong))('%s', async (_, make) => {
    expect(await tokens.verify(await make())).toBeNull()
  })
})

test('a clock that is half a minute off is forgiven', async () => {
  expect(await tokens.verify(await sign({ exp: seconds(-20) }))).not.toBeNull()
  expect(await tokens.verify(await sign({ nbf: seconds(20) }))).not.toBeNull()
})

test('keys change without a restart: the new one is taken at once, the old one no longer', async () => {
  const [old, new_] = [await sign(), await sign({}, second)]
  expect(await tokens.verify(old)).not.toBeNull()
  keys = [await published(second)]
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15_000 })
  expect(await tokens.verify(new_)).not.toBeNull()
  expect(await tokens.verify(old)).toBeNull()
  keys = [await published(first)]
  vi.setSystemTime(Date.now() + 15_000)
  expect(await tokens.verify(await sign())).not.toBeNull()
})

test('a key that left the set is out within ten minutes also where no new one is seen', async () => {
  const own = await open()
  expect(await own.verify(await sign())).not.toBeNull()
  keys = [await published(second)]
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_001 })
  expect(await own.verify(await sign())).toBeNull()
  keys = [await published(first)]
})

test('a flood of unknown key ids asks the provider once', async () => {
  const own = await open()
  await own.verify(await sign())
  const before = sets
  for (let i = 0; i < 20; i++) expect(await own.verify(await sign({}, { ...second, kid: `x${i}` }))).toBeNull()
  expect(sets - before).toBeLessThanOrEqual(1)
})

describe('a provider that is away is no fault of the token', () => {
  test.each<[string, () => Promise<Tokens>]>([
    ['does not answer', () => open({ issuer: 'http://127.0.0.1:9' })],
    ['does not answer for its keys', () => open({ jwksUrl: 'http://127.0.0.1:9/keys' })],
    ['speaks for another issuer', () => open({ issuer: `${issuer}/tenant` })],
  ])('it %s', async (_, make) => {
    const own = await make()
    const iss = [issuer, 'http://127.0.0.1:9', `${issuer}/tenant`]
    const asked = await Promise.allSettled(iss.map(async (one) => own.verify(await sign({ iss: one }))))
    const away = asked.filter((one) => one.status === 'rejected')
    expect(away.map(({ reason }) => reason)).toEqual([expect.any(ProviderAway)])
  })

  test.each(['status', 'text'] as const)('it answers with nothing of use (%s), and is asked again', async (how) => {
    const [own, withUrl] = [await open(), await open({ jwksUrl: `${issuer}/keys` })]
    broken = how
    for (const one of [own, withUrl]) await expect(one.verify(await sign())).rejects.toThrow(ProviderAway)
    broken = null
    for (const one of [own, withUrl]) expect(await one.verify(await sign())).not.toBeNull()
  })
})

describe('the local issuer', () => {
  const claims = { subject: 'me', workspace: 'ws_a', role: 'viewer', brand: null, scope: '' } as const

  test('knows its own tokens and nobody else’s', async () => {
    expect(await tokens.verify(await tokens.sign(claims, 60))).toMatchObject({
      subject: 'me',
      scopes: null,
      machine: false,
      local: { workspace: 'ws_a', role: 'viewer', brand: null },
    })
    expect(await tokens.verify(await tokens.sign(claims, -60))).toBeNull()
  })

  test('that is off signs nothing and takes nothing', async () => {
    const mine = await tokens.sign(claims, 60)
    const off = await open({ local: false })
    expect(await off.verify(mine)).toBeNull()
    expect(() => off.sign(claims, 60)).toThrow('the local issuer is off')
    expect(await off.verify(await sign())).not.toBeNull()
  })
})
