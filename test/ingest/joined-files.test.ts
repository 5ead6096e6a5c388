import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ProductResource } from '../../serving/workspace/product-resource.ts'
import { enough } from '../enough.ts'
import type { Running } from '../running.ts'
import { saveSettings, settled } from '../serving/workspace/pipeline.ts'
import { sharedAssay, workspace } from '../shared-assay.ts'
import { withoutGroups } from '../without-groups.ts'
import { numbersIn, overShared, realPath, sharedIsThere } from './expected-figures.ts'
import { type Story, telling } from './story.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const tells = (tell: (story: Story) => Promise<void>) => telling(() => assay, tell)
const real = test.skipIf(!sharedIsThere)
const path = `/api/workspace/${workspace}/catalog/products`

interface Item {
  readonly id: string
  readonly title?: string
  readonly price?: string
  readonly number?: string
  readonly stock?: string
}
const jersey: Item = { id: 'jersey', title: 'ジャージ', price: '5400' }
const bell: Item = { id: 'bell', title: 'ベル', price: '980', stock: '4' }

/** The file of products. */
const items = (...all: readonly Item[]) =>
  [
    '商品管理番号（商品URL）,商品番号,商品名,販売価格,表示価格,PC用商品説明文,商品画像URL,倉庫指定,在庫タイプ,在庫数,項目選択肢別在庫用横軸項目名',
    ...all.map(
      ({ id, title = '', price = '', number = '', stock = '' }) =>
        `${id},${number},${title},${price},6000,${title}の説明,https://shop.example.test/${id}.jpg,0,2,${stock},サイズ`,
    ),
    '',
  ].join('\n')
/** The file of their options: each a product and a size, with its stock. */
const options = (...all: readonly (readonly [id: string, size: string, stock: number])[]) =>
  [
    '項目選択肢用コントロールカラム,商品管理番号（商品URL）,選択肢タイプ,項目選択肢別在庫用横軸選択肢,項目選択肢別在庫用縦軸選択肢,項目選択肢別在庫用在庫数',
    ...all.map(([id, size, stock]) => `,${id},i,${size},,${stock}`),
    '',
  ].join('\n')

const products = items(jersey, bell)
const sizes = options(['jersey', 'S', 3], ['jersey', 'M', 0])

const ofKind = async ({ catalog }: Story, kind: string) =>
  (await assay.products(catalog, { kind })).sort((a, b) => (a.size ?? '').localeCompare(b.size ?? ''))
const variants = (story: Story) => ofKind(story, 'variant')
const parent = async (story: Story) => (await ofKind(story, 'parent'))[0] as ProductResource
const kinds = async (story: Story) => (await story.products()).map(({ kind }) => kind).sort()
const patch = async (id: string, body: object) =>
  expect((await assay.call('PATCH', `${path}/${id}`, body)).status).toBe(200)

const whole = {
  title: 'ジャージ',
  description: 'ジャージの説明',
  price: 5400,
  originalPrice: 6000,
  images: ['https://shop.example.test/jersey.jpg'],
  itemGroupId: 'jersey',
}

