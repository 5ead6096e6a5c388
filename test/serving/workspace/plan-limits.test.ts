import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plans, workspacesPerPerson } from '../../../schemas/plan.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
  await sql(`update workspace set plan = 'free' where workspace_id = $1`, [workspace])
})
afterAll(() => assay.close())

const sql = (text: string, values: unknown[] = []) => assay.system.catalog.pipeline.query(text, values)
const limit = plans.free.products
const file = (from: number, to: number, title = 'Mug') =>
  ['sku,title,price', ...Array.from({ length: to - from }, (_, i) => `S-${from + i},${title} ${from + i},1.50`)].join(
    '\n',
  )
const logged = async () =>
  (await sql(`select coalesce(sum(n), 0)::int as n from log where topic = 'products.bronze'`)).rows[0].n

test('an import that brings more products than the plan takes is refused whole, in figures, before any of it is taken', async () => {
  const catalog = await assay.newCatalog()
  const before = await logged()
  const job = await assay.ingest(catalog, file(0, limit + 1))
  expect(job).toMatchObject({ status: 'failed', error: { code: 'PLAN_LIMIT' } })
  expect(job.error?.message).toContain(`${limit + 1} new products`)
  expect(await assay.products(catalog)).toEqual([])
  expect(await logged()).toBe(before)

  // Doubles in the file are no products.
  const doubled = `${file(0, limit)}\n${file(0, 1).split('\n')[1]}`
  expect((await assay.ingest(catalog, doubled)).result).toMatchObject({ created: limit, duplicate: 1 })
  expect((await assay.ingest(catalog, file(0, limit))).result).toMatchObject({ created: 0, unchanged: limit })
  expect((await assay.ingest(catalog, file(0, limit, 'Cup'))).result).toMatchObject({ created: 0, updated: limit })

  const one = await assay.ingest(catalog, file(0, limit + 1, 'Pot'))
  expect(one).toMatchObject({ status: 'failed', error: { code: 'PLAN_LIMIT' } })
  expect(one.error?.message).toContain('1 new products, and the plan takes 0 more')
  const [first] = await assay.products(catalog, { sku: 'S-0' })
  expect(first?.title).toBe('Cup 0')
}, 60_000)

test('403: a file that is larger than what the plan still keeps is refused, and nothing of it stays', async () => {
  const catalog = await assay.newCatalog()
  await sql(
    'update import set bytes = $2 where import_id = (select import_id from import where workspace_id = $1 limit 1)',
    [workspace, plans.free.storedBytes],
  )
  const imports = (await sql('select count(*) as n from import')).rows[0].n
  const url = `/api/workspace/${workspace}/datasets/ingest?catalog_id=${catalog}`
  const answer = await assay.call('POST', url, file(0, 2), { 'content-type': 'text/csv' })
  expectSamplesForm(answer, 403, 'PLAN_LIMIT')
  expect((await sql('select count(*) as n from import')).rows[0].n).toBe(imports)
})

test('403: a person makes workspaces up to a number, and as many again as they delete', async () => {
  const authorization = `Bearer ${await assay.token('owner')}`
  const make = () => assay.call('POST', '/api/workspaces', { name: 'Another' }, { authorization })
  const first = await make()
  expect(first.status).toBe(201)
  const { subject } = (await sql(`select subject from member where workspace_id = $1`, [first.body.workspace.id]))
    .rows[0]
  for (let i = 1; i < workspacesPerPerson; i++) {
    const id = `ws_${randomUUID().replaceAll('-', '')}`
    await sql('insert into workspace (workspace_id, name) values ($1, $1)', [id])
    await sql(
      `insert into member (workspace_id, subject, role, all_brands, created_by) values ($1, $2, 'owner', true, 'test')`,
      [id, subject],
    )
  }
  expectSamplesForm(await make(), 403, 'PLAN_LIMIT')
  await sql('update workspace set deleted_at = now() where workspace_id = $1', [first.body.workspace.id])
  expect((await make()).status).toBe(201)
})
