import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let main: string
let second: string
beforeAll(async () => {
  assay = await sharedAssay()
  main = (await assay.call('GET', `${base}/brands`)).body.brands[0].id
  second = (await assay.call('POST', `${base}/brands`, { name: 'second' })).body.brand.id
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const nowhere = '00000000-0000-4000-8000-000000000001'
const newKey = { name: 'Feeds', scopes: ['catalogs:read'], brand_id: null as string | null }
const make = async (more: object = {}) => (await assay.call('POST', `${base}/keys`, { ...newKey, ...more })).body
const use = async (secret: string) =>
  (await assay.call('GET', `${base}/catalogs`, undefined, { authorization: '', 'x-api-key': secret })).status
const pinned = async (brand = main) => ({ authorization: `Bearer ${await assay.token('admin', { brand })}` })

test('201: a key is shown once and works at once; whoever reads it later sees no secret', async () => {
  const expires = '2199-01-01T00:00:00+02:00'
  const made = await assay.call('POST', `${base}/keys`, {
    ...newKey,
    brand_id: main.toUpperCase(),
    expires_at: expires,
  })
  expect({ status: made.status, body: made.body }).toEqual({
    status: 201,
    body: {
      secret: expect.stringMatching(/^ask_live_[0-9A-Za-z]{50}$/),
      key: {
        id: expect.any(String),
        name: 'Feeds',
        prefix: made.body.secret.slice(9, 21),
        brandId: main,
        scopes: ['catalogs:read'],
        createdBy: 'test:admin',
        createdAt: expect.stringMatching(/Z$/),
        expiresAt: '2198-12-31T22:00:00.000Z',
        lastUsedAt: null,
        revokedAt: null,
        rotatedTo: null,
      },
    },
  })
  const { key, secret } = made.body
  expect(await use(secret)).toBe(200)
  for (const path of [`${base}/keys/${key.id}`, `${base}/keys?limit=200`, `${base}/audit?limit=200`]) {
    const { status, text } = await assay.call('GET', path)
    expect(status).toBe(200)
    expect(text).toContain(key.prefix)
    expect(text).not.toContain(secret.slice(21))
  }
})

test('200: a revoked key is refused at once, stays in the list, and may be revoked again', async () => {
  const { key, secret } = await make()
  expect(await use(secret)).toBe(200)
  // That it was used is written beside the answer, and no later than what is compared below.
  const lastUse = async () => (await assay.call('GET', `${base}/keys/${key.id}`)).body.key.lastUsedAt
  await expect.poll(lastUse).toMatch(/Z$/)
  const revoked = await assay.call('DELETE', `${base}/keys/${key.id}`)
  expect(revoked.status).toBe(200)
  expect(revoked.body.key.revokedAt).toMatch(/Z$/)
  expect(await use(secret)).toBe(401)
  expect((await assay.call('DELETE', `${base}/keys/${key.id}`)).body).toEqual(revoked.body)
  expectSamplesForm(await assay.call('POST', `${base}/keys/${key.id}/rotate`), 409, 'CONFLICT')
})

test('201: after a rotation both keys work, the old one for the overlap and never longer than it would have', async () => {
  const expires = new Date(Date.now() + 600_000).toISOString()
  const { key, secret } = await make({ brand_id: main, expires_at: expires })
  const { status, body } = await assay.call('POST', `${base}/keys/${key.id}/rotate`, { overlap_minutes: 10_080 })
  expect(status).toBe(201)
  expect(body.key).toMatchObject({ name: 'Feeds', brandId: main, scopes: newKey.scopes, expiresAt: expires })
  expect([await use(secret), await use(body.secret)]).toEqual([200, 200])
  const old = (await assay.call('GET', `${base}/keys/${key.id}`)).body.key
  expect(old).toMatchObject({ expiresAt: expires, rotatedTo: body.key.id })
  expectSamplesForm(await assay.call('POST', `${base}/keys/${key.id}/rotate`), 409, 'CONFLICT')
})

test('201: a rotation without overlap ends the old key at once; without a word it leaves an hour', async () => {
  const { key, secret } = await make()
  expect(await use(secret)).toBe(200)
  const { body } = await assay.call('POST', `${base}/keys/${key.id}/rotate`, { overlap_minutes: 0 })
  expect([await use(secret), await use(body.secret)]).toEqual([401, 200])
  await assay.call('POST', `${base}/keys/${body.key.id}/rotate`)
  const old = (await assay.call('GET', `${base}/keys/${body.key.id}`)).body.key
  expect(Date.parse(old.expiresAt) - Date.now()).toBeGreaterThan(59 * 60_000)
  expect(Date.parse(old.expiresAt) - Date.now()).toBeLessThanOrEqual(60 * 60_000)
})

test('409: of two rotations at once one makes a key', async () => {
  const { key } = await make()
  const path = `${base}/keys/${key.id}/rotate`
  const answers = await Promise.all([1, 2, 3].map(() => assay.call('POST', path)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
})

test('400: a key of nothing, of what only people do, of no brand said, or of the past', async () => {
  const refused: readonly (readonly [unknown, string])[] = [
    [{ ...newKey, name: 'a\u0000b' }, 'name'],
    [{ ...newKey, scopes: [] }, 'scopes'],
    [{ ...newKey, scopes: ['members:write'] }, 'scopes.0'],
    [{ ...newKey, scopes: ['everything'] }, 'scopes.0'],
    [{ name: 'x', scopes: ['catalogs:read'] }, 'brand_id'],
    [{ ...newKey, expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ ...newKey, expires_at: '0000-01-01T00:00:00Z' }, 'expires_at'],
    [{ ...newKey, expires_at: 'tomorrow' }, 'expires_at'],
    [{ ...newKey, key: 'ask_live_mine' }, 'key'],
  ]
  for (const [body, field] of refused)
    expectSamplesForm(await assay.call('POST', `${base}/keys`, body), 400, 'INVALID_REQUEST', field)
  const { key } = await make()
  for (const overlap_minutes of [-1, 10_081, 0.5, 'long'])
    expectSamplesForm(
      await assay.call('POST', `${base}/keys/${key.id}/rotate`, { overlap_minutes }),
      400,
      'INVALID_REQUEST',
      'overlap_minutes',
    )
})

test('403: nobody makes or rotates a key that may do more than they, by scope or by brand', async () => {
  const few = await assay.system.tokens.sign(
    { subject: 'ci', workspace, role: 'owner', brand: null, scope: 'keys:write catalogs:read' },
    60,
  )
  const as = { authorization: `Bearer ${few}` }
  expect((await assay.call('POST', `${base}/keys`, newKey, as)).status).toBe(201)
  const more = { ...newKey, scopes: ['catalogs:read', 'products:write'] }
  expectSamplesForm(await assay.call('POST', `${base}/keys`, more, as), 403, 'INSUFFICIENT_PERMISSIONS', 'scopes')
  const { key } = await make({ scopes: more.scopes })
  const rotated = await assay.call('POST', `${base}/keys/${key.id}/rotate`, undefined, as)
  expectSamplesForm(rotated, 403, 'INSUFFICIENT_PERMISSIONS', 'scopes')

  const mine = await pinned()
  expect((await assay.call('POST', `${base}/keys`, { ...newKey, brand_id: main }, mine)).status).toBe(201)
  expectSamplesForm(await assay.call('POST', `${base}/keys`, newKey, mine), 403, 'FORBIDDEN')
  for (const brand_id of [second, nowhere])
    expectSamplesForm(
      await assay.call('POST', `${base}/keys`, { ...newKey, brand_id }, mine),
      403,
      'FORBIDDEN',
      'brand_id',
    )
  expectSamplesForm(
    await assay.call('POST', `${base}/keys`, { ...newKey, brand_id: nowhere }),
    403,
    'FORBIDDEN',
    'brand_id',
  )
})

test("404: another brand's keys and those of the whole workspace are not there for a brand's admin", async () => {
  const mine = await pinned()
  for (const brand_id of [second, null]) {
    const { key } = await make({ brand_id })
    const path = `${base}/keys/${key.id}`
    for (const [method, url] of [
      ['GET', path],
      ['POST', `${path}/rotate`],
      ['DELETE', path],
    ] as const)
      expectSamplesForm(await assay.call(method, url, undefined, mine), 404, 'NOT_FOUND', 'keyId')
    expect((await assay.call('GET', path)).body.key.revokedAt).toBeNull()
  }
  const { keys } = (await assay.call('GET', `${base}/keys?limit=200`, undefined, mine)).body
  expect(new Set(keys.map(({ brandId }: { brandId: string }) => brandId))).toEqual(new Set([main]))
  expectSamplesForm(await assay.call('GET', `${base}/keys/${nowhere}`), 404, 'NOT_FOUND', 'keyId')
  expectSamplesForm(await assay.call('GET', `${base}/keys/first`), 400, 'INVALID_REQUEST', 'keyId')
})

test('200: pages hold every key once; a cursor of another list is refused', async () => {
  const all = (await assay.call('GET', `${base}/keys?limit=200`)).body.keys
  const seen: string[] = []
  for (let after = ''; ; ) {
    const { body } = await assay.call('GET', `${base}/keys?limit=4${after}`)
    seen.push(...body.keys.map(({ id }: { id: string }) => id))
    if (body.next === null) break
    after = `&after=${body.next}`
  }
  expect(seen).toEqual(all.map(({ id }: { id: string }) => id))
  const { next } = (await assay.call('GET', `${base}/audit?limit=1`)).body
  for (const after of [next, 'x'])
    expectSamplesForm(await assay.call('GET', `${base}/keys?after=${after}`), 400, 'INVALID_REQUEST', 'after')
})