describe.concurrent('a file of products and one of their options', () => {
  test(
    'are one family, in either order, and each again changes nothing',
    tells(async (story) => {
      expect(await story.ingest(products)).toMatchObject({ created: 2, read: 2 })
      expect(await kinds(story)).toEqual(['single', 'single'])
      expect(await story.ingest(sizes)).toMatchObject({ created: 2, read: 2 })
      const before = await story.products()
      expect(before.map(({ kind }) => kind).sort()).toEqual(['parent', 'single', 'variant', 'variant'])
      expect(await variants(story)).toMatchObject([
        { ...whole, size: 'M', quantity: 0, options: { 横軸: 'M' } },
        { ...whole, size: 'S', quantity: 3, options: { 横軸: 'S' } },
      ])
      for (const file of [products, sizes, products]) {
        expect(await story.ingest(file)).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
        expect(await story.products()).toEqual(before)
      }
    }),
  )

  test(
    'the options first: they lack what the products tell, and then have it',
    tells(async (story) => {
      await story.ingest(sizes)
      expect(await kinds(story)).toEqual(['parent', 'variant', 'variant'])
      const bare = { title: null, price: null, images: [], itemGroupId: 'jersey' }
      const found = (await variants(story)).sort((a, b) => (a.quantity ?? 0) - (b.quantity ?? 0))
      expect(found).toMatchObject([
        { ...bare, quantity: 0, options: { 横軸: 'M' } },
        { ...bare, quantity: 3, options: { 横軸: 'S' } },
      ])
      expect(await story.ingest(products)).toMatchObject({ created: 1, updated: 1 })
      expect(await kinds(story)).toEqual(['parent', 'single', 'variant', 'variant'])
      expect(await variants(story)).toMatchObject([
        { ...whole, size: 'M' },
        { ...whole, size: 'S' },
      ])
    }),
  )

  test(
    'both at once are one family too',
    tells(async (story) => {
      await Promise.all([story.ingest(products), story.ingest(sizes)])
      expect(await kinds(story)).toEqual(['parent', 'single', 'variant', 'variant'])
      await vi.waitFor(async () => expect(await variants(story)).toMatchObject([{ ...whole }, { ...whole }]), 10_000)
    }),
  )

  test(
    'a product that comes again with another title and price takes its variants along',
    tells(async (story) => {
      await story.ingest(products)
      await story.ingest(sizes)
      const changed = items({ ...jersey, title: 'ジャージ 2', price: '4900' }, bell)
      expect(await story.ingest(changed)).toMatchObject({ updated: 1, unchanged: 1 })
      expect(await variants(story)).toMatchObject([
        { title: 'ジャージ 2', price: 4900, size: 'M' },
        { title: 'ジャージ 2', price: 4900, size: 'S' },
      ])
    }),
  )

  test(
    'what a variant says itself wins, whenever it was said, and what is taken away comes from the parent again',
    tells(async (story) => {
      await story.ingest(sizes)
      const [one] = await variants(story)
      await patch(one?.id ?? '', { title: 'Own title', price: 1, currency: 'JPY' })
      await story.ingest(products)
      expect(await assay.products(story.catalog, { kind: 'variant', q: 'Own' })).toMatchObject([
        { title: 'Own title', price: 1, currency: 'JPY', originalPrice: null, description: whole.description },
      ])
      await story.ingest(items({ ...jersey, title: 'ジャージ 2' }, bell))
      expect((await variants(story)).map(({ title }) => title).sort()).toEqual(['Own title', 'ジャージ 2'])
    }),
  )

  test(
    'an edit of the parent is passed on, and its own file’s next word too',
    tells(async (story) => {
      await story.ingest(products)
      await story.ingest(sizes)
      await patch((await parent(story)).id, { title: 'By hand', price: 5000, currency: 'JPY' })
      const edited = { title: 'By hand', price: 5000, currency: 'JPY' }
      await vi.waitFor(async () => expect(await variants(story)).toMatchObject([edited, edited]), 10_000)
      await story.ingest(items({ ...jersey, title: 'ジャージ 2' }, bell))
      const told = { title: 'ジャージ 2', price: 5000 }
      expect(await variants(story)).toMatchObject([told, told])
    }),
  )

  test(
    'without the options the products are what they were, and with them again a family',
    tells(async (story) => {
      await story.ingest(products)
      const before = await story.products()
      const taken = await story.ingest(sizes)
      const joined = await story.products()
      await story.undo(taken)
      const same = (all: readonly ProductResource[]) => all.map((one) => ({ ...one, updatedAt: expect.any(String) }))
      expect(await story.products()).toEqual(same(before))
      await story.redo(taken)
      expect(await story.products()).toEqual(same(joined))
    }),
  )

  test(
    'without the products nothing of theirs stays with the variants',
    tells(async (story) => {
      await story.ingest(sizes)
      const before = await story.products()
      const taken = await story.ingest(products)
      await story.undo(taken)
      const after = await story.products()
      expect(after.map(({ kind }) => kind).sort()).toEqual(['parent', 'variant', 'variant'])
      const bare = ({ id, title, price, size, images, quantity }: ProductResource) => ({
        id,
        title,
        price,
        size,
        images,
        quantity,
      })
      expect(after.map(bare)).toEqual(before.map(bare))
      await story.redo(taken)
      expect(await variants(story)).toMatchObject([
        { ...whole, size: 'M' },
        { ...whole, size: 'S' },
      ])
    }),
  )

  test(
    'a product that its options’ file lists no more is a single again',
    tells(async (story) => {
      const hat = { id: 'hat', title: '帽子', price: '2000' }
      await story.ingest(items(jersey, hat))
      await story.ingest(options(['jersey', 'S', 3], ['jersey', 'M', 0], ['hat', 'S', 1], ['hat', 'L', 1]))
      await story.ingest(sizes, { mode: 'snapshot' })
      expect(await ofKind(story, 'single')).toMatchObject([{ title: '帽子', price: 2000 }])
      expect(await kinds(story)).toEqual(['parent', 'single', 'variant', 'variant'])
    }),
  )

  test(
    'a deleted parent takes its variants along, no file brings them back, and undelete does',
    tells(async (story) => {
      await story.ingest(products)
      await story.ingest(sizes)
      const { id } = await parent(story)
      expect((await assay.call('DELETE', `${path}/${id}`)).status).toBe(200)
      await vi.waitFor(async () => expect(await kinds(story)).toEqual(['single']), 10_000)
      await story.ingest(products)
      await story.ingest(sizes)
      expect(await kinds(story)).toEqual(['single'])
      expect((await assay.call('POST', `${path}/${id}/undelete`)).status).toBe(200)
      await vi.waitFor(async () => expect(await variants(story)).toMatchObject([whole, whole]), 10_000)
    }),
  )

  test(
    'under one name of a source are two sources',
    tells(async (story) => {
      await story.ingest(products, { source: 'Shop' })
      const { notes } = await story.ingest(sizes, { source: 'Shop' })
      expect(notes).toContain('source Shop (options): named by the caller')
      await story.ingest(products, { source: 'Shop' })
      expect(await kinds(story)).toEqual(['parent', 'single', 'variant', 'variant'])
      expect(await variants(story)).toMatchObject([whole, whole])
    }),
  )

  test(
    'a product with a number of its own is joined all the same',
    tells(async (story) => {
      await story.ingest(sizes)
      await story.ingest(items({ ...jersey, number: 'J-1' }))
      expect(await parent(story)).toMatchObject({ sku: 'J-1', title: 'ジャージ' })
      expect(await variants(story)).toMatchObject([whole, whole])
    }),
  )

  test(
    'of another shop that numbers its products alike nothing is joined',
    tells(async (story) => {
      await story.ingest(products, { source: 'A' })
      await story.ingest(sizes, { source: 'A' })
      await story.ingest(items({ ...jersey, title: 'Other jersey' }), { source: 'B' })
      expect(await ofKind(story, 'single')).toMatchObject([
        expect.objectContaining({ title: expect.stringMatching(/ベル|Other/) }),
        expect.objectContaining({ title: expect.stringMatching(/ベル|Other/) }),
      ])
      for (const file of [products, sizes]) await story.ingest(file, { source: 'A' })
      expect(await variants(story)).toMatchObject([whole, whole])
    }),
  )

  test(
    'of another catalog nothing is joined',
    tells(async (story) => {
      await assay.ingest(await assay.newCatalog(), products)
      await story.ingest(sizes)
      expect(await kinds(story)).toEqual(['parent', 'variant', 'variant'])
      expect((await variants(story)).map(({ title }) => title)).toEqual([null, null])
    }),
  )

  test(
    'a question that goes with an order is no variant',
    tells(async (story) => {
      const asks = `${sizes},bell,s,,,\n`
      expect(await story.ingest(asks)).toMatchObject({ read: 3, created: 3 })
      expect(await kinds(story)).toEqual(['parent', 'single', 'variant', 'variant'])
      await story.ingest(products)
      expect(await ofKind(story, 'single')).toMatchObject([{ title: 'ベル', price: 980 }])
    }),
  )

  test(
    'another source that knows of no family makes no single of a parent or a variant',
    tells(async (story) => {
      const file = 'sku,parent_sku,title,size,price\nP-1,,Cap,,\nP-1-S,P-1,Cap S,S,5.00\nP-1-M,P-1,Cap M,M,5.00\n'
      await story.ingest(file)
      await story.ingest('Item no.;Stock\nP-1;7\nP-1-S;4\n')
      expect(await kinds(story)).toEqual(['parent', 'variant', 'variant'])
    }),
  )

  test(
    'parents and variations that a shop exports apart, under one header, are one family',
    tells(async (story) => {
      const head =
        'ID,Type,SKU,Name,Short description,Description,Regular price,Stock,Parent,Attribute 1 name,Attribute 1 value(s)'
      const parents = `${head}\n7,variable,T-1,Shirt,,Of good cotton.,,,,Size,"S, M"\n`
      const variations = `${head}\n8,variation,T-1-S,Shirt - S,,,20,3,T-1,Size,S\n9,variation,T-1-M,Shirt - M,,,21,2,T-1,Size,M\n`
      const told = [
        { sku: 'T-1-M', title: 'Shirt - M', description: 'Of good cotton.', price: 21, itemGroupId: 'T-1' },
        { sku: 'T-1-S', title: 'Shirt - S', description: 'Of good cotton.', price: 20, itemGroupId: 'T-1' },
      ]
      const first = await story.ingest(variations)
      await story.ingest(parents)
      expect(await variants(story)).toMatchObject(told)
      const all = await story.products()
      for (const file of [variations, parents]) {
        expect(await story.ingest(file)).toMatchObject({ created: 0, updated: 0 })
        expect(await story.products()).toEqual(all)
      }
      await story.undo(first)
      expect(await kinds(story)).toEqual(['parent', 'variant', 'variant'])
    }),
  )

  test(
    'where variants name their parent by its SKU, it is the product that another file has under it',
    tells(async (story) => {
      await story.ingest('sku,title,description,brand,price,currency\nP-1,Cap,A cap.,Lumo,9.00,EUR\n')
      await story.ingest('sku;parent_sku;size;price\nP-1-S;P-1;S;5,50\nP-1-M;P-1;M;\n')
      expect(await parent(story)).toMatchObject({ sku: 'P-1', title: 'Cap' })
      // A blank cell in a column of prices is a price that is missing.
      expect(await variants(story)).toMatchObject([
        { sku: 'P-1-M', title: 'Cap', brand: 'Lumo', price: null, itemGroupId: 'P-1' },
        { sku: 'P-1-S', title: 'Cap', brand: 'Lumo', price: 5.5, currency: null },
      ])
    }),
  )
})

