import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay } from '../../shared-assay.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

describe('KF-05: columns of one name', () => {
  test('for a category are its levels, in order, whatever wrote them', async () => {
    const files = [
      'sku,title,category,category\nA1,A,Home,Mugs\n',
      'sku,title,Category,category \nA1,A,Home,Mugs\n',
      '{"sku":"A1","title":"A","category":["Home","Mugs"]}\n',
    ]
    for (const file of files) {
      const catalog = await assay.newCatalog()
      await assay.ingest(catalog, file)
      expect(await assay.products(catalog)).toMatchObject([{ categoryPath: ['Home', 'Mugs'] }])
    }
  })

  test('with a path in each give the first; the other is a warning of its row', async () => {
    const catalog = await assay.newCatalog()
    const { result } = await assay.ingest(catalog, 'sku,title,category,category\nA1,A,Home > Mugs,Gifts > Him\n')
    expect(result).toMatchObject({ created: 1, warnings: { several_categories: 1 } })
    expect(await assay.products(catalog)).toMatchObject([{ categoryPath: ['Home', 'Mugs'] }])
  })

  test('that another column was preferred to are named in the notes', async () => {
    const catalog = await assay.newCatalog()
    const { result } = await assay.ingest(catalog, 'sku,title,name\nA1,A,B\n')
    expect(result.notes).toContain('"name" was not taken for title: "title" gives it')
  })
})
