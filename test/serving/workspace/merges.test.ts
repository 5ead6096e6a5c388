import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { storedAndRefolded } from '../../ingest/refolded.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { differences } from '../../verified.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const nowhere = '00000000-0000-4000-8000-000000000001'

const file = `Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Body (HTML)
cup,Cup,Color,Red,CUP-R,10.00,<p>Fine</p>
cup,,Color,Blue,CUP-B,11.00,
pan,Pan,Title,Default Title,PAN,30.00,<p>Heavy</p>
lid,Lid,Title,Default Title,LID,5.00,<p>Light</p>
`

/** A published catalog and a whole fork of it. */
async function pair() {
  const origin = await assay.newCatalog()
  await assay.ingest(origin, file)
  await assay.publish(origin)
  const { body } = await assay.call('POST', `${base}/catalogs/${origin}/fork`, { name: 'Fork' })
  await assay.job(body.job.id)
  return { origin, fork: body.catalog.id as string }
}

const bySku = async (catalog: string, sku: string) => (await assay.products(catalog, { sku }))[0]
async function change(catalog: string, sku: string, body: object) {
  const { status, text } = await assay.call(
    'PATCH',
    `${base}/catalog/products/${(await bySku(catalog, sku))?.id}`,
    body,
  )
  expect(status, text).toBe(200)
}
async function remove(catalog: string, sku: string) {
  const { status } = await assay.call('DELETE', `${base}/catalog/products/${(await bySku(catalog, sku))?.id}`)
  expect(status).toBe(200)
}
async function create(catalog: string, body: object) {
  const { status, text } = await assay.call('POST', `${base}/catalog/products`, {
    price: 1,
    ...body,
    catalog_id: catalog,
  })
  expect(status, text).toBe(201)
}

async function merge(from: string, into: string, body: object = {}) {
  const answer = await assay.call('POST', `${base}/catalogs/${into}/merge`, { from, ...body })
  expect(answer.status, answer.text).toBe(202)
  const job = await assay.job(answer.body.job.id)
  expect(job).toMatchObject({ status: 'completed', error: null })
  return { id: answer.body.merge.id as string, result: job.result as unknown as Record<string, unknown> }
}
const conflictsOf = async (id: string) => (await assay.call('GET', `${base}/merges/${id}/conflicts`)).body.conflicts
async function apply(id: string) {
  const answer = await assay.call('POST', `${base}/merges/${id}/apply`, {})
  expect(answer.status, answer.text).toBe(202)
  return (await assay.job(answer.body.job.id)).result as unknown as Record<string, unknown>
}
const revs = async (catalog: string) => {
  const sql = 'select product_id, rev from products where catalog_id = $1 order by 1'
  return (await assay.system.catalog.pipeline.query(sql, [catalog])).rows
}
const none = { edited: 0, created: 0, deleted: 0, refused: 0, conflicts: 0, unresolved: 0 }

