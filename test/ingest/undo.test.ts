import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../running.ts'
import { sharedAssay, workspace } from '../shared-assay.ts'
import { type Story, telling } from './story.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const tells = (tell: (story: Story) => Promise<void>) => telling(() => assay, tell)
const gtin = '4006381333931'
const link = 'https://shop.example.test/mug'
const image = 'https://cdn.example.test/mug.jpg'
const factory = (title: string, price = '10.00', stock = 5) =>
  `sku,ean,title,description,price,currency,brand,stock,link,image\nLU-1,${gtin},${title},A mug with a white rim that keeps coffee warm.,${price},EUR,Lumo,${stock},${link},${image}\n`
const trader = (title: string) =>
  `Barcode;Product Name;Retail Price;Colour;Condition\n${gtin};${title};12.00 EUR;Blue;used\n`

describe.concurrent('undo of an import', () => {
  test(
    'gives what all others say: the former file, the other supplier, the edits',
    tells(async (story) => {
      const first = await story.ingest(factory('Mug'))
      await story.patch({ brand: 'Lumo as edited' })
      const other = await story.ingest(trader('Mug of the trader'))
      const second = await story.ingest(factory('Mug no. 2', '11.00'))
      expect(await story.only()).toMatchObject({ title: 'Mug no. 2', price: 11, color: 'Blue' })
      await story.undo(second)
      const said = { title: 'Mug of the trader', price: 12, color: 'Blue', condition: 'used', brand: 'Lumo as edited' }
      expect(await story.only()).toMatchObject({ ...said, sku: 'LU-1' })
      await story.undo(other)
      const without = { title: 'Mug', price: 10, color: null, condition: null, brand: 'Lumo as edited' }
      expect(await story.only()).toMatchObject(without)
      await story.undo(first)
      expect(await story.products()).toEqual([])
      await story.redo(other)
      expect(await story.only()).toMatchObject({ ...said, sku: null, gtin })
    }),
  )

  test(
    'twice is undo once, and redo restores what was',
    tells(async (story) => {
      await story.ingest(factory('Mug'))
      const second = await story.ingest(factory('Mug no. 2', '11.00'))
      const before = await story.only()
      await story.undo(second)
      const after = await story.only()
      expect(after).toMatchObject({ title: 'Mug', price: 10 })
      await story.undo(second)
      expect(await story.only()).toEqual(after)
      await story.redo(second)
      const same = { ...before, updatedAt: expect.any(String) }
      expect(await story.only()).toEqual(same)
      await story.redo(second)
      expect(await story.only()).toEqual(same)
    }),
  )

  test(
    'spares an edit that was made between it and its unchanged repeat',
    tells(async (story) => {
      const first = await story.ingest(factory('Mug'))
      await story.patch({ title: 'Mug as edited' })
      const repeat = await story.ingest(factory('Mug'))
      await story.undo(first)
      expect(await story.only()).toMatchObject({ title: 'Mug as edited', price: 10 })
      await story.undo(repeat)
      expect(await story.products()).toEqual([])
      await story.redo(first)
      expect(await story.only()).toMatchObject({ title: 'Mug as edited', price: 10 })
    }),
  )

  test(
    'can be followed by the same file, whose values stand where they were first said',
    tells(async (story) => {
      const first = await story.ingest(factory('Mug'))
      const { id } = await story.only()
      await story.undo(first)
      expect(await story.ingest(factory('Mug'))).toMatchObject({ created: 1, updated: 0, unchanged: 0 })
      expect(await story.only()).toMatchObject({ id, title: 'Mug', price: 10, currency: 'EUR', brand: 'Lumo' })
    }),
  )

  test(
    'can be followed by a file that changes a cell, and by redo of what was undone',
    tells(async (story) => {
      const first = await story.ingest(factory('Mug'))
      const second = await story.ingest(factory('Mug no. 2'))
      await story.undo(second)
      await story.ingest(factory('Mug', '9.00'))
      expect(await story.only()).toMatchObject({ title: 'Mug', price: 9 })
      await story.redo(second)
      expect(await story.only()).toMatchObject({ title: 'Mug', price: 9 })
      await story.undo(first)
      expect(await story.only()).toMatchObject({ title: 'Mug', price: 9 })
    }),
  )

  test(
    'that was the only one takes its products out, of the feed too, and redo brings them back under their ids',
    tells(async (story) => {
      const file = `${factory('Mug')}LU-2,,Oak stool,A stool of solid oak with a round seat.,49.00,EUR,Lumo,3,https://shop.example.test/stool,https://cdn.example.test/stool.jpg\n`
      const result = await story.ingest(file)
      const ids = (await story.products()).map(({ id }) => id)
      expect(await assay.publish(story.catalog)).toMatchObject({ added: 2 })
      const feed = await assay.feed(story.catalog)
      expect(feed).toHaveLength(2)

      await story.undo(result)
      expect(await story.products()).toEqual([])
      expect(await assay.feed(story.catalog)).toHaveLength(2)
      expect(await assay.publish(story.catalog)).toMatchObject({ removed: 2 })
      expect(await assay.feed(story.catalog)).toEqual([])

      await story.redo(result)
      expect((await story.products()).map(({ id }) => id)).toEqual(ids)
      expect(await assay.publish(story.catalog)).toMatchObject({ added: 2 })
      expect(await assay.feed(story.catalog)).toEqual(feed)
    }),
  )

  test(
    'takes a family out whole: parent, variants and what they inherit',
    tells(async (story) => {
      const head = 'Handle,Title,Vendor,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src\n'
      const first = await story.ingest(`${head}mug,Mug,Lumo,Color,Red,M-R,10,${image}\nmug,,,,Blue,M-B,11,\n`)
      const kinds = async () => (await story.products()).map(({ kind }) => kind).sort()
      expect(await kinds()).toEqual(['parent', 'variant', 'variant'])
      const second = await story.ingest(`${head}mug,Big mug,Lumo,Color,Red,M-R,10,${image}\nmug,,,,Blue,M-B,11,\n`)
      const titles = async () => new Set((await story.products()).map(({ title }) => title))
      expect(await titles()).toEqual(new Set(['Big mug']))
      await story.undo(second)
      expect(await titles()).toEqual(new Set(['Mug']))
      await story.undo(first)
      expect(await kinds()).toEqual([])
      await story.redo(second)
      expect(await titles()).toEqual(new Set(['Big mug']))
      expect(await kinds()).toEqual(['parent', 'variant', 'variant'])
    }),
  )

  test(
    'takes out what an import had appended before it was stopped',
    tells(async (story) => {
      const first = await story.ingest(factory('Mug'))
      const sql = "update import set state = 'failed' where import_id = $1"
      await assay.system.catalog.pipeline.query(sql, [first.importId])
      await story.undo(first)
      expect(await story.products()).toEqual([])
    }),
  )

  test(
    'is refused while the import is under way, and for one that never was',
    tells(async (story) => {
      const { importId } = await story.ingest(factory('Mug'))
      const path = (id: string) => `/api/workspace/${workspace}/imports/${id}/undo`
      const set = (state: string) =>
        assay.system.catalog.pipeline.query('update import set state = $2 where import_id = $1', [importId, state])
      for (const state of ['reading', 'appending', 'settling']) {
        await set(state)
        const answer = await assay.call('POST', path(importId), {})
        expect(answer.status).toBe(409)
        expect(answer.body.details.message).toContain(`The import is ${state}`)
      }
      await set('completed')
      expect((await assay.call('POST', path('00000000-0000-4000-8000-000000000000'), {})).status).toBe(404)
    }),
  )
})

