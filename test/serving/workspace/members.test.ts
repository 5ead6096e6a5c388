import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let main: string
let second: string
let owner: { authorization: string }
beforeAll(async () => {
  assay = await sharedAssay()
  main = (await assay.call('GET', `${base}/brands`)).body.brands[0].id
  second = (await assay.call('POST', `${base}/brands`, { name: 'second' })).body.brand.id
  owner = await as('owner')
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const nowhere = '00000000-0000-4000-8000-000000000001'
const as = async (role: 'owner' | 'admin', more: { brand?: string; subject?: string } = {}) => {
  const claims = { subject: `test:${role}`, workspace, role, brand: null, scope: '', ...more }
  return { authorization: `Bearer ${await assay.system.tokens.sign(claims, 3_600)}` }
}
const path = (subject: string) => `${base}/members/${encodeURIComponent(subject)}`
const add = (body: object, who = owner) => assay.call('POST', `${base}/members`, body, who)
const change = (subject: string, body: object, who = owner) => assay.call('PATCH', path(subject), body, who)
const remove = (subject: string, who = owner) => assay.call('DELETE', path(subject), undefined, who)
const read = async (subject: string) => (await assay.call('GET', path(subject), undefined, owner)).body.member
const owners = async () => {
  const { members } = (await assay.call('GET', `${base}/members?limit=200`, undefined, owner)).body
  return members
    .filter(({ role }: { role: string }) => role === 'owner')
    .map(({ subject }: { subject: string }) => subject)
}

test('201 and 200: a member is added, read, changed and removed, whatever letters the subject has', async () => {
  const subject = 'auth0|a/b?c#%41+e'
  const made = await add({ subject, email: 'a@example.org', name: ' Ada ', role: 'editor', brand_ids: [main, main] })
  const member = {
    subject,
    email: 'a@example.org',
    name: 'Ada',
    role: 'editor',
    allBrands: false,
    brandIds: [main],
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  }
  expect({ status: made.status, body: made.body }).toEqual({ status: 201, body: { member } })
  expect(await read(subject)).toEqual(member)
  expectSamplesForm(await add({ subject, role: 'viewer', all_brands: true }), 409, 'CONFLICT', 'subject')
  expect((await change(subject, { all_brands: true, role: 'admin' })).body.member).toMatchObject({
    role: 'admin',
    allBrands: true,
    brandIds: [],
  })
  expect((await change(subject, { brand_ids: [second] })).body.member).toMatchObject({
    role: 'admin',
    allBrands: false,
    brandIds: [second],
  })
  expect((await remove(subject)).body).toEqual({ subject, deleted: true })
  for (const answer of [
    await remove(subject),
    await change(subject, { role: 'viewer' }),
    await assay.call('GET', path(subject)),
  ])
    expectSamplesForm(answer, 404, 'NOT_FOUND', 'subject')
})

test('400: a member without brands, with both ways of saying them, or an owner of few', async () => {
  const refused: readonly (readonly [object, string | undefined])[] = [
    [{ subject: 'x', role: 'viewer' }, 'brand_ids'],
    [{ subject: 'x', role: 'viewer', all_brands: true, brand_ids: [main] }, 'brand_ids'],
    [{ subject: 'x', role: 'owner', brand_ids: [main] }, 'all_brands'],
    [{ subject: 'x', role: 'chief', all_brands: true }, 'role'],
    [{ subject: '', role: 'viewer', all_brands: true }, 'subject'],
    [{ subject: 'key:1', role: 'viewer', all_brands: true }, 'subject'],
    [{ subject: 'a\u0000b', role: 'viewer', all_brands: true }, 'subject'],
    [{ subject: 'x'.repeat(256), role: 'viewer', all_brands: true }, 'subject'],
    [{ subject: 'x', role: 'viewer', all_brands: true, email: 'nobody' }, 'email'],
    [{ subject: 'x', role: 'viewer', brand_ids: ['main'] }, 'brand_ids.0'],
    [{ subject: 'x', role: 'viewer', all_brands: true, plan: 'team' }, 'plan'],
  ]
  for (const [body, field] of refused) expectSamplesForm(await add(body), 400, 'INVALID_REQUEST', field)
  expectSamplesForm(await change('x', {}), 400, 'INVALID_REQUEST')
  expectSamplesForm(await add({ subject: 'x', role: 'viewer', brand_ids: [nowhere] }), 403, 'FORBIDDEN', 'brand_ids')
})

describe('owners', () => {
  test('403: an admin neither makes, lowers nor removes one', async () => {
    await add({ subject: 'o1', role: 'owner', all_brands: true })
    await add({ subject: 'o2', role: 'owner', all_brands: true })
    await add({ subject: 'a1', role: 'admin', all_brands: true })
    const admin = await as('admin')
    for (const answer of [
      await add({ subject: 'x', role: 'owner', all_brands: true }, admin),
      await change('a1', { role: 'owner' }, admin),
      await change('o1', { role: 'viewer' }, admin),
      await remove('o1', admin),
    ])
      expectSamplesForm(answer, 403, 'INSUFFICIENT_PERMISSIONS')
    expect(await owners()).toEqual(['o1', 'o2'])
  })

  test('409: of all who leave or are lowered at once one stays, each time', async () => {
    for (let round = 0; round < 5; round++) {
      for (const subject of ['o1', 'o2', 'o3', 'o4']) {
        await add({ subject, role: 'owner', all_brands: true })
        await change(subject, { role: 'owner' })
      }
      const answers = await Promise.all([
        remove('o1'),
        change('o2', { role: 'admin' }),
        remove('o3'),
        change('o4', { role: 'viewer' }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409])
      for (const answer of answers.filter(({ status }) => status === 409)) expectSamplesForm(answer, 409, 'CONFLICT')
      expect(await owners()).toHaveLength(1)
    }
  })

  test('409: nor does the last one lower or remove themselves', async () => {
    const [last] = await owners()
    const self = await as('owner', { subject: last })
    expectSamplesForm(await remove(last, self), 409, 'CONFLICT')
    expectSamplesForm(await change(last, { role: 'admin' }, self), 409, 'CONFLICT')
    expect(await owners()).toEqual([last])
  })
})

test('403: nobody raises themselves, neither by role nor by brands; going down is free', async () => {
  await add({ subject: 'low', role: 'editor', brand_ids: [main] })
  const self = await as('admin', { subject: 'low' })
  for (const body of [{ role: 'admin' }, { all_brands: true }, { brand_ids: [main, second] }])
    expectSamplesForm(await change('low', body, self), 403, 'FORBIDDEN')
  expect((await change('low', { role: 'viewer' }, self)).status).toBe(200)
  expect(await read('low')).toMatchObject({ role: 'viewer', brandIds: [main] })
})

test("403 and 404: a brand's admin has to do with that brand's members alone", async () => {
  const mine = await as('admin', { brand: main })
  expect((await add({ subject: 'mine', role: 'viewer', brand_ids: [main] }, mine)).status).toBe(201)
  for (const brands of [{ all_brands: true }, { brand_ids: [main, second] }, { brand_ids: [nowhere] }]) {
    expectSamplesForm(await add({ subject: 'x', role: 'viewer', ...brands }, mine), 403, 'FORBIDDEN', 'brand_ids')
    expectSamplesForm(await change('mine', brands, mine), 403, 'FORBIDDEN', 'brand_ids')
  }
  await add({ subject: 'theirs', role: 'viewer', brand_ids: [second] })
  await add({ subject: 'both', role: 'viewer', brand_ids: [main, second] })
  await add({ subject: 'all', role: 'viewer', all_brands: true })
  for (const subject of ['theirs', 'both', 'all']) {
    for (const answer of [
      await assay.call('GET', path(subject), undefined, mine),
      await change(subject, { role: 'editor' }, mine),
      await remove(subject, mine),
    ])
      expectSamplesForm(answer, 404, 'NOT_FOUND', 'subject')
    expect(await read(subject)).toMatchObject({ role: 'viewer' })
  }
  const { members } = (await assay.call('GET', `${base}/members?limit=200`, undefined, mine)).body
  for (const { brandIds } of members) expect(brandIds).toEqual([main])
})

test('403: the plan bounds the members, also for who sees few of them and asks twice at once', async () => {
  await assay.system.catalog.pipeline.query(`update workspace set plan = 'free' where workspace_id = $1`, [workspace])
  const { members } = (await assay.call('GET', `${base}/members?limit=200`)).body
  const [keep] = await owners()
  for (const { subject } of members) if (subject !== keep) expect((await remove(subject)).status).toBe(200)
  await add({ subject: 'n1', role: 'viewer', all_brands: true })
  const mine = await as('admin', { brand: main })
  const answers = await Promise.all(
    ['n2', 'n3', 'n4'].map((subject) => add({ subject, role: 'viewer', brand_ids: [main] }, mine)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403])
  for (const answer of answers.filter(({ status }) => status === 403)) expectSamplesForm(answer, 403, 'PLAN_LIMIT')
  expect((await assay.call('GET', `${base}/usage`)).body).toMatchObject({
    plan: 'free',
    used: { members: 3 },
    limits: { members: 3 },
  })
})

test('200: pages hold every member once, in order', async () => {
  const first = (await assay.call('GET', `${base}/members?limit=2`)).body
  const rest = (await assay.call('GET', `${base}/members?limit=2&after=${first.next}`)).body
  const seen = [...first.members, ...rest.members].map(({ subject }: { subject: string }) => subject)
  expect(seen).toEqual([...new Set(seen)].sort())
  expect({ count: seen.length, next: rest.next }).toEqual({ count: 3, next: null })
  const forged = [
    Buffer.from('3:a\u0000').toString('base64url'),
    Buffer.from(`1:${nowhere}`).toString('base64url'),
    'x',
    'é',
  ]
  for (const after of forged)
    expectSamplesForm(
      await assay.call('GET', `${base}/members?after=${encodeURIComponent(after)}`),
      400,
      'INVALID_REQUEST',
      'after',
    )
})
