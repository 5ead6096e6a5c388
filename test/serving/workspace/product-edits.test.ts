import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProductResource } from '../../../serving/workspace/product-resource.ts'
import type { Answer, Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let catalog: string
beforeAll(async () => {
  assay = await sharedAssay()
  catalog = await assay.newCatalog()
})
afterAll(() => assay.close())

const path = `/api/workspace/${workspace}/catalog/products`
const nowhere = '00000000-0000-4000-8000-000000000001'
const create = (body: object) => assay.call('POST', path, { catalog_id: catalog, title: 'Mug', price: 1, ...body })
const read = (id: string) => assay.call('GET', `${path}/${id}`)
const patch = (id: string, body: object, match?: string) =>
  assay.call('PATCH', `${path}/${id}`, body, match === undefined ? {} : { 'if-match': match })
const remove = (id: string, match?: string) =>
  assay.call('DELETE', `${path}/${id}`, undefined, match === undefined ? {} : { 'if-match': match })
const undelete = (id: string) => assay.call('POST', `${path}/${id}/undelete`, {})
const tagOf = ({ headers }: Answer) => String(headers.etag)
const bySku = async (of: string, sku: string) => (await assay.products(of, { sku }))[0] as ProductResource

async function made(body: object): Promise<ProductResource> {
  const answer = await create(body)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.product
}

describe('If-Match', () => {
  test('200: every answer has the tag of what it shows, and a change under it gives the next one', async () => {
    const first = await create({ sku: 'TAG-1' })
    const id = first.body.product.id
    expect(tagOf(first)).toMatch(/^"\d+\.\d+"$/)
    expect(tagOf(await read(id))).toBe(tagOf(first))
    const second = await patch(id, { title: 'Large mug' }, tagOf(first))
    expect(second).toMatchObject({ status: 200, body: { product: { title: 'Large mug' } } })
    expect(tagOf(second)).not.toBe(tagOf(first))
    expect(tagOf(await read(id))).toBe(tagOf(second))
    expect((await patch(id, { title: 'Larger mug' }, `W/"1", "0.0" , ${tagOf(second)}`)).status).toBe(200)
    expect((await patch(id, { title: 'Largest mug' }, '*')).status).toBe(200)
  })

  test('412: another state, a weak tag; 400: no tag at all; 404 before either', async () => {
    const { headers, body } = await create({ sku: 'TAG-2' })
    const { id } = body.product
    await patch(id, { brand: 'Lumo' })
    for (const match of [String(headers.etag), `W/${tagOf(await read(id))}`, '"another"'])
      for (const answer of [await patch(id, { title: 'Never' }, match), await remove(id, match)])
        expectSamplesForm(answer, 412, 'CONFLICT')
    expectSamplesForm(await patch(id, { title: 'Never' }, 'mug'), 400, 'INVALID_REQUEST', 'If-Match')
    expectSamplesForm(await patch(nowhere, { title: 'Never' }, '"another"'), 404, 'NOT_FOUND', 'productId')
    expect((await read(id)).body.product).toMatchObject({ title: 'Mug', brand: 'Lumo' })
    expect((await remove(id, tagOf(await read(id)))).status).toBe(200)
  })

  test('of two changes under one tag exactly one is made', async () => {
    const { id } = await made({ sku: 'TAG-3' })
    for (let round = 0; round < 3; round++) {
      const tag = tagOf(await read(id))
      const answers = await Promise.all(['a', 'b'].map((n) => patch(id, { title: `Mug ${round}${n}` }, tag)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
      const won = answers.find(({ status }) => status === 200)
      expect((await read(id)).body.product.title).toBe(won?.body.product.title)
    }
  })

  test('of eight clients that count up at once no step is lost: each is told 200 or 412', async () => {
    const { id } = await made({ sku: 'TAG-4', price: 0 })
    let made200 = 0
    const client = async () => {
      for (let tries = 0; tries < 3; tries++) {
        const before = await read(id)
        const answer = await patch(id, { price: before.body.product.price + 1 }, tagOf(before))
        expect([200, 412]).toContain(answer.status)
        if (answer.status === 200) made200++
      }
    }
    await Promise.all(Array.from({ length: 8 }, client))
    expect(made200).toBeGreaterThan(0)
    expect((await read(id)).body.product.price).toBe(made200)
  })

  test('eight clients without a tag, each at a field of its own, lose none either', async () => {
    const { id } = await made({ sku: 'TAG-5' })
    const fields = ['title', 'description', 'brand', 'mpn', 'availability', 'item_group_id', 'condition', 'gtin']
    const values = ['Cup', 'A cup', 'Lumo', 'C-1', 'in_stock', 'G-1', 'new', '4006381333931']
    const answers = await Promise.all(fields.map((field, i) => patch(id, { [field]: values[i] })))
    expect(answers.map(({ status }) => status)).toEqual(fields.map(() => 200))
    expect((await read(id)).body.product).toMatchObject({
      title: 'Cup',
      description: 'A cup',
      brand: 'Lumo',
      mpn: 'C-1',
      availability: 'in_stock',
      itemGroupId: 'G-1',
      condition: 'new',
      gtin: '4006381333931',
    })
  })

  test('a change of the SKU that is refused leaves that SKU to others', async () => {
    const { id } = await made({ sku: 'TAG-6' })
    const lost = new Set<boolean>()
    for (let round = 0; round < 4; round++) {
      const [tag, sku] = [tagOf(await read(id)), `TAG-6-${round}`]
      const changes = [patch(id, { title: `Mug ${round}` }, tag), patch(id, { sku }, tag)]
      const answers = await Promise.all(changes)
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
      const { product } = (await read(id)).body
      lost.add(product.sku !== sku)
      expect((await create({ sku, title: 'Another' })).status).toBe(product.sku === sku ? 409 : 201)
    }
    expect(lost.has(true)).toBe(true)
  })
})

describe('undelete', () => {
  test('200: the product is back with its values, its edits and its id; one that is there stays', async () => {
    const before = await made({ sku: 'BACK-1', brand: 'Lumo' })
    await patch(before.id, { title: 'Large mug' })
    expect((await remove(before.id)).status).toBe(200)
    expect((await read(before.id)).status).toBe(404)
    const { status, body, headers } = await undelete(before.id)
    expect(status).toBe(200)
    expect(headers.etag).toMatch(/^"/)
    expect(body.product).toMatchObject({
      id: before.id,
      title: 'Large mug',
      brand: 'Lumo',
      sku: 'BACK-1',
      stage: 'gold',
    })
    expect(await undelete(before.id)).toMatchObject({ status: 200, body: { product: body.product } })
  })

  test('200: a deleted product of a file stays away however often the file comes, until it is undeleted', async () => {
    const own = await assay.newCatalog()
    await assay.ingest(own, 'sku,title,price\nBACK-2,Mug,"1,50"\n')
    const { id } = await bySku(own, 'BACK-2')
    await remove(id)
    await assay.ingest(own, 'sku,title,price\nBACK-2,New mug,"1,60"\n')
    expect(await assay.products(own)).toEqual([])
    expect((await undelete(id)).body.product).toMatchObject({ id, title: 'New mug', price: 1.6 })
  })

  test('409: a product that no source lists any more is not brought back by it', async () => {
    const own = await assay.newCatalog()
    const { result } = await assay.ingest(own, 'sku,title\nBACK-3,Mug\n')
    const { id } = await bySku(own, 'BACK-3')
    await assay.change(result.importId, 'undo')
    expectSamplesForm(await undelete(id), 409, 'CONFLICT')
    await assay.change(result.importId, 'redo')
    expect((await read(id)).status).toBe(200)
  })

  test('404: what never was', async () => {
    expectSamplesForm(await undelete(nowhere), 404, 'NOT_FOUND', 'productId')
  })
})

describe('a SKU', () => {
  test('409: is taken also where an import gave it', async () => {
    const own = await assay.newCatalog()
    await assay.ingest(own, 'sku,title\nFILE-1,Mug\nFILE-2,Cup\n')
    expectSamplesForm(await create({ catalog_id: own, sku: 'FILE-1' }), 409, 'DATA_003', 'sku')
    const { id } = await bySku(own, 'FILE-2')
    expectSamplesForm(await patch(id, { sku: 'FILE-1' }), 409, 'DATA_003', 'sku')
    expect(await assay.products(own, { sku: 'FILE-1' })).toHaveLength(1)
  })

  test('201: that an edit replaced is free for a new product; and the first keeps what it has', async () => {
    const first = await made({ sku: 'OLD-1', title: 'First' })
    expect((await patch(first.id, { sku: 'OLD-1-B' })).body.product.sku).toBe('OLD-1-B')
    const second = await made({ sku: 'OLD-1', title: 'Second' })
    expect(second.id).not.toBe(first.id)
    expect((await read(first.id)).body.product).toMatchObject({ sku: 'OLD-1-B', title: 'First' })
    expectSamplesForm(await patch(first.id, { sku: 'OLD-1' }), 409, 'DATA_003', 'sku')
    expectSamplesForm(await create({ sku: 'OLD-1-B' }), 409, 'DATA_003', 'sku')
    // And a file finds each by its own.
    await assay.ingest(catalog, 'sku,title\nOLD-1,Second by file\nOLD-1-B,First by file\n')
    expect((await read(first.id)).body.product.title).toBe('First by file')
    expect((await read(second.id)).body.product.title).toBe('Second by file')
  })

  test('200: that nobody took meanwhile can be taken back, also by another product', async () => {
    const [a, b] = [await made({ sku: 'OLD-2' }), await made({ sku: 'OLD-3' })]
    await patch(a.id, { sku: 'OLD-2-B' })
    expect((await patch(a.id, { sku: 'OLD-2' })).body.product.sku).toBe('OLD-2')
    await patch(a.id, { sku: null })
    expect((await patch(b.id, { sku: 'OLD-2' })).body.product).toMatchObject({ id: b.id, sku: 'OLD-2' })
    expect(await assay.products(catalog, { sku: 'OLD-2' })).toHaveLength(1)
  })

  test('409: of a file stays with the product that an edit renamed, since the file still says it', async () => {
    const own = await assay.newCatalog()
    const file = 'sku,title\nOLD-4,Mug\n'
    await assay.ingest(own, file)
    const { id } = await bySku(own, 'OLD-4')
    await patch(id, { sku: 'OLD-4-B' })
    expectSamplesForm(await create({ catalog_id: own, sku: 'OLD-4' }), 409, 'DATA_003', 'sku')
    const { result } = await assay.ingest(own, file)
    expect(result).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
    expect((await assay.products(own)).map(({ sku }) => sku)).toEqual(['OLD-4-B'])
  })
})

describe('known faults, with edits between the imports', () => {
  test('KF-06: an absent column and a blank cell change nothing, and an edit stays until the file says otherwise', async () => {
    const own = await assay.newCatalog()
    await assay.ingest(own, 'sku,title,brand,description\nL-1,Lamp,Lumo,Old A\nL-2,Lamp 2,Lumo,Old B\n')
    const { id } = await bySku(own, 'L-2')
    await patch(id, { description: 'Edited B' })
    const { result } = await assay.ingest(own, 'sku,description\nL-1,New text\nL-2,\n', { source: 'second' })
    expect(result).toMatchObject({ created: 0, updated: 1, unchanged: 1 })
    expect(await bySku(own, 'L-1')).toMatchObject({ title: 'Lamp', brand: 'Lumo', description: 'New text' })
    expect(await bySku(own, 'L-2')).toMatchObject({ title: 'Lamp 2', brand: 'Lumo', description: 'Edited B' })
    await assay.ingest(own, 'sku,description\nL-2,__CLEAR__\n', { source: 'second' })
    expect(await bySku(own, 'L-2')).toMatchObject({ description: null, brand: 'Lumo' })
  })

  test('KF-12: a second import of a family makes no product twice, and leaves what was edited', async () => {
    const own = await assay.newCatalog()
    const file = (price: string) =>
      `sku,parent_sku,title,size,price\nT-1,,Tee,,\nT-1-S,T-1,Tee,S,10.00\nT-1-M,T-1,Tee,M,${price}\n`
    await assay.ingest(own, file('10.00'))
    const small = await bySku(own, 'T-1-S')
    await patch(small.id, { price: 8.5 })
    const { result } = await assay.ingest(own, file('12.00'))
    expect(result).toMatchObject({ created: 0, updated: 1, unchanged: 2 })
    const found = await assay.products(own)
    expect(found.map(({ kind }) => kind).sort()).toEqual(['parent', 'variant', 'variant'])
    expect(found.find(({ sku }) => sku === 'T-1-S')?.price).toBe(8.5)
    expect(found.find(({ sku }) => sku === 'T-1-M')?.price).toBe(12)
    expect(new Set(found.map(({ sourceIdentifier }) => sourceIdentifier)).size).toBe(3)
  })

  test('an amount with an exponent, as JSON may have it, is that amount', async () => {
    const own = await assay.newCatalog()
    await assay.ingest(own, '{"sku":"E-1","title":"Bell","price":1e5}\n{"sku":"E-2","title":"Pin","price":2.5E-1}\n')
    expect((await bySku(own, 'E-1')).price).toBe(100_000)
    expect((await bySku(own, 'E-2')).price).toBe(0.25)
  })
})
