import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DifferenceExample } from '../../../infra/system/difference-example.ts'
import { topics } from '../../../schemas/topics.ts'
import { rubricVersion } from '../../../transforms/gold/rubric.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { differences } from '../../verified.ts'
import { saveSettings, settled } from './pipeline.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
beforeEach(async () => {
  await saveSettings(assay, { auto_silver: true, auto_gold: true, currency: null })
  await settled(assay)
})
afterAll(() => assay.close())

interface Verification {
  readonly compared: number
  readonly equal: number
  readonly stale: number
  readonly differing: number
  readonly differingAt: Readonly<Record<string, number>>
  readonly examples: readonly DifferenceExample[]
}

const base = `/api/workspace/${workspace}`
const ask = (catalog: string, body: unknown) => assay.call('POST', `${base}/catalogs/${catalog}/verify`, body)
async function verify(catalog: string, body: unknown = { all: true }): Promise<Verification> {
  const answer = await ask(catalog, body)
  expect(answer.status, answer.text).toBe(202)
  const { status, result } = await assay.job(answer.body.job.id)
  expect(status).toBe('completed')
  return result as unknown as Verification
}
const sql = (text: string, values: unknown[]) => assay.system.catalog.pipeline.query(text, values)

const file = `sku,title,price,currency,description
V-1,Enamel mug,12.50,EUR,White and round
V-2,Oak stool,99.00,EUR,Stands on three legs
V-3,Linen towel,8.00,EUR,Soft
`
const tees = `Handle,Title,Vendor,Variant SKU,Option1 Name,Option1 Value,Variant Price
tee,Tee,Lumo,T-S,Size,S,10.00
tee,,,T-M,,M,10.00
`

async function filled(rows = file): Promise<string> {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, rows)
  return catalog
}
const idOf = async (catalog: string, sku: string) => (await assay.products(catalog, { sku }))[0]?.id ?? ''

test('products that are lost behind Assay’s back are found where all are looked at, and those that are gone by right are not', async () => {
  const catalog = await filled()
  const gone = await idOf(catalog, 'V-3')
  expect((await assay.call('DELETE', `${base}/catalog/products/${gone}`)).status).toBe(200)
  const lost = [await idOf(catalog, 'V-1'), await idOf(catalog, 'V-2')].sort()
  await sql('delete from product_score where product_id = any ($1)', [lost])
  await sql('delete from products where product_id = any ($1)', [lost])
  // Its identity is there before its record has come through.
  const early = randomUUID()
  await sql(
    `insert into product_identity (catalog_id, kind, value_hash, product_id, shared) values ($1, 2, decode(repeat('ab', 16), 'hex'), $2, false)`,
    [catalog, early],
  )
  expect(await verify(catalog)).toMatchObject({ compared: 3, equal: 1, differing: 2, lost: 2, lostProducts: lost })
  expect(await verify(catalog, { sample: 10 })).toMatchObject({ compared: 1, differing: 0, lost: 0 })
  const { body } = await assay.call('POST', `${base}/catalogs/${catalog}/rebuild`, {})
  await assay.job(body.job.id)
  expect(await verify(catalog)).toMatchObject({ compared: 3, equal: 3, differing: 0, lost: 0 })
})

