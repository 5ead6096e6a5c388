import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { insertJob } from '../../../infra/catalog/job-table.ts'
import type { RebuildTally } from '../../../infra/system/rebuild-tally.ts'
import { topics } from '../../../schemas/topics.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { differences } from '../../verified.ts'

vi.setConfig({ testTimeout: 60_000 })

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const sql = (text: string, values: unknown[] = []) => assay.system.catalog.pipeline.query(text, values)
const rowsOf = async (text: string, values: unknown[]) => (await sql(text, values)).rows

async function rebuild(catalog: string): Promise<RebuildTally> {
  const answer = await assay.call('POST', `${base}/catalogs/${catalog}/rebuild`, {})
  expect(answer.status, answer.text).toBe(202)
  const { status, result, error } = await assay.job(answer.body.job.id)
  expect(status, JSON.stringify(error)).toBe('completed')
  return result as unknown as RebuildTally
}

/** All that is kept of a catalog's products, as text, but for the counter of their writes. */
async function stored(catalog: string) {
  const whole = (table: string, key: string) =>
    rowsOf(`select (to_jsonb(t) - 'rev')::text as row from ${table} t where catalog_id = $1 order by ${key}`, [catalog])
  return {
    products: await whole('products', 'product_id'),
    scores: await whole('product_score', 'product_id'),
    ranks: await whole('product_rank', 'weights_number, product_id'),
    recent: await whole('product_recent', 'product_id'),
  }
}

/** What is told to others: none of it may grow by a rebuild that changes nothing. */
const told = async () =>
  (
    await sql(`select (select count(*) from outbox where kind not like 'job.%') as outbox, (select count(*) from mail) as mail,
                      (select count(*) from score_history) as history, (select count(*) from published) as published,
                      (select count(*) from import_outcome) as outcomes, (select count(*) from dead_record) as dead,
                      (select count(*) from refused) as refused, (select sum(next_offset) from log_counter where topic like 'products.bronze%') as log`)
  ).rows[0]

/** Until variants have what their parents have, in whatever catalog, since that too is appended; and lists what has changed. */
async function followed(catalog: string): Promise<void> {
  const families = 'select from family_due union all select from joined_family where due limit 1'
  while ((await rowsOf(families, [])).length > 0) await sleep(50)
  await assay.system.bulk.settled()
  while ((await rowsOf('select from rank_due where catalog_id = $1 limit 1', [catalog])).length > 0) await sleep(50)
}

const first = `sku,title,price,currency,description
R-1,Enamel mug,12.50,EUR,White and round
R-2,Oak stool,99.00,EUR,Stands on three legs
R-3,Linen towel,8.00,EUR,Soft
R-4,Iron pan,39.00,EUR,Heavy
`
const second = `sku,gtin,title,price,currency
R-1,4006381333931,Mug of enamel,13.00,EUR
R-2,,Oak stool,95.00,EUR
R-9,,Glass jar,4.00,EUR
`
const tees = `Handle,Title,Vendor,Variant SKU,Option1 Name,Option1 Value,Variant Price
tee,Tee,Lumo,T-S,Size,S,10.00
tee,,,T-M,,M,10.00
`

/** An edit of the product, as it stands on the log. */
async function aRecordOf(key: string): Promise<object> {
  const { log } = assay.system
  for await (const { value } of log.readKeys(topics.bronze, [key], await log.ends(topics.bronze))) {
    const record = JSON.parse(value.toString())
    if (record.source === 'api') return record
  }
  throw new Error('it has no edit')
}

