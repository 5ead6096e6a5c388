import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ProductResource } from '../../../serving/workspace/product-resource.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const path = `/api/workspace/${workspace}/catalog/products`
const read = (id: string) => assay.call('GET', `${path}/${id}`)
const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
  assay.call('PATCH', `${path}/${id}`, body, headers)

async function family(file: string) {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, file)
  const one = async (query: Record<string, string>) => (await assay.products(catalog, query))[0] as ProductResource
  return { catalog, parent: () => one({ kind: 'parent' }), sku: (sku: string) => one({ sku }) }
}

const shopify = (title = 'Tee') =>
  [
    'Handle,Title,Vendor,Variant SKU,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant Price',
    `tee,${title},Lumo,T-S-R,Size,S,Colour,Red,10.00`,
    'tee,,,T-M-R,,M,,Red,10.00',
    'tee,,,T-M-B,,M,,Blue,10.00',
    '',
  ].join('\n')
const withParentRow = [
  'sku,parent_sku,title,brand,size,price',
  'P-1,,Cap,Lumo,,',
  'P-1-S,P-1,,,S,5.00',
  'P-1-M,P-1,Cap for grown heads,,M,5.00',
  'P-1-L,P-1,Cap,,L,5.00',
  '',
].join('\n')

describe('variants', () => {
  test('200: a parent tells its axes and its variants, which tell their group', async () => {
    const { parent } = await family(shopify())
    const { id } = await parent()
    expect((await read(id)).body.product.optionAxes).toEqual([
      { name: 'Colour', values: ['Blue', 'Red'] },
      { name: 'Size', values: ['M', 'S'] },
    ])
    const seen: ProductResource[] = []
    for (let after = ''; ; ) {
      const { body } = await assay.call('GET', `${path}/${id}/variants?limit=2${after}`)
      seen.push(...body.variants)
      if (body.next === null) break
      after = `&after=${body.next}`
    }
    expect(seen.map(({ sku }) => sku).sort()).toEqual(['T-M-B', 'T-M-R', 'T-S-R'])
    for (const variant of seen)
      expect(variant).toMatchObject({ kind: 'variant', familyId: id, itemGroupId: 'tee', optionAxes: [] })
    expect((await assay.call('GET', `${path}/${seen[0]?.id}/variants`)).body).toEqual({ variants: [], next: null })
  })

  test('400 and 404: a cursor of another list, what is no product', async () => {
    const { parent } = await family(shopify())
    const { id } = await parent()
    expectSamplesForm(await assay.call('GET', `${path}/${id}/variants?after=x`), 400, 'INVALID_REQUEST', 'after')
    const nowhere = '00000000-0000-4000-8000-000000000001'
    expectSamplesForm(await assay.call('GET', `${path}/${nowhere}/variants`), 404, 'NOT_FOUND', 'productId')
  })
})

