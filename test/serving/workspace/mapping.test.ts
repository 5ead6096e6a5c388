import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { saveSettings, settled } from './pipeline.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

type Columns = Record<string, string>
const map = (every_source: Columns, by_source: Record<string, Columns> = {}) =>
  saveSettings(assay, { mappings: { every_source, by_source } as never })
const one = async (catalog: string) => (await assay.products(catalog))[0]

describe('a mapping that is saved', () => {
  test('reads the cells that are there anew, in one job, and those to come; taken back, all is as before', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, 'sku,title,finish,price\nM-1,Mug,Glossy,"1,50"\n')
    const before = await one(catalog)
    await map({ finish: 'material' })
    await map({ finish: 'color' })
    await settled(assay)
    expect(await one(catalog)).toMatchObject({ color: 'Glossy', material: null, stage: 'gold', stale: false })
    const { rows } = await assay.system.catalog.pipeline.query(
      `select count(*) as n from job where kind = 'refine' and workspace_id = $1`,
      [workspace],
    )
    expect(rows).toEqual([{ n: 1 }])
    await assay.ingest(catalog, 'sku,title,finish,price\nM-2,Cup,Matt,"1,50"\n')
    expect((await assay.products(catalog, { sku: 'M-2' }))[0]).toMatchObject({ color: 'Matt' })
    await map({})
    await settled(assay)
    const { updatedAt, scoredWith, ...rest } = before ?? {}
    expect((await assay.products(catalog, { sku: 'M-1' }))[0]).toMatchObject(rest)
  })

  test('counts for nothing any more once it is taken back, also for what was read under it', async () => {
    const [first, second] = [await assay.newCatalog(), await assay.newCatalog()]
    const file = 'sku,title,title_b\nF-1,A,B\n'
    await map({ title_b: 'title' })
    await assay.ingest(first, file)
    expect(await one(first)).toMatchObject({ title: 'B' })
    for (const [columns, product] of [
      [{}, { title: 'A', mpn: null }],
      [{ title_b: 'mpn' }, { title: 'A', mpn: 'B' }],
    ] as const) {
      await map(columns)
      await settled(assay)
      expect(await one(first)).toMatchObject(product)
      await assay.ingest(second, file)
      expect(await one(second)).toMatchObject(product)
    }
    const given = await assay.newCatalog()
    await map({ title: 'brand' })
    await assay.ingest(given, file, { map: 'title_b=title' })
    await map({})
    await settled(assay)
    expect(await one(given)).toMatchObject({ title: 'B', brand: null })
  })

  test('takes several columns for a category, each a level of it (KF-05)', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, 'sku,title,dept,group\nL-1,Mug,Home,Mugs\n')
    expect(await one(catalog)).toMatchObject({ categoryPath: [] })
    await map({ dept: 'category', group: 'category' })
    await settled(assay)
    expect(await one(catalog)).toMatchObject({ categoryPath: ['Home', 'Mugs'] })
    await map({})
    await settled(assay)
  })

  test('takes a field from the column that the file had for it, where the file has the mapped one (KF-05)', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, 'sku,title,headline\nT-1,Mug,Enamel mug\n')
    const bare = await assay.newCatalog()
    await assay.ingest(bare, 'sku,title\nT-1,Mug\n')
    await map({ headline: 'title' })
    await settled(assay)
    expect(await one(catalog)).toMatchObject({ title: 'Enamel mug' })
    expect(await one(bare)).toMatchObject({ title: 'Mug' })
  })

  test('is of the column with just that name, whatever space stood around it in either place', async () => {
    const catalog = await assay.newCatalog()
    await map({ ' finish ': 'color', Finish: 'material' })
    await assay.ingest(catalog, 'sku,title, finish \nM-1,Mug,Glossy\n')
    expect(await one(catalog)).toMatchObject({ color: 'Glossy', material: null })
    await map({})
    await settled(assay)
  })

  test("of one source wins over that of all, and leaves other sources and the API's own fields alone", async () => {
    await map({ a: 'title', b: 'brand' }, { nightly: { b: 'title' } })
    await settled(assay)
    const [nightly, weekly] = [await assay.newCatalog(), await assay.newCatalog()]
    await assay.ingest(nightly, 'sku,a,b\nN-1,From a,From b\n', { source: 'nightly' })
    await assay.ingest(weekly, 'sku,a,b\nN-1,From a,From b\n', { source: 'weekly' })
    expect(await one(nightly)).toMatchObject({ title: 'From b', brand: null })
    expect(await one(weekly)).toMatchObject({ title: 'From a', brand: 'From b' })
    await map({ title: 'brand' })
    const edited = await assay.call('POST', `/api/workspace/${workspace}/catalog/products`, {
      title: 'Own title',
      price: 1,
    })
    expect(edited.body.product).toMatchObject({ title: 'Own title', brand: null })
    await map({})
    await settled(assay)
  })
})

