import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTokens } from '../../../infra/tokens.ts'
import { roles } from '../../../schemas/access.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { expectError, expectSamplesForm } from '../envelopes.ts'
import { callRoute, noIds, type Route, routes } from '../routes.ts'

const wellKnown = ['', '/api/mcp', '/api/mcp/sse'].map((of) => `/.well-known/oauth-protected-resource${of}`)

let assay: Running
/** Of another issuer. */
let strange: string
beforeAll(async () => {
  assay = await startAssay()
  const folder = await mkdtemp(join(tmpdir(), 'assay-issuer-'))
  const stranger = await openTokens(folder, { local: true, provider: null })
  strange = await stranger.sign(claims, 3_600)
  await rm(folder, { recursive: true })
})
afterAll(() => assay.close())

/** Feeds, search and tools have codes of their own. */
const codesOf = ({ url }: Route) =>
  /^\/api\/(mcp|v1)\b/.test(url)
    ? { missing: 'AUTH_001', invalid: 'AUTH_002', forbidden: 'AUTH_003' }
    : { missing: 'UNAUTHORIZED', invalid: 'UNAUTHORIZED', forbidden: 'INSUFFICIENT_PERMISSIONS' }
const both = (code: string) => ({ samples: code, standard: code })
const claims = { subject: 'someone', workspace, role: 'owner', brand: null, scope: '' } as const

test('every route of the server is known here or open to all', () => {
  const open = [
    '/api/search',
    '/health/live',
    '/health/ready',
    '/openapi.json',
    '/docs',
    '/metrics',
    '/api/v1/manifest',
    ...wellKnown,
  ]
  for (const { method, url } of routes) expect(assay.app.hasRoute({ method, url }), `${method} ${url}`).toBe(true)
  const printed = assay.app.printRoutes({ commonPrefix: false }).matchAll(/\((?<methods>[A-Z, ]+)\)/g)
  const answered = [...printed].flatMap(({ groups }) => (groups?.methods ?? '').split(', '))
  expect(answered.filter((method) => method !== 'HEAD' && method !== 'OPTIONS')).toHaveLength(
    routes.length + open.length,
  )
})

describe.each(routes)('$method $url', (route) => {
  test('401: without a token, and the answer says how to come back', async () => {
    const answer = await callRoute(assay, route, noIds, null)
    expectError(answer, route.url, 401, both(codesOf(route).missing))
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  test('401: with a token that is none, is expired, is unsigned or is of another issuer', async () => {
    const mine = await assay.system.tokens.sign(claims, 60)
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const tokens = [
      'not-a-token',
      `${mine.slice(0, -4)}AAAA`,
      await assay.system.tokens.sign(claims, -60),
      `${part({ alg: 'none' })}.${mine.split('.')[1]}.`,
      strange,
    ]
    const codes = both(codesOf(route).invalid)
    for (const token of tokens) expectError(await callRoute(assay, route, noIds, token), route.url, 401, codes)
  })

  test('403: a role that is too low is refused before anything is looked up', async () => {
    const lower = roles.slice(roles.indexOf(route.least) + 1)
    for (const role of lower) {
      const answer = await callRoute(assay, route, noIds, await assay.token(role))
      expectError(answer, route.url, 403, both(codesOf(route).forbidden))
    }
    const may = await callRoute(assay, route, noIds, await assay.token(route.least))
    expect([401, 403]).not.toContain(may.status)
  })
})

test('403: a token of another workspace is refused on every workspace route, whatever its role', async () => {
  const token = await assay.token('owner', { workspace: 'ws_elsewhere' })
  for (const route of routes.filter(({ url }) => url.startsWith('/api/workspace/')))
    expectSamplesForm(await callRoute(assay, route, noIds, token), 403, 'FORBIDDEN')
})

test('401: a key in the query or in another scheme is no bearer token', async () => {
  const token = await assay.token('owner')
  const path = `/api/workspace/${workspace}/catalogs`
  for (const authorization of [token, `Basic ${token}`, `Bearer ${token} ${token}`, 'Bearer'])
    expectSamplesForm(await assay.call('GET', path, undefined, { authorization }), 401, 'UNAUTHORIZED')
  const inQuery = await assay.call('GET', `${path}?access_token=${token}&key=${token}`, undefined, {
    authorization: '',
  })
  expectSamplesForm(inQuery, 401, 'UNAUTHORIZED')
})
