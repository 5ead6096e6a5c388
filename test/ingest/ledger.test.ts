import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enough } from '../enough.ts'
import type { Ledger, Running } from '../running.ts'
import { sharedAssay, workspace } from '../shared-assay.ts'
import { overShared, realPath, sharedIsThere } from './expected-figures.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const table = (...rows: string[]) => `${rows.join('\n')}\n`
const total = (l: Ledger) => l.created + l.updated + l.unchanged + l.duplicate + l.rejected

async function imported(...files: string[]) {
  const catalog = await assay.newCatalog()
  const results: Ledger[] = []
  for (const file of files) results.push((await assay.ingest(catalog, file, { source: 'test' })).result)
  const last = results.at(-1)
  if (!last) throw new Error('no file was imported')
  const notes = (await assay.rows(last.importId)).map(({ row, result, code, says }) => ({ row, result, code, says }))
  return { catalog, results, last, notes, products: await assay.products(catalog) }
}

describe.concurrent('rows of one product in one file', () => {
  test('that are equal are one product and duplicates that name the row which counts', async () => {
    const { last, notes, products } = await imported(table('sku,title', 'A-1,Mug', 'A-2,Jug', 'A-1,Mug', 'A-1,Mug'))
    expect(last).toMatchObject({ read: 4, created: 2, duplicate: 2, rejected: 0 })
    expect(notes).toEqual([
      { row: 1, result: 'duplicate', code: 'duplicate', says: expect.stringContaining('row 4') },
      { row: 3, result: 'duplicate', code: 'duplicate', says: expect.stringContaining('row 4') },
    ])
    expect(products).toHaveLength(2)
  })

  test('that differ: the last counts, and each earlier one is rejected and names it', async () => {
    const { last, notes, products } = await imported(table('sku,title', 'A-1,Mug', 'A-1,Cup', 'A-2,Jug', 'A-1,Bowl'))
    expect(last).toMatchObject({ read: 4, created: 2, duplicate: 0, rejected: 2 })
    expect(notes).toEqual([
      { row: 1, result: 'rejected', code: 'id_conflict', says: expect.stringContaining('row 4') },
      { row: 2, result: 'rejected', code: 'id_conflict', says: expect.stringContaining('row 4') },
    ])
    expect(products.find(({ sku }) => sku === 'A-1')).toMatchObject({ title: 'Bowl' })
  })

  test('of which one has only the barcode of the other: the last counts there too', async () => {
    const rows = ['A-1,4006381333931,Mug', 'A-2,,Jug']
    const { last, notes, products } = await imported(table('sku,gtin,title', ',4006381333931,Cup', ...rows))
    expect(last).toMatchObject({ read: 3, created: 2, rejected: 1 })
    expect(notes).toMatchObject([{ row: 1, code: 'id_conflict', says: expect.stringContaining('row 2') }])
    expect(products.map(({ sku }) => sku).sort()).toEqual(['A-1', 'A-2'])
  })

  test('that the catalog alone knows for one product are told apart from two products', async () => {
    const { last, notes } = await imported(
      table('sku,gtin,title', 'A-1,4006381333931,Mug'),
      table('sku,gtin,title', 'A-1,,Mug', ',4006381333931,Cup'),
    )
    expect(last).toMatchObject({ read: 2, created: 0, updated: 1, rejected: 1 })
    expect(notes).toMatchObject([{ row: 1, code: 'id_conflict', says: expect.stringContaining('row 2') }])
  })
})

describe.concurrent('a row that is no record', () => {
  test.each([
    ['with a cell too few', 'A-2,Jug', 'ragged'],
    ['with a cell too many', 'A-2,Jug,1,2', 'ragged'],
    ['with a quote that is never closed', 'A-2,"Jug,1', 'unreadable'],
  ])('%s is rejected with its line, and its neighbours are not', async (_, bad, code) => {
    const file = table('sku,title,price', 'A-1,Mug,1', bad, 'A-3,Bowl,3')
    const { results, notes, products } = await imported(file, file)
    expect(results).toMatchObject([
      { read: 3, created: 2, rejected: 1 },
      { read: 3, created: 0, updated: 0, unchanged: 2, rejected: 1 },
    ])
    expect(notes).toEqual([{ row: 2, result: 'rejected', code, says: expect.stringContaining('Line 3') }])
    expect(products.map(({ sku }) => sku).sort()).toEqual(['A-1', 'A-3'])
  })

  test('is counted in a file of families too', async () => {
    const rows = ['sku,parent sku,size,title', 'T-1,,,Shirt', 'T-2,T-1,S', 'T-3,T-1,M,Shirt M']
    const { last, notes, products } = await imported(table(...rows))
    expect(last).toMatchObject({ read: 3, created: 2, rejected: 1 })
    expect(notes).toMatchObject([{ row: 2, code: 'ragged' }])
    expect(products).toHaveLength(2)
  })
})