describe('a group that is named through the API (KF-23)', () => {
  let made: string
  const create = async (sku: string, more: object = {}) => {
    const body = { catalog_id: made, sku, title: `Shirt ${sku}`, price: 20, currency: 'EUR', ...more }
    const answer = await assay.call('POST', path, body)
    expect(answer.status).toBe(201)
    return answer.body.product.id as string
  }
  const group = async (id: string, item_group_id: string | null) =>
    expect((await patch(id, { item_group_id })).status).toBe(200)
  const kinds = async () =>
    (await assay.products(made)).map(({ sku, kind, itemGroupId }) => `${sku} ${kind} ${itemGroupId}`).toSorted()
  const verified = async () => {
    const { job } = (await assay.call('POST', `/api/workspace/${workspace}/catalogs/${made}/verify`, { all: true }))
      .body
    expect((await assay.job(job.id)).result).toMatchObject({ differing: 0, lost: 0 })
  }
  beforeEach(async () => {
    made = await assay.newCatalog()
  })

  test('makes variants of its products from the second on, and a parent that has its name as SKU', async () => {
    await create('G-S', { item_group_id: 'G', color: 'Red' })
    await create('S-9')
    expect(await kinds()).toEqual(['G-S single G', 'S-9 single null'])
    await create('G-M', { item_group_id: 'G', color: 'Blue' })
    await create('G-L', { item_group_id: 'G', color: 'Green' })
    expect(await kinds()).toEqual([
      ...['G parent null', 'G-L variant G', 'G-M variant G', 'G-S variant G', 'S-9 single null'],
    ])
    const families = (await assay.products(made, { kind: 'variant' })).map(({ familyId }) => familyId)
    expect(new Set(families).size).toBe(1)
    const colors = ['Red', 'Blue', 'Green']
    await Promise.all(colors.map((color) => create(`R-${color}`, { item_group_id: 'R', color })))
    expect((await kinds()).filter((one) => one.startsWith('R'))).toEqual([
      ...['R parent null', 'R-Blue variant R', 'R-Green variant R', 'R-Red variant R'],
    ])
    const again = await assay.call('POST', path, { catalog_id: made, sku: 'G', title: 'Shirt', price: 20 })
    expectSamplesForm(again, 409, 'DATA_003', 'sku')
  })

  test('is named for its parent’s SKU of now, and has the product for a variant that names its own SKU', async () => {
    await create('Q', { item_group_id: 'Q' })
    await create('Q-M', { item_group_id: 'Q' })
    const ofQ = ['Q variant Q', 'Q-M variant Q', 'null parent null']
    expect(await kinds()).toEqual(ofQ)
    // A file that tells the group is of the same family.
    await assay.ingest(made, 'sku,item_group_id,title,size\nQ,Q,Bag,S\nQ-M,Q,Bag,M\nQ-L,Q,Bag,L\n')
    expect(await kinds()).toEqual([...ofQ.slice(0, 1), 'Q-L variant Q', ...ofQ.slice(1)])
    expect(new Set((await assay.products(made, { kind: 'variant' })).map(({ familyId }) => familyId)).size).toBe(1)
    await create('G-S', { item_group_id: 'G' })
    await create('G-M', { item_group_id: 'G' })
    const [parent] = await assay.products(made, { sku: 'G' })
    expect((await patch(String(parent?.id), { sku: 'H' })).status).toBe(200)
    await create('G-L', { item_group_id: 'G' })
    await group(await create('G-X'), 'G')
    expect((await kinds()).filter((one) => /^[GH]/.test(one))).toEqual([
      ...['G-L variant H', 'G-M variant H', 'G-S variant H', 'G-X variant H', 'H parent null'],
    ])
    await verified()
  })

  test('makes a product with such a SKU the parent, which is a product to sell again when all have left', async () => {
    await create('T-1')
    const red = await create('T-1-S', { item_group_id: 'T-1' })
    const blue = await create('B-1')
    await group(blue, 'T-1')
    expect(await kinds()).toEqual(['B-1 variant T-1', 'T-1 parent null', 'T-1-S variant T-1'])
    await group(blue, null)
    await group(red, 'New')
    expect(await kinds()).toEqual(['B-1 single null', 'T-1 single null', 'T-1-S single New'])
    await group(blue, 'New')
    expect(await kinds()).toEqual(['B-1 variant New', 'New parent null', 'T-1 single null', 'T-1-S variant New'])
    await group(blue, '')
    await group(red, null)
    expect(await kinds()).toEqual(['B-1 single null', 'T-1 single null', 'T-1-S single null'])
    await verified()
  })

  test('is a file’s family, which the file brings nobody back to; lines of feeds and counts follow', async () => {
    await assay.ingest(made, shopify())
    const extra = await create('X-1', { color: 'Green' })
    await group(extra, 'tee')
    const [red] = await assay.products(made, { sku: 'T-S-R' })
    const body = { catalog_id: made, sku: 'tee', title: 'Tee', price: 20 }
    expectSamplesForm(await assay.call('POST', path, body), 409, 'DATA_003', 'sku')
    expectSamplesForm(await patch(extra, { sku: 'tee' }), 409, 'DATA_003', 'sku')
    const taken = await assay.ingest(made, `assay_id,sku\n${extra},tee\n`)
    expect(taken.result).toMatchObject({ rejected: 1, updated: 0 })
    await group(String(red?.id), null)
    expect((await assay.ingest(made, shopify())).result).toMatchObject({ updated: 0 })
    const seen = ['T-M-B variant tee', 'T-M-R variant tee', 'T-S-R single null', 'X-1 variant tee', 'null parent null']
    expect(await kinds()).toEqual(seen)
    const { variants } = (await assay.call('GET', `${path}/${red?.familyId}/variants`)).body
    expect(variants.map(({ sku }: ProductResource) => sku).toSorted()).toEqual(['T-M-B', 'T-M-R', 'X-1'])
    await verified()
    await group(String(red?.id), 'tee')
    expect((await assay.products(made, { sku: 'T-S-R' }))[0]).toMatchObject({
      kind: 'variant',
      familyId: red?.familyId,
    })
  })

  test('in bulk and in a file of edits is the same', async () => {
    const ids = [await create('A'), await create('B'), await create('C')]
    const bulk = async (item_group_id: string | null) => {
      const body = { catalog_id: made, product_ids: ids.slice(0, 2), changes: { item_group_id } }
      const { job } = (await assay.call('POST', `${path}/bulk`, body)).body
      expect((await assay.job(job.id)).result).toMatchObject({ matched: 2, changed: 2 })
    }
    await bulk('C')
    expect(await kinds()).toEqual(['A variant C', 'B variant C', 'C parent null'])
    await bulk(null)
    expect(await kinds()).toEqual(['A single null', 'B single null', 'C single null'])
    const edits = ids.map((id, n) => `${id},${n < 2 ? 'H' : ''}`)
    await assay.ingest(made, `assay_id,item_group_id\n${edits.join('\n')}\n`)
    expect(await kinds()).toEqual(['A variant H', 'B variant H', 'C single null', 'H parent null'])
    await assay.ingest(made, `assay_id,item_group_id\n${ids[0]},__CLEAR__\n`)
    expect(await kinds()).toEqual(['A single null', 'B variant H', 'C single null', 'H parent null'])
    await assay.ingest(made, `assay_id,item_group_id\n${ids[1]},__CLEAR__\n`)
    expect(await kinds()).toEqual(['A single null', 'B single null', 'C single null'])
  })

  test('made by a file of edits goes with its undo, comes back with its redo, and stays while anybody else is in it', async () => {
    const ids = [await create('A'), await create('B'), await create('C')]
    const edits = (group: string) =>
      assay.ingest(made, `assay_id,item_group_id\n${ids[0]},${group}\n${ids[1]},${group}\n`)
    const ofNew = await edits('H')
    const before = ['A single null', 'B single null', 'C single null']
    await assay.change(ofNew.result.importId, 'undo')
    expect(await kinds()).toEqual(before)
    await assay.change(ofNew.result.importId, 'redo')
    expect(await kinds()).toEqual(['A variant H', 'B variant H', 'C single null', 'H parent null'])
    await group(String(ids[2]), 'H')
    await assay.change(ofNew.result.importId, 'undo')
    expect(await kinds()).toEqual(['A single null', 'B single null', 'C variant H', 'H parent null'])
    await group(String(ids[2]), null)
    expect(await kinds()).toEqual(before)
    // One that was sold by itself is sold again, and the parent once more.
    const ofSold = await edits('C')
    await assay.change(ofSold.result.importId, 'undo')
    expect(await kinds()).toEqual(before)
    await assay.change(ofSold.result.importId, 'redo')
    expect(await kinds()).toEqual(['A variant C', 'B variant C', 'C parent null'])
    await verified()
  })

  test('comes back with a version that has it, and goes with one that has not', async () => {
    const ids = [await create('A'), await create('B'), await create('C')]
    const restore = async (version: number) => {
      const { job } = (
        await assay.call('POST', `/api/workspace/${workspace}/catalogs/${made}/versions/${version}/restore`)
      ).body
      expect(await assay.job(job.id)).toMatchObject({ status: 'completed' })
    }
    const apart = ['A single null', 'B single null', 'C single null']
    await assay.publish(made)
    await group(String(ids[0]), 'C')
    await group(String(ids[1]), 'C')
    await assay.publish(made)
    await restore(1)
    await vi.waitFor(async () => expect(await kinds()).toEqual(apart), 10_000)
    await restore(2)
    await vi.waitFor(async () => expect(await kinds()).toEqual(['A variant C', 'B variant C', 'C parent null']), 10_000)
    await verified()
  })

  test('is its parent’s whom a later file of the same source lists alone', async () => {
    const rows = (...all: string[]) =>
      assay.ingest(made, ['sku,item_group_id,title,color,price', ...all, ''].join('\n'))
    await rows('T-S,T-1,Shirt,Red,5', 'T-M,T-1,Shirt,Blue,5')
    for (let again = 0; again < 2; again++) {
      await rows('T-1,,Shirts,,5')
      expect(await kinds()).toEqual(['T-1 parent null', 'T-M variant T-1', 'T-S variant T-1'])
    }
    await verified()
  })
})