describe.concurrent('a product that was deleted through the API', () => {
  test(
    'is not brought back by imports, whose rows are warned',
    tells(async (story) => {
      await story.ingest(factory('Mug'))
      await story.remove()
      expect(await story.products()).toEqual([])
      const again = await story.ingest(factory('Mug'))
      expect(again).toMatchObject({ created: 0, unchanged: 1, warnings: { deleted: 1 } })
      const other = await story.ingest(trader('Mug of the trader'))
      expect(other).toMatchObject({ rejected: 0, warnings: { deleted: 1 } })
      expect(await assay.rows(other.importId)).toMatchObject([{ row: 1, code: 'deleted' }])
      expect(await story.products()).toEqual([])
      await story.undo(again)
      expect(await story.products()).toEqual([])
    }),
  )

  test(
    'is brought back by a create with the same identity, under its id and with what its sources say',
    tells(async (story) => {
      await story.ingest(factory('Mug'))
      const { id } = await story.only()
      const twin = { title: 'Mug again', price: 15, currency: 'EUR', sku: 'LU-1' }
      expect((await story.create(twin)).status).toBe(409)
      await story.remove()
      const made = await story.create(twin)
      expect(made.status, made.text).toBe(201)
      expect(await story.only()).toMatchObject({ id, title: 'Mug again', price: 15, brand: 'Lumo', gtin })
      expect(await story.ingest(factory('Mug no. 2'))).toMatchObject({ updated: 1, warnings: {} })
      expect(await story.only()).toMatchObject({ id, title: 'Mug no. 2', price: 15 })
    }),
  )

  test(
    'stays deleted when an import is undone and redone, and a deleted create needs another create',
    tells(async (story) => {
      expect((await story.create({ title: 'Mug', price: 10, currency: 'EUR', sku: 'LU-1', gtin })).status).toBe(201)
      const { id } = await story.only()
      await story.remove()
      const file = await story.ingest(factory('Mug'))
      await story.undo(file)
      await story.redo(file)
      expect(await story.products()).toEqual([])
      expect((await story.create({ title: 'Mug no. 2', price: 12, sku: 'LU-1' })).status).toBe(201)
      expect(await story.only()).toMatchObject({ id, title: 'Mug no. 2', price: 12 })
      await story.remove()
      expect(await story.products()).toEqual([])
    }),
  )
})
