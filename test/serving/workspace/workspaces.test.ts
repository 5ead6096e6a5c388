import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import { plans } from '../../../schemas/plan.ts'
import type { TokenFacts } from '../../../serving/access/principal.ts'
import { buildServer } from '../../../serving/server.ts'
import { type Answer, type Running, startAssay, workspace } from '../../running.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let provided: FastifyInstance
beforeAll(async () => {
  assay = await startAssay()
  const ports = serverPorts(assay.system)
  provided = await buildServer({ ...ports, logger: null, access: { ...ports.access, verify: ofProvider } })
})
afterAll(async () => {
  await provided.close()
  await assay.close()
})

const facts = { scopes: null, issuedAt: 1, factors: [], machine: false, local: null }
/** Tokens of an identity provider say who their bearer is and nothing of workspaces. */
const ofProvider = async (token: string): Promise<TokenFacts | null> =>
  token === 'nobody' ? null : { ...facts, subject: token, machine: token.startsWith('machine') }

async function ask(
  who: string,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
): Promise<Answer> {
  const headers = { authorization: `Bearer ${who}` }
  const answer = await provided.inject({ method, url, headers, ...(body ? { payload: body } : {}) })
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload, body: answer.json() }
}
const make = async (who: string, name = 'Shop'): Promise<string> =>
  (await ask(who, 'POST', '/api/workspaces', { name })).body.workspace.id
const of = async (who: string) =>
  (await ask(who, 'GET', '/api/workspaces?limit=200')).body.workspaces.map(({ id }: { id: string }) => id)

test('201: a person without any workspace makes one, and is its owner from that moment', async () => {
  expect(await of('ada')).toEqual([])
  const { status, body } = await ask('ada', 'POST', '/api/workspaces', { name: ' Ada & Söhne ' })
  const made = {
    id: expect.stringMatching(/^ws_[a-z0-9]{16}$/),
    name: 'Ada & Söhne',
    plan: 'free',
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  }
  expect({ status, body }).toEqual({ status: 201, body: { workspace: made } })
  const { id } = body.workspace
  const base = `/api/workspace/${id}`
  expect((await ask('ada', 'GET', base)).body).toEqual(body)
  expect(await of('ada')).toEqual([id])
  expect((await ask('ada', 'GET', `${base}/brands`)).body.brands).toMatchObject([{ name: 'main' }])
  expect((await ask('ada', 'GET', `${base}/catalogs`)).body.catalogs).toMatchObject([{ isDefault: true }])
  expect((await ask('ada', 'GET', `${base}/members`)).body.members).toMatchObject([
    { subject: 'ada', role: 'owner', allBrands: true },
  ])
  expect((await ask('ada', 'GET', `${base}/audit`)).body.entries).toMatchObject([
    { action: 'workspace.create', subject: 'ada', target: id },
  ])
})

test('200: everyone lists their own, by pages, and renames them', async () => {
  const mine = [await make('bea'), await make('bea'), await make('bea')].sort()
  await make('cid')
  const first = (await ask('bea', 'GET', '/api/workspaces?limit=2')).body
  const rest = (await ask('bea', 'GET', `/api/workspaces?limit=2&after=${first.next}`)).body
  expect([...first.workspaces, ...rest.workspaces].map(({ id }: { id: string }) => id)).toEqual(mine)
  expect(rest.next).toBeNull()
  const renamed = await ask('bea', 'PATCH', `/api/workspace/${mine[0]}`, { name: 'New' })
  expect(renamed.body.workspace).toMatchObject({ id: mine[0], name: 'New' })
  for (const after of ['x', Buffer.from('3:main').toString('base64url')])
    expectSamplesForm(await ask('bea', 'GET', `/api/workspaces?after=${after}`), 400, 'INVALID_REQUEST', 'after')
})

test('a new member gets in at once, one who is removed is out at once', async () => {
  const base = `/api/workspace/${await make('dan')}`
  expectSamplesForm(await ask('eve', 'GET', base), 403, 'FORBIDDEN')
  const member = { subject: 'eve', role: 'viewer', all_brands: true }
  expect((await ask('dan', 'POST', `${base}/members`, member)).status).toBe(201)
  expect((await ask('eve', 'GET', base)).status).toBe(200)
  expectSamplesForm(await ask('eve', 'PATCH', base, { name: 'Hers' }), 403, 'INSUFFICIENT_PERMISSIONS')
  expect((await ask('dan', 'PATCH', `${base}/members/eve`, { role: 'admin' })).status).toBe(200)
  expect((await ask('eve', 'PATCH', base, { name: 'Hers' })).status).toBe(200)
  expect((await ask('dan', 'DELETE', `${base}/members/eve`)).status).toBe(200)
  expectSamplesForm(await ask('eve', 'GET', base), 403, 'FORBIDDEN')
})

