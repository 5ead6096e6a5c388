import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertCatalog } from '../../../infra/catalog/tenants.ts'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import { ProviderAway } from '../../../infra/tokens.ts'
import { rights } from '../../../schemas/access.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { expectSamplesForm, expectStandardForm } from '../envelopes.ts'
import { openProbe, type Probe, probes, tokenOf } from './probe.ts'

let assay: Running
let probe: Probe
let main: string
const second = randomUUID()
const base = `/api/workspace/${workspace}`
beforeAll(async () => {
  assay = await startAssay()
  probe = await openProbe(assay)
  main = await probe.main()
  await probe.pool.query("insert into workspace (workspace_id, name) values ('ws_other', 'Other')")
  await probe.pool.query("insert into brand (brand_id, workspace_id, name) values ($1, $2, 'second')", [
    second,
    workspace,
  ])
  const made = { workspace, brand: second, name: 'Second', isDefault: true, autoPublish: 'off', by: 'test' } as const
  await insertCatalog(probe.pool, made)
  await probe.member('anna', 'admin')
  await probe.member('bert', 'editor', [main])
  await probe.member('cleo', 'viewer', [main, second])
  await probe.member('dora', 'viewer')
  await probe.member('dora', 'owner', '*', 'ws_other')
})
afterAll(async () => {
  await probe.app.close()
  await assay.close()
})

const who = async (subject: string, more: Parameters<typeof tokenOf>[1] = {}, url: string = probes.workspace) =>
  probe.ask(url, { as: tokenOf(subject, more) })

describe('a member', () => {
  test('has the rights of their role and the brands they are pinned to', async () => {
    expect((await who('anna')).body).toMatchObject({ kind: 'member', role: 'admin', brands: '*', brand: null })
    expect((await who('anna')).body.actions).toEqual([...rights.admin].sort())
    expect((await who('bert')).body).toMatchObject({ role: 'editor', brands: [main], brand: main })
    expect((await who('cleo')).body).toMatchObject({ brands: [main, second], brand: null })
  })

  test('403: of no workspace, or of another one', async () => {
    expectSamplesForm(await who('nobody'), 403, 'FORBIDDEN')
    const elsewhere = probes.workspace.replace(workspace, 'ws_other')
    expectSamplesForm(await who('anna', {}, elsewhere), 403, 'FORBIDDEN')
    expect((await who('dora', {}, elsewhere)).body).toMatchObject({ workspace: 'ws_other', role: 'owner' })
    expect((await who('dora')).body).toMatchObject({ workspace, role: 'viewer' })
  })

  test('403: of several workspaces, where the path names none', async () => {
    const answer = await who('dora', {}, probes.none)
    expectStandardForm(answer, 403, 'FORBIDDEN')
    expect(answer.body.error.message).toContain('several workspaces')
    expect((await who('anna', {}, probes.none)).body).toMatchObject({ workspace })
  })

  test('who is removed, or of another role, is so within five seconds', async () => {
    await probe.member('eve', 'editor')
    expect((await who('eve')).body.role).toBe('editor')
    await probe.pool.query("update member set role = 'viewer' where subject = 'eve'")
    probe.clock.ms += 5_000
    expect((await who('eve')).body.role).toBe('viewer')
    await probe.pool.query("delete from member where subject = 'eve'")
    probe.clock.ms += 5_000
    expectSamplesForm(await who('eve'), 403, 'FORBIDDEN')
  })

  test('may what both scopes and role allow; a person keeps what scopes that are none of ours say nothing of', async () => {
    const scoped = async (scopes: string[], machine = true) => (await who('bert', { scopes, machine })).body
    expect(await scoped(['mcp:feed:read', 'workspace:own', 'openid'])).toMatchObject({
      kind: 'machine',
      actions: ['mcp:feed:read'],
    })
    expect((await scoped(['openid', 'profile'], false)).actions).toEqual([...rights.editor].sort())
    expect(await scoped(['mcp:feed:read'], false)).toMatchObject({ kind: 'member', actions: ['mcp:feed:read'] })
    expectSamplesForm(await who('bert', { scopes: ['products:read'] }), 403, 'INSUFFICIENT_PERMISSIONS')
    // A machine whose scopes are misspelt, or none, may nothing.
    for (const scopes of [['catalog:read'], ['openid'], []])
      expectSamplesForm(await who('bert', { scopes, machine: true }), 403, 'INSUFFICIENT_PERMISSIONS')
  })
})

test('503, not 401: the provider is away', async () => {
  const { access } = serverPorts(assay.system)
  const verify = () => Promise.reject(new ProviderAway('away'))
  const other = await openProbe(assay, { access: { ...access, verify } })
  expectSamplesForm(await other.ask(probes.workspace, { as: 'a.b.c' }), 503, 'SERVER_002')
  const answer = await other.ask(probes.feed, { as: 'a.b.c' })
  expectStandardForm(answer, 503, 'SERVER_002')
  expect(answer.headers['retry-after']).toBe('5')
  await other.app.close()
})