test('what is taken from the parent says so', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, products)
  await assay.ingest(catalog, sizes)
  const [variant] = await assay.products(catalog, { kind: 'variant' })
  const { body } = await assay.call('GET', `${path}/${variant?.id}/provenance`)
  const of = (name: string) => body.fields.find(({ field }: { field: string }) => field === name)?.from
  expect(of('price')).toMatchObject({ source: 'family', column: 'price', fromFamily: true, row: null })
  expect(of('quantity')).toMatchObject({ fromFamily: false, column: '項目選択肢別在庫用在庫数' })
})

test('a catalog without such families is asked once, and keeps nothing for them', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, 'sku,parent_sku,title,size\nP-1,,Cap,\nP-1-S,P-1,Cap S,S\nP-1-M,P-1,Cap M,M\n')
  const { pipeline } = assay.system.catalog
  for (const table of ['joined_family', 'family_due']) {
    const { rowCount } = await pipeline.query(`select from ${table} where catalog_id = $1`, [catalog])
    expect(rowCount).toBe(0)
  }
})

// Behind the stories, since settings are those of all catalogs, and before the large files, which would be refined anew for them.
test('a feed lists the variants, at the price and under the link of their parent, and not the parent (KF-23)', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, products)
  await assay.ingest(catalog, sizes)
  await saveSettings(assay, { link_template: 'https://shop.example.test/{id}/' })
  await settled(assay)
  const told = { link: 'https://shop.example.test/jersey/', title: 'ジャージ', price: 5400 }
  await vi.waitFor(
    async () => expect(await assay.products(catalog, { kind: 'variant' })).toMatchObject([told, told]),
    10_000,
  )
  await assay.publish(catalog)
  const lines = await assay.feed(catalog)
  const variants = await assay.products(catalog, { kind: 'variant' })
  expect(lines.filter((line) => line.item_group_id === 'jersey').map(({ id }) => id)).toEqual(
    variants.map(({ id }) => id).sort(),
  )
  expect(lines).toHaveLength(3)
  expect(lines.filter((line) => line.item_group_id)).toMatchObject([
    { link: told.link, price: '6000 JPY', sale_price: '5400 JPY', title: told.title },
    { link: told.link, price: '6000 JPY', sale_price: '5400 JPY', title: told.title },
  ])
})