test('200: a deleted workspace is closed at once to tokens and keys, and listed nowhere; its rows are kept', async () => {
  const id = await make('fay')
  const base = `/api/workspace/${id}`
  const { secret } = (
    await ask('fay', 'POST', `${base}/keys`, { name: 'k', scopes: ['catalogs:read'], brand_id: null })
  ).body
  expect((await ask(secret, 'GET', `${base}/catalogs`)).status).toBe(200)
  await ask('fay', 'POST', `${base}/members`, { subject: 'gus', role: 'admin', all_brands: true })
  expectSamplesForm(await ask('gus', 'DELETE', base), 403, 'INSUFFICIENT_PERMISSIONS')
  expect((await ask('fay', 'DELETE', base)).body).toEqual({ workspaceId: id, deleted: true })
  for (const who of ['fay', 'gus', secret])
    expectSamplesForm(await ask(who, 'GET', `${base}/catalogs`), 403, 'FORBIDDEN')
  expectSamplesForm(await ask('fay', 'DELETE', base), 403, 'FORBIDDEN')
  expect(await of('fay')).toEqual([])
  const sql = 'select count(*) as kept from audit where workspace_id = $1'
  expect((await assay.system.catalog.pipeline.query(sql, [id])).rows[0].kept).toBe(4)
})

test('401 and 403: no token, a token that is nobody’s, a machine, a key', async () => {
  for (const [method, body] of [['GET'], ['POST', { name: 'x' }]] as const) {
    expectSamplesForm(await ask('', method, '/api/workspaces', body), 401, 'UNAUTHORIZED')
    expectSamplesForm(await ask('nobody', method, '/api/workspaces', body), 401, 'UNAUTHORIZED')
    expectSamplesForm(await ask('machine-1', method, '/api/workspaces', body), 403, 'FORBIDDEN')
    expectSamplesForm(await ask(`ask_live_${'x'.repeat(50)}`, method, '/api/workspaces', body), 403, 'FORBIDDEN')
  }
})

test('201 and 403: of the local issuer’s tokens those of owners make workspaces', async () => {
  const made = async (role: 'owner' | 'admin') =>
    assay.call('POST', '/api/workspaces', { name: 'x' }, { authorization: `Bearer ${await assay.token(role)}` })
  const { status, body } = await made('owner')
  expect(status).toBe(201)
  expectSamplesForm(await made('admin'), 403, 'INSUFFICIENT_PERMISSIONS')
  const listed = await assay.call('GET', '/api/workspaces', undefined, {
    authorization: `Bearer ${await assay.token('owner')}`,
  })
  const ids = listed.body.workspaces.map(({ id }: { id: string }) => id)
  expect(ids.sort()).toEqual([body.workspace.id, workspace].sort())
})

test('400: a name that is none, a field that is none', async () => {
  for (const [body, field] of [
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'a\u0000' }, 'name'],
    [{ name: 'x', plan: 'team' }, 'plan'],
  ] as const)
    expectSamplesForm(await ask('hal', 'POST', '/api/workspaces', body), 400, 'INVALID_REQUEST', field)
  expect(await of('hal')).toEqual([])
})

test("403: a brand's owner neither renames nor deletes the workspace", async () => {
  const base = `/api/workspace/${workspace}`
  const [{ id: brand }] = (await assay.call('GET', `${base}/brands`)).body.brands
  const mine = { authorization: `Bearer ${await assay.token('owner', { brand })}` }
  expectSamplesForm(await assay.call('PATCH', base, { name: 'Mine' }, mine), 403, 'FORBIDDEN')
  expectSamplesForm(await assay.call('DELETE', base, undefined, mine), 403, 'FORBIDDEN')
  expect((await assay.call('GET', base)).status).toBe(200)
})

test('200: usage tells the plan, its limits and what is used; 403 PLAN_LIMIT once it is all used', async () => {
  const base = `/api/workspace/${workspace}`
  const pool = assay.system.catalog.pipeline
  await pool.query(`update workspace set plan = 'free' where workspace_id = $1`, [workspace])
  const catalog = await assay.newCatalog()
  const lines = Array.from({ length: plans.free.products - 2 }, (_, i) => `S-${i},Mug ${i}`)
  const file = `sku,title\n${lines.join('\n')}\n`
  await assay.ingest(catalog, file)
  const create = (sku: string) => assay.call('POST', `${base}/catalog/products`, { title: 'Mug', price: 1, sku })
  expect((await create('N-1')).status).toBe(201)
  expect((await create('N-1')).status).toBe(409)
  const answers = await Promise.all(['N-2', 'N-3'].map(create))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 403])
  for (const answer of answers.filter(({ status }) => status === 403)) expectSamplesForm(answer, 403, 'PLAN_LIMIT')
  expect((await assay.call('GET', `${base}/usage`)).body).toEqual({
    plan: 'free',
    limits: plans.free,
    used: { products: plans.free.products, members: 0, storedBytes: Buffer.byteLength(file), aiSpendCents: 0 },
  })
})
