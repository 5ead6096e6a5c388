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
interface Entry {
  readonly id: string
  readonly at: string
  readonly brandId: string | null
  readonly action: string
}
const read = async (query = '', headers = {}): Promise<Entry[]> =>
  (await assay.call('GET', `${base}/audit?limit=200${query}`, undefined, headers)).body.entries

test('200: every change of access and settings stands there once, with who, what, by which request, before and after', async () => {
  const id = 'change-1'
  const as = { 'x-request-id': id }
  const steps: readonly (readonly [string, () => ReturnType<Running['call']>])[] = [
    ['workspace.update', () => assay.call('PATCH', base, { name: 'Renamed' }, as)],
    ['brand.update', () => assay.call('PATCH', `${base}/brands/${second}`, { name: 'other' }, as)],
    [
      'member.create',
      () => assay.call('POST', `${base}/members`, { subject: 'm', role: 'viewer', brand_ids: [main] }, as),
    ],
    ['member.update', () => assay.call('PATCH', `${base}/members/m`, { role: 'editor' }, as)],
    ['member.delete', () => assay.call('DELETE', `${base}/members/m`, undefined, as)],
    [
      'policy.update',
      () =>
        assay.call('PUT', `${base}/policy`, { ip_allow: [], session_minutes: 60, require_second_factor: false }, as),
    ],
  ]
  for (const [, step] of steps) expect((await step()).status).toBeLessThan(300)
  const entries = (await read('&subject=test:admin')).filter((one) => 'requestId' in one && one.requestId === id)
  expect(entries.map(({ action }) => action)).toEqual(steps.map(([action]) => action).reverse())
  expect(entries.find(({ action }) => action === 'member.update')).toEqual({
    id: expect.any(String),
    at: expect.stringMatching(/Z$/),
    brandId: main,
    subject: 'test:admin',
    action: 'member.update',
    target: 'm',
    requestId: id,
    before: { role: 'viewer', allBrands: false, brandIds: [main] },
    after: { role: 'editor', allBrands: false, brandIds: [main] },
  })
})

test('a change that is refused leaves no row', async () => {
  const before = await read()
  expect((await assay.call('POST', `${base}/brands`, { name: 'main' })).status).toBe(409)
  expect((await assay.call('DELETE', `${base}/brands/${main}`)).status).toBe(409)
  expect(await read()).toEqual(before)
})

test('200: rows are found by action, subject and time', async () => {
  const all = await read()
  expect(await read('&action=brand.create')).toEqual(all.filter(({ action }) => action === 'brand.create'))
  expect(await read('&subject=nobody')).toEqual([])
  const { at } = all[2] as Entry
  expect(await read(`&since=${encodeURIComponent(at)}`)).toEqual(all.filter((one) => one.at >= at))
  expect(await read('&since=2199-01-01T00:00:00Z')).toEqual([])
})

test('200: pages hold every row once, newest first, also where many are of one instant and others come', async () => {
  await assay.system.catalog.pipeline.query(
    `insert into audit (audit_id, workspace_id, at, subject, action, target, request_id)
     select gen_random_uuid(), $1, '2020-01-01T00:00:00.123456Z'::timestamptz + (n / 4) * interval '1 microsecond', 's', 'x', 't', 'r'
       from generate_series(1, 30) n`,
    [workspace],
  )
  const wanted = (await read()).map(({ id }) => id)
  const seen: string[] = []
  for (let after = ''; ; ) {
    const { body } = await assay.call('GET', `${base}/audit?limit=3${after}`)
    seen.push(...body.entries.map(({ id }: Entry) => id))
    await assay.call('PATCH', base, { name: `meanwhile ${seen.length}` })
    if (body.next === null) break
    after = `&after=${body.next}`
  }
  expect(seen).toEqual(wanted)
})

test('400: a cursor that no list of this order gave out, a time that is none', async () => {
  const forge = (text: string) => Buffer.from(text).toString('base64url')
  const uuid = '00000000-0000-4000-8000-000000000001'
  for (const after of [
    'x',
    forge(`1:${uuid}`),
    forge(`2:${uuid}`),
    forge(`2:-1:${uuid}`),
    forge(`2:99999999999999999:${uuid}`),
  ])
    expectSamplesForm(await assay.call('GET', `${base}/audit?after=${after}`), 400, 'INVALID_REQUEST', 'after')
  for (const since of ['yesterday', '2020-01-01', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59%2B23:59'])
    expectSamplesForm(await assay.call('GET', `${base}/audit?since=${since}`), 400, 'INVALID_REQUEST', 'since')
  for (const query of ['action=%00', 'subject=a%00'])
    expectSamplesForm(await assay.call('GET', `${base}/audit?${query}`), 400, 'INVALID_REQUEST', query.split('=')[0])
})

test("200: a brand's admin reads what concerns that brand, also where they changed more", async () => {
  const mine = { authorization: `Bearer ${await assay.token('admin', { brand: main })}` }
  const rows = await read('', mine)
  expect(rows.length).toBeGreaterThan(0)
  for (const { brandId } of rows) expect(brandId).toBe(main)
})

test('the API’s role can neither change nor remove a row', async () => {
  const principal = { workspaceId: workspace, brandIds: '*' } as const
  for (const sql of ['delete from audit', `update audit set subject = 'x'`])
    await expect(assay.system.catalog.withTenant(principal, (tx) => tx.query(sql))).rejects.toThrow(/permission denied/)
})