describe.concurrent('a row with nothing but identifiers that several products share', () => {
  const two = table('sku,gtin,title', 'A-1,4006381333931,Mug', 'A-2,4006381333931,Jug')
  const lone = table('gtin,title', '4006381333931,Bowl')

  test('in the same file is rejected as ambiguous, and the two products stay two', async () => {
    const { last, notes, products } = await imported(`${two},4006381333931,Bowl\n`)
    expect(last).toMatchObject({ read: 3, created: 2, rejected: 1 })
    expect(notes).toMatchObject([{ row: 3, result: 'rejected', code: 'ambiguous_identity' }])
    expect(products.map(({ title }) => title).sort()).toEqual(['Jug', 'Mug'])
  })

  test('in a later file is rejected as ambiguous', async () => {
    const { last, notes } = await imported(two, lone)
    expect(last).toMatchObject({ read: 1, created: 0, updated: 0, rejected: 1 })
    expect(notes).toMatchObject([{ row: 1, code: 'ambiguous_identity' }])
  })

  test('is rejected once, though its SKU is shared as well', async () => {
    const columns = 'sku,item group id,color,title'
    const { last, notes } = await imported(
      table(columns, 'A,G,red,Mug', 'B,G,red,Jug', 'A,G,blue,Cup'),
      table(columns, 'X,G,red,Mug', 'X,G,green,Jug'),
    )
    expect(total(last)).toBe(2)
    expect(notes.filter(({ result }) => result === 'rejected')).toHaveLength(last.rejected)
  })
})

describe.concurrent('a file that is no product file', () => {
  async function refused(file: string | Buffer) {
    const catalog = await assay.newCatalog()
    const path = `/api/workspace/${workspace}/datasets/ingest?catalog_id=${catalog}`
    const { status, body, text } = await assay.call('POST', path, Buffer.from(file))
    const says = status === 202 ? String((await assay.job(body.job.id)).error?.message) : text
    const { rows } = await assay.system.catalog.pipeline.query(
      'select state, appended_seq as seq from import where catalog_id = $1',
      [catalog],
    )
    return { status, says, rows, products: await assay.products(catalog) }
  }

  test('fails its job with a sentence that says what to do, and nothing is appended', async () => {
    const { status, says, rows, products } = await refused(table('date,temperature', '2026-01-01,4'))
    expect(status).toBe(202)
    expect(says).toMatch(/No column .* says which product a row is \(columns: date, temperature\).*map/)
    expect(rows).toEqual([{ state: 'failed', seq: -1 }])
    expect(products).toEqual([])
  })

  test.each([
    ['empty', ''],
    ['a header alone', 'sku,title\n'],
    ['XML', '<?xml version="1.0"?><rss><item/></rss>'],
    ['JSON without products', '[1, 2]'],
    ['a workbook', Buffer.from('PK\x03\x04 and the rest', 'latin1')],
    ['in no encoding that we know', Buffer.from('sku,title\nA-1,f\x81r M\x84dchen\nA-2,K\x81che, gr\x81n\n', 'latin1')],
  ])('%s: one sentence and no product', async (_, file) => {
    const { says, rows, products } = await refused(file)
    expect(says).toMatch(/[a-z].{20,}/)
    expect(says).not.toMatch(/undefined|\n\s*at |\.ts:/)
    expect(rows.filter(({ seq }) => seq >= 0)).toEqual([])
    expect(products).toEqual([])
  })

  test.skipIf(!sharedIsThere)(overShared('a list of flights is no product file'), async () => {
    const { products } = await refused(await readFile(realPath('not-products/flights-google.csv')))
    expect(products).toEqual([])
  })
})

/** Cells that meet each other: some identifiers again and again, spelled in several ways, and any text. */
const often = <T>(...values: T[]) => fc.constantFrom(...values)
const text = fc.string({ unit: fc.constantFrom(...'aB 9,;"\'\n\r\t\0\u00a0\u200bé🚀<&='), maxLength: 6 })
const cells = {
  sku: fc.oneof({ weight: 4, arbitrary: often('', 'A-1', ' A-1', 'a-1', 'A-2', 'B') }, { weight: 1, arbitrary: text }),
  gtin: often('', '4006381333931', '04006381333931', '9520000000080', '0000000000000', '4006381333932', 'x'),
  title: fc.oneof(often('', 'Mug', 'Jug'), text),
  mpn: often('', 'M-1', 'M-2'),
  brand: often('', 'Lumo', 'lumo'),
  link: often('', 'https://shop.example.test/a', 'https://shop.example.test/b'),
  'item group id': often('', 'G-1', 'G-2'),
  color: often('', 'red', 'blue'),
}
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const columns = Object.keys(cells) as (keyof typeof cells)[]

const anyTable = fc
  .record({
    kept: fc.subarray(columns, { minLength: 1 }).filter((kept) => kept.some((name) => !/brand|group|color/.test(name))),
    rows: fc.array(fc.record(cells), { minLength: 1, maxLength: 9 }),
  })
  .map(({ kept, rows }) => [kept, ...rows.map((row) => kept.map((name) => row[name]))])
  .filter(([, ...rows]) => rows.some((row) => row.some((cell) => cell.trim() !== '')))

const isBlank = (cell: string) => cell.replace(/[\s\ufeff]/gu, '') === ''

async function balances(rows: readonly (readonly string[])[]) {
  const file = rows.map((row) => `${row.map(quoted).join()}\n`).join('')
  const { results, products } = await imported(file, file)
  const [first, second] = results
  if (!first || !second) throw new Error('an import has no result')
  expect(first.read).toBe(rows.slice(1).filter((row) => !row.every(isBlank)).length)
  expect(total(first)).toBe(first.read)
  const { duplicate, rejected } = first
  expect(second).toMatchObject({ created: 0, updated: 0, unchanged: first.created, duplicate, rejected })
  expect(products.filter(({ kind }) => kind !== 'parent')).toHaveLength(first.created)
}

test('for any table the ledger balances, and a second import creates and updates nothing', async () => {
  // Two at a time, as many as one process imports.
  const tables = fc.asyncProperty(anyTable, anyTable, async (one, other) => {
    await Promise.all([balances(one), balances(other)])
  })
  await fc.assert(tables, { numRuns: enough(4, 10) })
})