describe('a change of what a family has in common', () => {
  test('goes to all variants of a family that was made of them', async () => {
    const { catalog, parent, sku } = await family(shopify())
    const { id } = await parent()
    expect((await patch(id, { title: 'Shirt', description: 'Of heavy cotton.' })).status).toBe(200)
    for (const one of ['T-S-R', 'T-M-R', 'T-M-B'])
      expect(await sku(one)).toMatchObject({
        title: 'Shirt',
        description: 'Of heavy cotton.',
        brand: 'Lumo',
        price: 10,
      })
    // As with any edit, the file that says what it said before changes nothing.
    const { result } = await assay.ingest(catalog, shopify())
    expect(result).toMatchObject({ created: 0, updated: 0 })
    expect((await sku('T-M-B')).title).toBe('Shirt')
    await assay.ingest(catalog, shopify('Jersey'))
    expect((await sku('T-M-B')).title).toBe('Jersey')
    expect((await parent()).title).toBe('Jersey')
  })

  test('leaves a variant what is its own: from its row, also where it says the same, and from an edit', async () => {
    const { parent, sku } = await family(withParentRow)
    const { id } = await parent()
    expect(await sku('P-1-S')).toMatchObject({ title: 'Cap', brand: 'Lumo' })
    await patch((await sku('P-1-S')).id, { brand: 'Rheingold' })
    await patch(id, { title: 'Hat', brand: 'Hatter' })
    expect(await sku('P-1-S')).toMatchObject({ title: 'Hat', brand: 'Rheingold' })
    expect(await sku('P-1-M')).toMatchObject({ title: 'Cap for grown heads', brand: 'Hatter' })
    expect(await sku('P-1-L')).toMatchObject({ title: 'Cap', brand: 'Hatter' })
    // What came from an edit of the parent follows the next one, and may become a variant's own.
    await patch((await sku('P-1-S')).id, { title: 'Small hat' })
    await patch(id, { title: 'Bonnet', brand: null })
    expect(await sku('P-1-S')).toMatchObject({ title: 'Small hat', brand: 'Rheingold' })
    expect(await sku('P-1-L')).toMatchObject({ title: 'Cap', brand: null })
  })

  test('names the group of its variants for the SKU that the parent has now', async () => {
    const { parent, sku } = await family(withParentRow)
    await patch((await sku('P-1-M')).id, { item_group_id: 'Own' })
    await patch((await parent()).id, { sku: 'P-2' })
    expect((await parent()).sku).toBe('P-2')
    expect((await sku('P-1-S')).itemGroupId).toBe('P-2')
    expect((await sku('P-1-M')).itemGroupId).toBe('Own')
    await patch((await parent()).id, { sku: 'P-3' })
    expect((await sku('P-1-S')).itemGroupId).toBe('P-3')
  })

  test('under a tag that no longer holds changes neither the parent nor a variant', async () => {
    const { parent, sku } = await family(shopify())
    const { id } = await parent()
    const tag = { 'if-match': String((await read(id)).headers.etag) }
    const answers = await Promise.all(['Shirt', 'Jersey'].map((title) => patch(id, { title }, tag)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    const title = answers.find(({ status }) => status === 200)?.body.product.title
    for (const one of ['T-S-R', 'T-M-R', 'T-M-B']) expect((await sku(one)).title).toBe(title)
  })
})