/** Imports of several sources, edits, refused edits, undo, redo, deletions, a fork and its merge, a restore, and a letter that is dead. */
async function lived(): Promise<string> {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, first, { source: 'one' })
  const other = await assay.ingest(catalog, second, { source: 'two' })
  await assay.ingest(catalog, tees, { source: 'shop' })
  const id = async (sku: string) => (await assay.products(catalog, { sku }))[0]?.id ?? ''
  const path = async (sku: string) => `${base}/catalog/products/${await id(sku)}`
  await assay.call('PATCH', await path('R-1'), { title: 'Mug, edited' })
  const stale = await assay.call('PATCH', await path('R-1'), { title: 'Never' }, { 'if-match': '"1.999999"' })
  expect(stale.status).toBe(412)
  await assay.publish(catalog)
  await assay.change(other.result.importId, 'undo')
  await assay.call('DELETE', await path('R-3'))
  await assay.call('DELETE', await path('T-S'))
  const gone = await path('R-4')
  await assay.call('DELETE', gone)
  await assay.call('POST', `${gone}/undelete`, {})
  await assay.change(other.result.importId, 'redo')
  await assay.ingest(catalog, first.replace('39.00', '41.00'), { source: 'one' })
  const { body: forked } = await assay.call('POST', `${base}/catalogs/${catalog}/fork`, { name: randomUUID() })
  await assay.job(forked.job.id)
  const copy = forked.catalog.id
  const [own] = await assay.products(copy, { sku: 'R-2' })
  await assay.call('PATCH', `${base}/catalog/products/${own?.id}`, { description: 'Stands on four legs' })
  const merged = await assay.call('POST', `${base}/catalogs/${catalog}/merge`, { from: copy })
  await assay.job(merged.body.job.id)
  await assay.publish(catalog)
  const restored = await assay.call('POST', `${base}/catalogs/${catalog}/versions/1/restore`, {})
  await assay.job(restored.body.job.id)
  const key = await id('R-4')
  const refused = { ...(await aRecordOf(key)), cells: { title: 'Refused' }, ifRev: -1 }
  await assay.system.log.append(topics.bronze, [
    { key, value: 'no record' },
    { key, value: JSON.stringify(refused) },
  ])
  await assay.system.bulk.settled()
  await followed(catalog)
  return catalog
}

test('a catalog that nothing happened to is left byte for byte as it is, and nothing is told or counted again', async () => {
  const catalog = await lived()
  const [before, others] = [await stored(catalog), await told()]
  expect(others).toMatchObject({ dead: 1, refused: 1 })
  const { examples, ...tally } = await rebuild(catalog)
  expect(tally).toMatchObject({ mended: 0, restored: 0, unfounded: 0, failed: 0, stale: 0, ranks: 0 })
  expect(tally.equal).toBe(before.products.length)
  expect(examples).toEqual([])
  await followed(catalog)
  expect(await stored(catalog)).toEqual(before)
  expect(await told()).toEqual(others)
})

test('all rows that are lost come back from the log byte for byte, with their layers, scores, times and places in lists', async () => {
  const catalog = await lived()
  const before = await stored(catalog)
  const others = await told()
  for (const table of ['products', 'product_score', 'product_rank', 'product_recent'])
    await sql(`delete from ${table} where catalog_id = $1`, [catalog])
  const tally = await rebuild(catalog)
  expect(tally).toMatchObject({ equal: 0, mended: 0, restored: before.products.length, failed: 0 })
  await followed(catalog)
  expect(await stored(catalog)).toEqual(before)
  expect(await told()).toEqual(others)
  expect((await differences(assay.system, catalog)).differing).toEqual([])
})

describe('a row that was changed behind Assay’s back is mended', () => {
  test.each([
    ['layers', `layers = convert_to(replace(convert_from(layers, 'UTF8'), 'Enamel mug', 'Tin mug'), 'UTF8')`, 'merge'],
    ['layers that nobody can read', `layers = '\\x7b'`, 'merge'],
    ['when it was made', `created_at = '2020-01-01T00:00:00Z'`, 'merge'],
  ])('%s, and its times stay, since nobody saw it', async (_, change, step) => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, first, { source: 'one' })
    await followed(catalog)
    const before = await stored(catalog)
    await sql(`update products set ${change} where catalog_id = $1 and sku = 'R-1'`, [catalog])
    const { examples, ...tally } = await rebuild(catalog)
    expect(tally).toMatchObject({ compared: 4, equal: 3, mended: 1, differingAt: { [step]: 1 } })
    expect(examples).toMatchObject([{ sku: 'R-1', step }])
    await followed(catalog)
    expect(await stored(catalog)).toEqual(before)
  })

  test.each([
    ['a refined field', `refined = jsonb_set(refined, '{title}', '"Tin mug"')`],
    ['a column beside it', 'price_minor = 1'],
    ['that it is there at all', 'alive = false'],
  ])('%s, and readers of what changed are told', async (_, change) => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, first, { source: 'one' })
    const [was] = await assay.products(catalog, { sku: 'R-1' })
    await sql(`update products set ${change} where catalog_id = $1 and sku = 'R-1'`, [catalog])
    expect(await rebuild(catalog)).toMatchObject({ equal: 3, mended: 1 })
    const [now] = await assay.products(catalog, { sku: 'R-1' })
    expect({ ...now, updatedAt: null, scoredWith: null }).toEqual({ ...was, updatedAt: null, scoredWith: null })
    expect(Date.parse(now?.updatedAt ?? '')).toBeGreaterThan(Date.parse(was?.updatedAt ?? ''))
    expect(await rebuild(catalog)).toMatchObject({ equal: 4, mended: 0 })
  })

  test('a score, without a trace of the wrong one in its history, and an entry of a sorted list', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, first, { source: 'one' })
    await followed(catalog)
    const scores = () =>
      rowsOf(`select (to_jsonb(s) - 'scored_at')::text as row from product_score s where catalog_id = $1 order by 1`, [
        catalog,
      ])
    const [before, history] = [await scores(), (await told())?.history]
    await sql('update product_score set s4 = 1234 where catalog_id = $1', [catalog])
    await sql('update product_rank set score = 1 where catalog_id = $1', [catalog])
    expect(await rebuild(catalog)).toMatchObject({ equal: 0, mended: 4, differingAt: { gold: 4 } })
    expect(await scores()).toEqual(before)
    expect((await told())?.history).toBe(history)
    await followed(catalog)
    await sql('delete from product_rank where catalog_id = $1', [catalog])
    expect(await rebuild(catalog)).toMatchObject({ equal: 4, ranks: 4 })
  })
})