describe('a value that was changed behind Assay’s back is found, under the first step that made it', () => {
  test('a cell of the merged state', async () => {
    const catalog = await filled()
    const id = await idOf(catalog, 'V-1')
    await sql(
      `update products set layers = convert_to(replace(convert_from(layers, 'UTF8'), 'Enamel mug', 'Tin mug'), 'UTF8') where product_id = $1`,
      [id],
    )
    const { examples, ...counts } = await verify(catalog)
    expect(counts).toMatchObject({
      ...{ compared: 3, equal: 2, stale: 0, differing: 1 },
      differingAt: { merge: 1, silver: 0, gold: 0 },
    })
    expect(examples).toEqual([
      {
        ...{ productId: id, sku: 'V-1', step: 'merge', stored: 'Tin mug', computed: 'Enamel mug' },
        at: expect.stringMatching(/^\/layers\/file:[^/]+\/cells\/title$/),
        ...{ settingsNumber: expect.any(Number), rubricVersion: expect.any(Number) },
        positions: {
          ...{ epoch: assay.system.log.epoch, partition: assay.system.log.partitionOf(id), records: 1 },
          ...{ first: expect.any(Number), last: expect.any(Number) },
        },
      },
    ])
  })

  test.each([
    ['a refined field', `refined = jsonb_set(refined, '{price}', '"13.50"')`, 'price', '13.50', '12.50'],
    ['a column beside it', `price_minor = 1350`, 'column price_minor', 1350, 1250],
    ['the content’s digest', `content_hash = decode('00', 'hex')`, 'content', '00', expect.stringMatching(/^\w{32}$/)],
  ])('%s', async (_, change, at, stored, computed) => {
    const catalog = await filled()
    const id = await idOf(catalog, 'V-1')
    await sql(`update products set ${change} where product_id = $1`, [id])
    const { differing, examples } = await verify(catalog)
    expect(differing).toBe(1)
    expect(examples).toMatchObject([{ productId: id, step: 'silver', at, stored, computed }])
  })

  test.each([
    ['the points of a rule', 'rule_points = set_byte(rule_points, 0, 7)', 'sku', 7, 100],
    ['a sub-score', 's4 = 1234', 'dimension pricing', 1234, 10_000],
    ['a platform’s verdict', 'valid = 1', 'valid', 1, 0],
  ])('%s', async (_, change, at, stored, computed) => {
    const catalog = await filled()
    const id = await idOf(catalog, 'V-1')
    await sql(`update product_score set ${change} where product_id = $1`, [id])
    const { differingAt, examples } = await verify(catalog)
    expect(differingAt).toEqual({ merge: 0, silver: 0, gold: 1 })
    expect(examples).toMatchObject([{ productId: id, step: 'gold', at, stored, computed }])
  })

  test('a score that is gone, and one that a deleted product has', async () => {
    const catalog = await filled()
    const [kept, gone] = [await idOf(catalog, 'V-1'), await idOf(catalog, 'V-2')]
    await assay.call('DELETE', `${base}/catalog/products/${gone}`)
    await sql(`update product_score set product_id = $2 where catalog_id = $1 and product_id = $3`, [
      catalog,
      gone,
      kept,
    ])
    const { examples } = await verify(catalog)
    const found = examples.map(({ productId, step, stored, computed }) => ({ productId, step, stored, computed }))
    expect(found.toSorted((one) => (one.productId === kept ? -1 : 1))).toEqual([
      { productId: kept, step: 'gold', stored: null, computed: 100 },
      { productId: gone, step: 'gold', stored: 100, computed: null },
    ])
  })

  test('layers that nobody can read, and a product that the log knows nothing of', async () => {
    const catalog = await filled()
    const [broken, foreign] = [await idOf(catalog, 'V-1'), '00000000-0000-4000-8000-00000000f0f0']
    await sql(`update products set layers = '\\x7b' where product_id = $1`, [broken])
    await sql(`update products set product_id = $2 where product_id = $1`, [await idOf(catalog, 'V-2'), foreign])
    const { differingAt, examples } = await verify(catalog)
    expect(differingAt).toEqual({ merge: 2, silver: 0, gold: 0 })
    expect(examples.find(({ productId }) => productId === broken)).toMatchObject({ at: '/layers', stored: null })
    expect(examples.find(({ productId }) => productId === foreign)).toMatchObject({
      at: '',
      computed: null,
      positions: { first: null, last: null, records: 0 },
    })
    // Whoever refines the workspace would not get past them.
    await sql('delete from products where catalog_id = $1', [catalog])
  })
})

describe('nothing differs', () => {
  test('after imports, edits, an undo, a redo and a deletion, of families as of singles', async () => {
    const catalog = await filled()
    const { result } = await assay.ingest(catalog, tees)
    await assay.ingest(catalog, file.replace('12.50', '13.00').replace('Soft', '__CLEAR__'))
    const parent = (await assay.products(catalog, { kind: 'parent' }))[0]?.id
    await assay.call('PATCH', `${base}/catalog/products/${parent}`, { title: 'Shirt' })
    await assay.call('PATCH', `${base}/catalog/products/${await idOf(catalog, 'V-2')}`, { price: 50 })
    await assay.call('DELETE', `${base}/catalog/products/${await idOf(catalog, 'V-3')}`)
    await assay.change(result.importId, 'undo')
    await assay.change(result.importId, 'redo')
    expect(await verify(catalog)).toMatchObject({ compared: 6, equal: 6, stale: 0, differing: 0, examples: [] })
  })

  test('after a change of settings, before and after products have followed it', async () => {
    const catalog = await filled('sku,title,price\nN-1,Mug,"1.500"\n')
    await saveSettings(assay, { currency: 'EUR', decimal_separator: ',', auto_silver: false })
    expect(await verify(catalog)).toMatchObject({ compared: 1, equal: 1, stale: 0 })
    await saveSettings(assay, { auto_silver: true })
    await settled(assay)
    expect((await assay.products(catalog))[0]).toMatchObject({ price: 1500, currency: 'EUR' })
    expect(await verify(catalog)).toMatchObject({ compared: 1, equal: 1, stale: 0 })
    await saveSettings(assay, { decimal_separator: null })
  })

  test('while records come in: each product is compared at one position', async () => {
    const catalog = await filled()
    let going = true
    const busy = (async () => {
      for (let n = 0; going; n++)
        await assay.call('PATCH', `${base}/catalog/products/${await idOf(catalog, 'V-1')}`, { title: `Mug ${n}` })
    })()
    try {
      for (let n = 0; n < 10; n++)
        expect(await differences(assay.system, catalog)).toEqual({ compared: 3, stale: 0, differing: [] })
    } finally {
      going = false
      await busy
    }
  })
})