describe('the active brand', () => {
  const ask = (subject: string, query = '', headers: Record<string, string> = {}) =>
    probe.ask(`${probes.workspace}${query}`, { as: tokenOf(subject), headers })

  test('is named by the header or the query, and narrows what is seen', async () => {
    for (const answer of [
      await ask('anna', `?brand_id=${second}`),
      await ask('cleo', '', { 'x-active-brand': second.toUpperCase() }),
      await ask('cleo', `?brand_id=${second}`, { 'x-active-brand': main }),
    ])
      expect(answer.body).toMatchObject({ brands: [second], brand: second })
    expect((await ask('anna', '?brand_id=all')).body).toMatchObject({ brands: '*', brand: null })
  })

  test('403: a brand of others, and all for who has not all', async () => {
    for (const answer of [
      await ask('bert', `?brand_id=${second}`),
      await ask('bert', '', { 'x-active-brand': second }),
      await ask('bert', '?brand_id=all'),
      await ask('bert', '', { 'x-active-brand': 'all' }),
    ])
      expectSamplesForm(answer, 403, 'FORBIDDEN', 'brand_id')
  })

  test('400: no UUID, nothing, or twice', async () => {
    for (const query of ['?brand_id=main', '?brand_id=', `?brand_id=${main}&brand_id=${second}`])
      expectSamplesForm(await ask('cleo', query, { 'x-active-brand': main }), 400, 'INVALID_REQUEST', 'brand_id')
    expectSamplesForm(await ask('cleo', '', { 'x-active-brand': '*' }), 400, 'INVALID_REQUEST', 'brand_id')
    expectSamplesForm(await ask('cleo', '', { 'x-active-catalog': 'x' }), 400, 'INVALID_REQUEST')
  })

  test('400: all, for what is of one brand', async () => {
    const answer = await probe.ask(`${probes.workspace}?brand_id=all`, { as: tokenOf('anna'), method: 'POST' })
    expectSamplesForm(answer, 400, 'INVALID_REQUEST', 'brand_id')
  })

  test('is named in the body of a write, within what the request named before', async () => {
    const write = (subject: string, brand_id: string, headers: Record<string, string> = {}) =>
      probe.ask(probes.workspace, { as: tokenOf(subject), method: 'POST', body: { brand_id }, headers })
    expect((await write('anna', second)).body).toMatchObject({ brands: [second], brand: second })
    expectSamplesForm(await write('bert', second), 403, 'FORBIDDEN', 'brand_id')
    expectSamplesForm(await write('anna', second, { 'x-active-brand': main }), 403, 'FORBIDDEN', 'brand_id')
    expectSamplesForm(await write('anna', 'x'), 400, 'INVALID_REQUEST', 'brand_id')
  })

  test('every write takes brand_id in its body', async () => {
    const as = { authorization: `Bearer ${await assay.token('admin')}` }
    const post = (path: string, body: object) => assay.call('POST', `${base}${path}`, body, as)
    const own = await post('/catalogs', { name: 'Own', brand_id: second })
    expect(own.body.catalog.brandId).toBe(second)
    const id = own.body.catalog.id
    const made = await post('/catalog/products', { title: 'Mug', price: 1, catalog_id: id, brand_id: second })
    expect(made.status).toBe(201)
    const path = `/catalog/products/${made.body.product.id}`
    const change = (brand_id: string) => assay.call('PATCH', `${base}${path}`, { title: 'Cup', brand_id }, as)
    expect((await change(second)).body.product.title).toBe('Cup')
    expectSamplesForm(await change(main), 404, 'NOT_FOUND', 'productId')
    expectSamplesForm(await assay.call('PATCH', `${base}${path}`, { brand_id: second }, as), 400, 'INVALID_REQUEST')
    const gold = (brand_id: string) => post(`/catalogs/${id}/batch/gold`, { scope: 'all', brand_id })
    expect((await gold(second)).status).toBe(200)
    expectSamplesForm(await gold(main), 404, 'CATALOG_NOT_FOUND', 'catalogId')
    const publish = (brand_id: string) => post(`/catalogs/${id}/publish`, { brand_id })
    expectSamplesForm(await publish(main), 404, 'CATALOG_NOT_FOUND', 'catalogId')
    expect((await publish(second)).status).toBe(202)
  })
})

describe('without a brand', () => {
  test('the main brand is taken; 400 naming brand_id for who may not use it', async () => {
    await probe.member('finn', 'editor', [second, randomUUID()])
    const create = (subject: string) =>
      probe.ask(`${base}/catalog/products`, { as: tokenOf(subject), method: 'POST', body: { title: 'Mug', price: 1 } })
    expect((await create('anna')).status).toBe(201)
    expectSamplesForm(await create('finn'), 400, 'INVALID_REQUEST', 'brand_id')
  })
})

test('X-Active-Catalog is the catalog where none is named', async () => {
  const one = await assay.newCatalog('one')
  const headers = { 'x-active-catalog': one }
  const products = `${base}/catalog/products`
  const made = await assay.call('POST', products, { title: 'Mug', price: 1, sku: 'A-1' }, headers)
  expect(made.body.product.catalogId).toBe(one)
  expect((await assay.call('GET', products, undefined, headers)).body.products).toHaveLength(1)
  const file = Buffer.from('sku,title,price,currency\nA-2,Cup,2,EUR\n')
  const started = await assay.call('POST', `${base}/datasets/ingest`, file, headers)
  await assay.job(started.body.job.id)
  expect(await assay.products(one)).toHaveLength(2)
  await assay.publish(one)
  const feed = await assay.call('GET', '/api/mcp/feed/google?q=mug', undefined, {
    ...headers,
    accept: 'application/x-ndjson',
  })
  expect({ status: feed.status, version: feed.headers['x-catalog-version'] }).toEqual({ status: 200, version: '1' })
  const nowhere = { 'x-active-catalog': randomUUID() }
  expectSamplesForm(await assay.call('GET', products, undefined, nowhere), 404, 'CATALOG_NOT_FOUND', 'catalog_id')
})