test('a row of which the log knows nothing stays, and is told', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, first, { source: 'one' })
  const foreign = randomUUID()
  await sql(`update products set product_id = $2 where catalog_id = $1 and sku = 'R-2'`, [catalog, foreign])
  const { examples, ...tally } = await rebuild(catalog)
  expect(tally).toMatchObject({ compared: 5, equal: 3, restored: 1, unfounded: 1 })
  expect(examples).toMatchObject([{ productId: foreign, positions: { records: 0 } }])
})

test('edits during a rebuild are kept, every one', async () => {
  const catalog = await assay.newCatalog()
  const many = Array.from({ length: 120 }, (_, n) => `M-${n},Mug ${n},1.00\n`).join('')
  await assay.ingest(catalog, `sku,title,price\n${many}`)
  await sql(`update products set title = 'wrong' where catalog_id = $1`, [catalog])
  const some = (await assay.products(catalog)).slice(0, 15)
  const running = rebuild(catalog)
  for (const { id, sku } of some)
    expect((await assay.call('PATCH', `${base}/catalog/products/${id}`, { title: `Edited ${sku}` })).status).toBe(200)
  expect((await running).failed).toBe(0)
  for (const { id, sku } of some)
    expect((await assay.call('GET', `${base}/catalog/products/${id}`)).body.product.title).toBe(`Edited ${sku}`)
  expect((await differences(assay.system, catalog)).differing).toEqual([])
})

test('one that was cut off goes on with the products that are left, and counts each once', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, first, { source: 'one' })
  const brand = (await rowsOf('select brand_id as id from catalog where catalog_id = $1', [catalog]))[0]?.id
  const id = randomUUID()
  await insertJob(assay.system.catalog.pipeline, {
    ...{ id, workspace, brand, catalog, kind: 'rebuild', input: {}, by: 'test' },
  })
  await sql(
    `insert into rebuild_item select $1, product_id, workspace_id, brand_id from products where catalog_id = $2 and sku = 'R-4'`,
    [id, catalog],
  )
  const tally = {
    ...{ compared: 3, equal: 2, stale: 0, mended: 1, restored: 0, unfounded: 0, failed: 0, ranks: 0 },
    ...{ differingAt: { merge: 0, silver: 1, gold: 0 }, examples: [] },
  }
  await sql(`update job set status = 'active', cursor = $2 where job_id = $1`, [
    ...[id, JSON.stringify({ phase: 'products', total: 4, tally })],
  ])
  await assay.system.rebuilding.run(id, new AbortController().signal)
  expect((await assay.job(id)).result).toMatchObject({ compared: 4, equal: 3, mended: 1 })
  expect(await rowsOf('select from rebuild_item', [])).toEqual([])
})

test('one that is cancelled says how far it came; a second one beside it is refused', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, first, { source: 'one' })
  const brand = (await rowsOf('select brand_id as id from catalog where catalog_id = $1', [catalog]))[0]?.id
  const id = randomUUID()
  await insertJob(assay.system.catalog.pipeline, {
    ...{ id, workspace, brand, catalog, kind: 'rebuild', input: {}, by: 'test' },
  })
  await sql(`update job set status = 'active' where job_id = $1`, [id])
  const second = await assay.call('POST', `${base}/catalogs/${catalog}/rebuild`, {})
  expect(second.status).toBe(409)
  expect(second.body.details.message).toBe(`The catalog is being rebuilt by job ${id}`)
  await expect(assay.system.rebuilding.run(id, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow('cancelled')
  await assay.system.rebuilding.end(id, new AbortController().signal)
  expect(await assay.job(id)).toMatchObject({
    status: 'failed',
    error: { code: 'cancelled', message: 'It was cancelled after 0 products; what it had mended by then stays.' },
  })
})