describe('what cannot be told anew is stale, and its merged state is compared all the same', () => {
  test('a product with cells that nobody has refined', async () => {
    const catalog = await filled()
    await saveSettings(assay, { auto_silver: false })
    await assay.ingest(catalog, file.replace('Enamel mug', 'Tin mug').concat('V-4,New,1.00,EUR,Never refined\n'))
    expect(await verify(catalog)).toMatchObject({ compared: 4, equal: 3, stale: 1, differing: 0 })
    await sql(`update products set alive = false where product_id = $1`, [await idOf(catalog, 'V-1')])
    const { examples } = await verify(catalog)
    expect(examples).toMatchObject([{ step: 'merge', at: '/columns/alive', stored: false, computed: true }])
  })

  test('a score of a former rubric, and one from before gold was switched off', async () => {
    const catalog = await filled()
    await sql(`update product_score set rubric_version = 1 where product_id = $1`, [await idOf(catalog, 'V-1')])
    expect(await verify(catalog)).toMatchObject({ equal: 2, stale: 1, differing: 0 })
    await saveSettings(assay, { auto_gold: false })
    await assay.ingest(catalog, file.replace('Oak stool', 'Elm stool'))
    expect(await verify(catalog)).toMatchObject({ equal: 1, stale: 2, differing: 0 })
  })
})

describe('a sample', () => {
  test('has as many products as were asked for, each once, and all where there are no more', async () => {
    const rows = Array.from({ length: 40 }, (_, n) => `S-${n},Mug ${n},1.00,EUR,Round\n`)
    const catalog = await filled(file.split('\n', 1).concat('').join('\n') + rows.join(''))
    await sql(`update products set price_minor = 7 where catalog_id = $1`, [catalog])
    const some = await verify(catalog, { sample: 17 })
    expect(some).toMatchObject({ compared: 17, equal: 0, differing: 17 })
    expect(new Set(some.examples.map(({ productId }) => productId)).size).toBe(17)
    const most = await verify(catalog, undefined)
    expect(most).toMatchObject({ compared: 40, differing: 40 })
    expect(new Set(most.examples.map(({ productId }) => productId)).size).toBe(40)
  })

  test('is one thing and all is another: both are 400', async () => {
    const answer = await ask(await assay.newCatalog(), { sample: 5, all: true })
    expect(answer).toMatchObject({ status: 400, body: { details: { field: 'sample' } } })
  })
})

test('a verification writes nothing but its job', async () => {
  const catalog = await filled()
  await sql(`update products set price_minor = 7 where catalog_id = $1`, [catalog])
  const state = async () => {
    const { rows } = await sql(
      `select p.ctid, p.xmin, s.ctid as scored from products p join product_score s using (catalog_id, product_id) where catalog_id = $1 order by 1`,
      [catalog],
    )
    return { rows, ends: await assay.system.log.ends(topics.bronze) }
  }
  const before = await state()
  expect(await verify(catalog)).toMatchObject({ differing: 3 })
  expect(await state()).toEqual(before)
})

test('a score names its rubric, its weights, its settings and the records behind it', async () => {
  const catalog = await filled()
  const id = await idOf(catalog, 'V-1')
  const read = async () => (await assay.call('GET', `${base}/catalog/products/${id}`)).body.product
  const first = (await read()).scoredWith
  const partition = assay.system.log.partitionOf(id)
  const position = { epoch: assay.system.log.epoch, partition, offset: expect.any(Number) }
  const { settings } = (await assay.call('GET', `${base}/settings/pipeline`)).body
  expect(first).toEqual({
    ...{ rubricVersion, weightsNumber: expect.any(Number), settingsNumber: settings.number },
    positions: [position],
  })
  await assay.call('PATCH', `${base}/catalog/products/${id}`, { title: 'Tin mug' })
  expect((await read()).scoredWith.positions).toEqual([...first.positions, position])
  // Without the layers of each, which lists do not read.
  expect((await assay.products(catalog, { sku: 'V-1' }))[0]?.scoredWith).toMatchObject({ positions: null })
})

test('a catalog that is not there is 404', async () => {
  expect((await ask('00000000-0000-4000-8000-000000000001', {})).status).toBe(404)
})