const orders = {
  'options, then products': ['dl-select', 'dl-item'],
  'products, then options': ['dl-item', 'dl-select'],
}
describe.each(Object.entries(orders).slice(0, enough(1, 2)))("Rakuten's two real files: %s", (_, order) => {
  real(
    overShared('are 1,304 products, 71 of them with 286 variants that have what the product has'),
    async () => {
      const [total = 0, withOptions = 0] = numbersIn(
        'rakuten/dl-item.sjis.csv',
        /^[\d,]+ records -> ([\d,]+) products.*; (\d+) of them/,
      )
      const [rows = 0] = numbersIn('rakuten/dl-select.sjis.csv', /^(\d+) records/)
      const catalog = await assay.newCatalog()
      const files = await Promise.all(order.map((name) => readFile(realPath(`rakuten/${name}.sjis.csv`))))
      for (const file of files) expect((await assay.ingest(catalog, file)).status).toBe('completed')
      const all = await assay.products(catalog)
      const of = (kind: string) => all.filter((one) => one.kind === kind)
      expect([of('single').length + of('parent').length, of('parent').length, of('variant').length]).toEqual([
        total,
        withOptions,
        rows,
      ])
      const parents = new Map(of('parent').map((one) => [one.id, one]))
      for (const one of of('variant')) {
        const { title, description, brand, price, currency, images, categoryPath } =
          parents.get(one.familyId ?? '') ?? {}
        expect(one).toMatchObject({ title, description, brand, price, currency, images, categoryPath })
        expect(one.price).toBeGreaterThan(0)
        expect([one.size, one.quantity]).not.toContain(null)
      }
      for (const file of enough(files, [...files, ...files]))
        expect((await assay.ingest(catalog, file)).result).toMatchObject({ created: 0, updated: 0 })
      expect(withoutGroups(await assay.products(catalog))).toEqual(withoutGroups(all))
    },
    120_000,
  )
})

real(
  overShared('without the file of options the 1,304 products are what they were'),
  async () => {
    const catalog = await assay.newCatalog()
    const file = (name: string) => readFile(realPath(`rakuten/${name}.sjis.csv`))
    await assay.ingest(catalog, await file('dl-item'))
    const before = await assay.products(catalog)
    const { result } = await assay.ingest(catalog, await file('dl-select'))
    await assay.change(result.importId, 'undo')
    const plain = (found: readonly ProductResource[]) => withoutGroups(found).map(({ updatedAt: _, ...one }) => one)
    expect(plain(await assay.products(catalog))).toEqual(plain(before))
  },
  120_000,
)
