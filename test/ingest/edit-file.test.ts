import { expect, test } from 'vitest'
import { isFault } from '../../ingest/candidate.ts'
import { gatherEdits, openEditReading } from '../../ingest/edit-file.ts'
import type { Field } from '../../schemas/product.ts'
import { withTable } from '../exported.ts'

const cellsOf = (file: string, map: Readonly<Record<string, Field>>) =>
  withTable(Buffer.from(file), async (table) => {
    const items = gatherEdits(table, openEditReading(table.header, map).mapping).items()
    for await (const [item] of items) return item && !isFault(item) ? item.cells : undefined
    return undefined
  })

test('several columns of one list are that list, in order (KF-05)', async () => {
  const file = 'assay_id,sku,a,b,c,dept,aisle\n,E-1,x.jpg,y.jpg,z.jpg,Home,Mugs\n'
  const map = { a: 'images', b: 'images', c: 'images', dept: 'category', aisle: 'category' } as const
  expect(await cellsOf(file, map)).toEqual({
    sku: 'E-1',
    images: '["x.jpg","y.jpg","z.jpg"]',
    category: ['Home', 'Mugs'],
  })
})
