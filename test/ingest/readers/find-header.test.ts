import { describe, expect, test } from 'vitest'
import type { TableRow } from '../../../ingest/readers/table.ts'
import { rowsOf, withTable } from '../../exported.ts'

const open = (text: string) =>
  withTable(Buffer.from(text), async (table) => ({
    header: table.header,
    notes: table.notes,
    rows: await rowsOf(table),
  }))
const good = (row: number, line: number, ...cells: TableRow['cells']) => ({ row, line, cells })

describe('above the header', () => {
  const rows = ['sku;title;price', 'A-1;Mug;9,50', 'A-2;Cup;1,20']
  test.each([
    ['a title', ['Price list 2024, spring', '']],
    ['a title in a sheet’s width', ['Price list 2024;;', ';;']],
    ['a letterhead', ['Müller & Co; Berlin', 'Date: 2024-02-29', 'Prices, net, in EUR']],
    ['a remark', ['# exported by shop 1.2, all rights reserved']],
    ["Excel's word for its delimiter", ['sep=;']],
  ])('%s is no record', async (_, above) => {
    const table = await open([...above, ...rows, ''].join('\n'))
    expect(table.header).toEqual(['sku', 'title', 'price'])
    const at = above.length + 2
    expect(table.rows).toEqual([good(1, at, 'A-1', 'Mug', '9,50'), good(2, at + 1, 'A-2', 'Cup', '1,20')])
    expect(table.notes.some((note) => note.startsWith('above the header stand'))).toBe(true)
  })

  test.each([
    ['a comment', ['# Export of 1 May, 2026, by shop, all items, no VAT']],
    ['a comment of as many cells', ['# a, b, c']],
    ['comments', ['# by: Shop, Inc', '#second, line, of, it, all', '# 3']],
    ['a title', ['Price list of 1 May, 2026, by shop, all items, no VAT']],
    ['a title and an address', ['Price list, spring, all', 'Lumo Ltd, 1 High Street, London, UK, Europe']],
  ])('%s that holds the delimiter is no record', async (_, above) => {
    const table = await open([...above, 'sku,title,price', 'A-1,Mug,9.50', 'A-2,Cup,1.20', ''].join('\n'))
    expect(table.header).toEqual(['sku', 'title', 'price'])
    const at = above.length + 2
    expect(table.rows).toEqual([good(1, at, 'A-1', 'Mug', '9.50'), good(2, at + 1, 'A-2', 'Cup', '1.20')])
    expect(table.notes.some((note) => note.startsWith('above the header stand'))).toBe(true)
  })

  test('what looks like a comment is the header where no other record names more', async () => {
    expect((await open('# items,sku,price\n1,A,2\n')).header).toEqual(['# items', 'sku', 'price'])
    expect((await open('# foo,bar,baz\n1,2,3\n4,5,6\n')).header).toEqual(['# foo', 'bar', 'baz'])
  })

  test('nothing is passed over where the first record names columns that nobody knows', async () => {
    expect((await open('foo,bar\nsku,title\n')).header).toEqual(['foo', 'bar'].slice(0, 2))
    expect((await open('sku\nA,1\nB,2\n')).header).toEqual(['sku'])
    expect((await open('sku,title,images\nA,Mug,a|b|c|d|e\nB,Cup,\n')).header).toEqual(['sku', 'title', 'images'])
  })

  test('a title is passed over above names that nobody knows', async () => {
    expect((await open('Our list\n\nfoo,bar,baz\n1,2,3\n4,5,6\n')).header).toEqual(['foo', 'bar', 'baz'])
  })

  test.each(['^', '~', '\x1f'])('cells may be cut by %j', async (delimiter) => {
    const text = rows.join('\n').replaceAll(';', delimiter)
    expect((await open(text)).rows).toEqual([good(1, 2, 'A-1', 'Mug', '9,50'), good(2, 3, 'A-2', 'Cup', '1,20')])
  })
})