describe('a merge', () => {
  test('of a fork without edits changes nothing, in either direction', async () => {
    const { origin, fork } = await pair()
    const before = [await revs(origin), await revs(fork)]
    expect((await merge(fork, origin)).result).toMatchObject({ ...none, state: 'applied' })
    expect((await merge(origin, fork)).result).toMatchObject({ ...none, state: 'applied' })
    expect([await revs(origin), await revs(fork)]).toEqual(before)
  })

  test('takes what the fork changed, added and removed, and leaves what the base changed; twice is once', async () => {
    const { origin, fork } = await pair()
    await change(fork, 'PAN', { title: 'Iron pan', gtin: '4006381333931' })
    await change(fork, 'CUP-R', { price: 12 })
    await remove(fork, 'LID')
    await create(fork, { title: 'Spoon', sku: 'SPOON', description: 'a &lt; b' })
    await change(origin, 'PAN', { description: 'Very heavy' })
    expect((await merge(fork, origin)).result).toMatchObject({
      ...none,
      state: 'applied',
      edited: 2,
      created: 1,
      deleted: 1,
    })
    expect(await bySku(origin, 'PAN')).toMatchObject({
      title: 'Iron pan',
      gtin: '4006381333931',
      description: 'Very heavy',
    })
    expect(await bySku(origin, 'CUP-R')).toMatchObject({ price: 12, kind: 'variant' })
    expect(await bySku(origin, 'LID')).toBeUndefined()
    expect((await bySku(origin, 'SPOON'))?.description).toBe((await bySku(fork, 'SPOON'))?.description)
    const before = await revs(origin)
    expect((await merge(fork, origin)).result).toMatchObject({ ...none, state: 'applied' })
    expect(await revs(origin)).toEqual(before)
    expect((await merge(origin, fork)).result).toMatchObject({ ...none, edited: 1 })
    expect((await bySku(fork, 'PAN'))?.description).toBe('Very heavy')
    for (const catalog of [origin, fork]) {
      const { stored, refolded } = await storedAndRefolded(assay.system, catalog)
      expect(refolded).toEqual(stored)
      expect(await differences(assay.system, catalog)).toMatchObject({ stale: 0, differing: [] })
    }
    // What was created is found by its SKU from now on.
    const { result } = await assay.ingest(origin, 'sku,title,price\nSPOON,Spoon,2\n')
    expect(result).toMatchObject({ created: 0, updated: 1 })
  })

  test('brings a whole family over, its variants under its parent', async () => {
    const { origin, fork } = await pair()
    await assay.ingest(fork, file.replaceAll('cup', 'mug').replaceAll('CUP', 'MUG').replaceAll('Cup', 'Mug'))
    expect((await merge(fork, origin)).result).toMatchObject({ created: 3, conflicts: 0 })
    const all = await assay.products(origin)
    const parent = all.find(({ kind, title }) => kind === 'parent' && title === 'Mug')
    expect(all.filter(({ familyId, kind }) => kind === 'variant' && familyId === parent?.id)).toHaveLength(2)
  })

  test('lists what both changed differently, waits for choices, and applies them', async () => {
    const { origin, fork } = await pair()
    for (const [catalog, word] of [
      [origin, 'ours'],
      [fork, 'theirs'],
    ] as const) {
      await change(catalog, 'PAN', { title: word, description: 'alike', mpn: word })
      await change(catalog, 'CUP-B', { price: word === 'ours' ? 21 : 22, currency: 'EUR' })
    }
    await remove(origin, 'LID')
    await change(fork, 'LID', { title: 'Lid, new' })
    const { id, result } = await merge(fork, origin)
    expect(result).toMatchObject({ state: 'ready', conflicts: 4, unresolved: 4 })
    const [pan, cup] = [(await bySku(origin, 'PAN'))?.id, (await bySku(origin, 'CUP-B'))?.id]
    const found = await conflictsOf(id)
    const lid = found.find((one: { field: string }) => one.field === 'product')
    expect(lid).toMatchObject({ base: { title: 'Lid' }, from: { title: 'Lid, new' }, target: null, take: null })
    expect(found).toContainEqual({
      productId: pan,
      field: 'title',
      base: 'Pan',
      from: 'theirs',
      target: 'ours',
      take: null,
    })
    expect(found).toContainEqual(
      expect.objectContaining({
        productId: cup,
        field: 'price',
        from: expect.objectContaining({ price: '22.00', currency: 'EUR' }),
      }),
    )
    const pages = await assay.call('GET', `${base}/merges/${id}/conflicts?limit=3`)
    const rest = await assay.call('GET', `${base}/merges/${id}/conflicts?after=${pages.body.next}`)
    expect([...pages.body.conflicts, ...rest.body.conflicts]).toEqual(found)

    expect((await assay.call('POST', `${base}/merges/${id}/apply`, {})).status).toBe(409)
    const decide = (choices: unknown[]) => assay.call('PATCH', `${base}/merges/${id}/conflicts`, { choices })
    expect((await decide([{ productId: pan, field: 'gtin', take: 'from' }])).status).toBe(404)
    expect((await decide([{ productId: pan, field: 'nonsense', take: 'from' }])).status).toBe(400)
    const answer = await decide([
      { productId: pan, field: 'title', take: 'from' },
      { productId: pan, field: 'mpn', take: 'target' },
      { productId: cup, field: 'price', take: 'from' },
      { productId: lid.productId, field: 'product', take: 'from' },
    ])
    expect(answer.body.merge).toMatchObject({ state: 'ready', unresolved: 0 })
    expect(await apply(id)).toMatchObject({ state: 'applied', edited: 2, created: 1, refused: 0 })
    expect(await bySku(origin, 'PAN')).toMatchObject({ title: 'theirs', mpn: 'ours', description: 'alike' })
    expect(await bySku(origin, 'CUP-B')).toMatchObject({ price: 22, currency: 'EUR' })
    expect(await bySku(origin, 'LID')).toMatchObject({ id: lid.productId, title: 'Lid, new' })
    expect((await decide([{ productId: pan, field: 'title', take: 'target' }])).status).toBe(409)
    expect((await assay.call('POST', `${base}/merges/${id}/apply`, {})).status).toBe(409)
    expect((await merge(fork, origin)).result).toMatchObject({ ...none, state: 'applied' })
  })

  test('gives no product a SKU that another has without being told to', async () => {
    const { origin, fork } = await pair()
    await change(origin, 'LID', { sku: 'POT' })
    await change(fork, 'PAN', { sku: 'POT', title: 'Pot' })
    const { id, result } = await merge(fork, origin)
    expect(result).toMatchObject({ state: 'ready', edited: 1, conflicts: 1 })
    expect(await conflictsOf(id)).toMatchObject([{ field: 'sku', base: 'PAN', from: 'POT', target: 'PAN' }])
  })

  describe('of SKUs', () => {
    const skus = async (catalog: string) => (await assay.products(catalog)).map(({ sku }) => sku ?? '').sort()
    const idOf = async (catalog: string, sku: string) => (await bySku(catalog, sku))?.id
    const decide = async (id: string, take: (productId: string) => string) => {
      const choices = (await conflictsOf(id)).map(({ productId, field }: { productId: string; field: string }) => ({
        productId,
        field,
        take: take(productId),
      }))
      expect((await assay.call('PATCH', `${base}/merges/${id}/conflicts`, { choices })).status).toBe(200)
    }
    /** Two products change theirs, by way of a third name. */
    async function swap(catalog: string, a: string, b: string) {
      await change(catalog, a, { sku: 'BETWEEN' })
      await change(catalog, b, { sku: a })
      await change(catalog, 'BETWEEN', { sku: b })
    }

    test('gives none that a new product took since the plan: that is refused, and comes up again', async () => {
      const { origin, fork } = await pair()
      await change(fork, 'PAN', { sku: 'POT', title: 'Pot' })
      const { id, result } = await merge(fork, origin, { dry_run: true })
      expect(result).toMatchObject({ edited: 1, conflicts: 0 })
      await create(origin, { title: 'Other', sku: 'POT' })
      expect(await apply(id)).toMatchObject({ state: 'applied', edited: 0, refused: 1 })
      expect(await skus(origin)).toEqual(['', 'CUP-B', 'CUP-R', 'LID', 'PAN', 'POT'])
      expect((await merge(fork, origin)).result).toMatchObject({ state: 'ready', edited: 1, conflicts: 1 })
    })

    test('gives none that another keeps, whatever is chosen', async () => {
      const { origin, fork } = await pair()
      await create(origin, { title: 'Other', sku: 'POT' })
      await change(fork, 'PAN', { sku: 'POT' })
      const { id } = await merge(fork, origin)
      await decide(id, () => 'from')
      expect(await apply(id)).toMatchObject({ state: 'applied', edited: 0, refused: 1 })
      expect(await skus(origin)).toEqual(['', 'CUP-B', 'CUP-R', 'LID', 'PAN', 'POT'])
    })

    /** Its base holds two products that edits alone have named: they swap there, and the fork is the target. */
    async function swapped() {
      const origin = await assay.newCatalog()
      for (const sku of ['PAN', 'LID']) await create(origin, { title: `was ${sku}`, sku })
      await assay.publish(origin)
      const { body } = await assay.call('POST', `${base}/catalogs/${origin}/fork`, { name: 'Fork' })
      await assay.job(body.job.id)
      const into: string = body.catalog.id
      const [pan, lid] = [await idOf(into, 'PAN'), await idOf(into, 'LID')]
      await swap(origin, 'PAN', 'LID')
      const { id, result } = await merge(origin, into)
      expect(result).toMatchObject({ state: 'ready', conflicts: 2 })
      return { into, pan, lid, id }
    }

    test('that were swapped change hands where both are taken, whatever else is edited meanwhile', async () => {
      const { into, pan, lid, id } = await swapped()
      await decide(id, () => 'from')
      await change(into, 'LID', { price: 7 })
      await apply(id)
      expect([await idOf(into, 'LID'), await idOf(into, 'PAN')]).toEqual([pan, lid])
      expect(await skus(into)).toEqual(['LID', 'PAN'])
      const again = await assay.call('PATCH', `${base}/catalog/products/${pan}`, { sku: 'PAN' })
      expect(again.status).toBe(409)
    })

    test('that an edit gave and a merge took are free for the next', async () => {
      const { origin, fork } = await pair()
      await create(fork, { title: 'Spoon', sku: 'SPOON' })
      await merge(fork, origin)
      await change(fork, 'SPOON', { sku: 'LADLE' })
      expect((await merge(fork, origin)).result).toMatchObject({ state: 'applied', edited: 1 })
      await change(origin, 'LID', { sku: 'SPOON' })
      expect(await skus(origin)).toEqual(['', 'CUP-B', 'CUP-R', 'LADLE', 'PAN', 'SPOON'])
    })

    test('of half a swap change no hands', async () => {
      const { into, pan, lid, id } = await swapped()
      await decide(id, (product) => (product === pan ? 'from' : 'target'))
      expect(await apply(id)).toMatchObject({ state: 'applied', refused: 1 })
      expect([await idOf(into, 'PAN'), await idOf(into, 'LID')]).toEqual([pan, lid])
    })

    test("go down a row of products of which each takes the next one's", async () => {
      const origin = await assay.newCatalog()
      const names = ['A', 'B', 'C', 'D']
      for (const sku of names) await create(origin, { title: `was ${sku}`, sku })
      await assay.publish(origin)
      const { body } = await assay.call('POST', `${base}/catalogs/${origin}/fork`, { name: 'Fork' })
      await assay.job(body.job.id)
      for (const [from, to] of [
        ['D', 'E'],
        ['C', 'D'],
        ['B', 'C'],
        ['A', 'B'],
      ] as const)
        await change(origin, from, { sku: to })
      const { id } = await merge(origin, body.catalog.id)
      await decide(id, () => 'from')
      expect(await apply(id)).toMatchObject({ edited: 4, refused: 0 })
      const rows = (await assay.products(body.catalog.id)).map(({ title, sku }) => `${title}>${sku}`)
      expect(rows.sort()).toEqual(['was A>B', 'was B>C', 'was C>D', 'was D>E'])
    })
  })

  test('takes choices with the order', async () => {
    const { origin, fork } = await pair()
    await change(origin, 'PAN', { title: 'ours' })
    await change(fork, 'PAN', { title: 'theirs' })
    const choices = [{ productId: (await bySku(origin, 'PAN'))?.id, field: 'title', take: 'target' }]
    expect((await merge(fork, origin, { choices })).result).toMatchObject({ state: 'applied', unresolved: 0 })
    expect((await bySku(origin, 'PAN'))?.title).toBe('ours')
  })

  test('never overwrites what was edited after the plan: that is counted, and comes up again', async () => {
    const { origin, fork } = await pair()
    await change(fork, 'PAN', { title: 'theirs' })
    await change(fork, 'CUP-R', { title: 'Red cup' })
    const { id, result } = await merge(fork, origin, { dry_run: true })
    expect(result).toMatchObject({ state: 'ready', edited: 2, conflicts: 0 })
    await change(origin, 'PAN', { title: 'later' })
    expect(await apply(id)).toMatchObject({ state: 'applied', edited: 1, refused: 1 })
    expect((await bySku(origin, 'PAN'))?.title).toBe('later')
    expect((await bySku(origin, 'CUP-R'))?.title).toBe('Red cup')
    const again = await merge(fork, origin)
    expect(await conflictsOf(again.id)).toMatchObject([
      { field: 'title', base: 'Pan', from: 'theirs', target: 'later' },
    ])
  })

  test('that is cut off and run twice at once is the same merge', async () => {
    const { origin, fork } = await pair()
    await change(fork, 'PAN', { title: 'theirs' })
    await remove(fork, 'LID')
    await create(fork, { title: 'Spoon', sku: 'SPOON' })
    const { merging, catalog } = assay.system
    const sql = 'select brand_id as brand from catalog where catalog_id = $1'
    const brand = (await catalog.pipeline.query(sql, [origin])).rows[0].brand
    const order = { workspace, brand, target: origin, source: fork, fork, dryRun: false, choices: [], by: 'test' }
    const { job } = await merging.start(order)
    for (const ms of [0, 5, 10, 20, 40]) {
      await merging.run(job, AbortSignal.timeout(ms)).catch(() => {})
      await Promise.allSettled([1, 2].map(() => merging.run(job, AbortSignal.timeout(ms + 10))))
    }
    expect(await assay.job(job)).toMatchObject({
      status: 'completed',
      result: { edited: 1, created: 1, deleted: 1, refused: 0 },
    })
    expect((await assay.products(origin)).map(({ title }) => title).sort()).toEqual([
      'Cup',
      'Cup',
      'Cup',
      'Spoon',
      'theirs',
    ])
    expect((await merge(fork, origin)).result).toMatchObject({ ...none, state: 'applied' })
  })

  test('goes up a fork of a fork step by step, and down again', async () => {
    const { origin, fork } = await pair()
    await change(fork, 'LID', { title: 'Lid of the fork' })
    await assay.publish(fork)
    const { body } = await assay.call('POST', `${base}/catalogs/${fork}/fork`, { name: 'Fork of it' })
    await assay.job(body.job.id)
    const second: string = body.catalog.id
    await change(second, 'PAN', { title: 'From below', attributes: { fit: 'a & b &lt;' } })
    await change(origin, 'CUP-R', { title: 'From above' })
    expect((await merge(second, fork)).result).toMatchObject({ edited: 1, conflicts: 0 })
    expect((await merge(fork, origin)).result).toMatchObject({ edited: 2, conflicts: 0 })
    expect((await merge(origin, fork)).result).toMatchObject({ edited: 1, conflicts: 0 })
    expect((await merge(fork, second)).result).toMatchObject({ edited: 1, conflicts: 0 })
    const shown = async (catalog: string) =>
      Promise.all(
        ['PAN', 'LID', 'CUP-R'].map(async (sku) => (await bySku(catalog, sku)) ?? { title: null, attributes: null }),
      )
    const [top, ...below] = await Promise.all(
      [origin, fork, second].map(async (one) =>
        (await shown(one)).map(({ title, attributes }) => ({ title, attributes })),
      ),
    )
    expect(top?.map(({ title }) => title)).toEqual(['From below', 'Lid of the fork', 'From above'])
    for (const one of below) expect(one).toEqual(top)
    const across = await assay.call('POST', `${base}/catalogs/${origin}/merge`, { from: second })
    expect(across.status).toBe(409)
  })

  test('404 and 409: only between a fork and its base, and nobody else sees it', async () => {
    const { origin, fork } = await pair()
    const other = await assay.newCatalog()
    const status = async (into: string, from: string) =>
      (await assay.call('POST', `${base}/catalogs/${into}/merge`, { from })).status
    expect([
      await status(nowhere, fork),
      await status(origin, nowhere),
      await status(origin, other),
      await status(origin, origin),
    ]).toEqual([404, 404, 409, 409])
    const { id } = await merge(fork, origin)
    const brand = (await assay.call('POST', `${base}/brands`, { name: 'Another' })).body.brand.id
    const authorization = `Bearer ${await assay.token('admin', { brand })}`
    for (const path of [`merges/${id}`, `merges/${id}/conflicts`])
      expect((await assay.call('GET', `${base}/${path}`, undefined, { authorization })).status).toBe(404)
    expect((await assay.call('POST', `${base}/merges/${id}/apply`, {}, { authorization })).status).toBe(404)
    expect((await assay.call('POST', `${base}/catalogs/${origin}/fork`, { name: 'x' }, { authorization })).status).toBe(
      404,
    )
  })
})

test('what a fork puts into a group is in it in the other catalog too, and out of it again (KF-23)', async () => {
  const { origin, fork } = await pair()
  const kinds = async () =>
    (await assay.products(origin))
      .filter(({ sku }) => sku === 'PAN' || sku === 'LID')
      .map(({ sku, kind, itemGroupId }) => `${sku} ${kind} ${itemGroupId}`)
      .sort()
  await change(fork, 'PAN', { item_group_id: 'LID' })
  await merge(fork, origin)
  expect(await kinds()).toEqual(['LID parent null', 'PAN variant LID'])
  await change(fork, 'PAN', { item_group_id: null })
  await merge(fork, origin)
  await vi.waitFor(async () => expect(await kinds()).toEqual(['LID single null', 'PAN single null']), 10_000)
})