describe('a currency, a number format, a link template, a condition', () => {
  test('fill what the file leaves open and relabel nothing', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, 'sku,title,price\nC-1,Mug,"1,299"\n')
    await assay.ingest(catalog, 'sku,title,price,currency\nC-2,Cup,"2,50",GBP\n', { source: 'british' })
    await saveSettings(assay, {
      currency: 'EUR',
      decimal_separator: ',',
      link_template: 'https://shop.example.test/{sku}',
      default_condition: 'new',
    })
    await settled(assay)
    const [a, b] = [...(await assay.products(catalog))].sort((x, y) => ((x.sku ?? '') < (y.sku ?? '') ? -1 : 1))
    expect(a).toMatchObject({ currency: 'EUR', link: 'https://shop.example.test/C-1', condition: 'new' })
    expect(a?.price).toBeCloseTo(1.3, 1)
    expect(b).toMatchObject({ currency: 'GBP', price: 2.5 })
    await saveSettings(assay, { currency: null, decimal_separator: null, link_template: null, default_condition: null })
    await settled(assay)
  })
})

describe('known faults through HTTP, with triggers on and off', () => {
  test.each([true, false])(
    'KF-06: absent columns and blank cells change nothing (auto_silver %s)',
    async (auto_silver) => {
      const catalog = await assay.newCatalog()
      await assay.ingest(catalog, 'sku,title,brand,description\nL-1,Lamp,Lumo,Old A\nL-2,Lamp 2,Lumo,Old B\n')
      await saveSettings(assay, { auto_silver })
      const { result } = await assay.ingest(catalog, 'sku,description\nL-1,New text\nL-2,\n')
      expect(result).toMatchObject({ created: 0, updated: 1, unchanged: 1 })
      await saveSettings(assay, { auto_silver: true })
      await settled(assay)
      const [first] = await assay.products(catalog, { sku: 'L-1' })
      const [second] = await assay.products(catalog, { sku: 'L-2' })
      expect(first).toMatchObject({ title: 'Lamp', brand: 'Lumo', description: 'New text' })
      expect(second).toMatchObject({ title: 'Lamp 2', brand: 'Lumo', description: 'Old B' })
      await assay.ingest(catalog, 'sku,description\nL-2,__CLEAR__\n')
      expect((await assay.products(catalog, { sku: 'L-2' }))[0]).toMatchObject({ brand: 'Lumo', description: null })
    },
  )

  test.each([true, false])(
    'KF-12: a second import of a family updates one variant (auto_silver %s)',
    async (auto_silver) => {
      const catalog = await assay.newCatalog()
      await saveSettings(assay, { auto_silver })
      const file = (price: string, order: readonly number[]) => {
        const head = ['sku', 'parent_sku', 'title', 'size', 'price']
        const rows = [
          ['T-1', '', 'Tee', '', ''],
          ['T-1-S', 'T-1', 'Tee', 'S', '10.00'],
          ['T-1-M', 'T-1', 'Tee', 'M', price],
        ]
        return [head, ...rows].map((row) => order.map((at) => row[at]).join(',')).join('\n')
      }
      const first = await assay.ingest(catalog, `${file('10.00', [0, 1, 2, 3, 4])}\n`)
      expect(first.result).toMatchObject({ created: 3, updated: 0, unchanged: 0 })
      const sids = async () => (await assay.products(catalog)).map(({ sourceIdentifier }) => sourceIdentifier)
      const before = await sids()
      const second = await assay.ingest(catalog, `${file('12.00', [4, 3, 2, 1, 0])}\n`)
      expect(second.result).toMatchObject({ created: 0, updated: 1, unchanged: 2 })
      expect(await sids()).toEqual(before)
      const kinds = (await assay.products(catalog)).map(({ kind }) => kind).sort()
      expect(kinds).toEqual(['parent', 'variant', 'variant'])
      await saveSettings(assay, { auto_silver: true })
      await settled(assay)
    },
  )
})
