import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import { type ExportFormat, exportFormatNames } from '../../../schemas/export.ts'
import { buildServer } from '../../../serving/server.ts'
import { type ExportRow, exportColumns } from '../../../transforms/versions/export-row.ts'
import { changedFields, exportOf, refinedOf, rowsIn, written } from '../../exported.ts'
import { type Ledger, type Running, startAssay, workspace } from '../../running.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

/** A family with its parent, a single, and titles that a spreadsheet would run. */
const supplier = [
  'sku,parent_sku,title,description,brand,price,currency,color,images,stock',
  'T-1,,Tee,"Soft, ""heavy"" cotton',
  'in two lines",Lumo,,,,,',
  'T-1-R,T-1,Tee red,,Lumo,19.90,EUR,Red,https://cdn.example.test/r.jpg,3',
  'T-1-B,T-1,Tee blue,,Lumo,19.90,EUR,Blue,https://cdn.example.test/b.jpg,0',
  'M-1,,"=HYPERLINK(""http://x.example.test"",""Sale"")",,Lumo,12.50,EUR,,https://cdn.example.test/m.jpg,9',
  'M-2,,-20% Summer Mug,,Lumo,1234.00,EUR,,,9',
  'M-3,,@home Lamp,,Lumo,7.00,EUR,,,9',
].join('\n')

async function filled(): Promise<string> {
  const catalog = await assay.newCatalog()
  const { status, result } = await assay.ingest(catalog, supplier)
  expect({ status, ...result }).toMatchObject({ status: 'completed', rejected: 0 })
  return catalog
}

const cellsOf = async (bytes: Buffer): Promise<string[][]> =>
  (await rowsIn(bytes)).map(({ cells }) =>
    cells.map((cell) => (typeof cell === 'string' ? cell : JSON.stringify(cell))),
  )

/** The export's rows as our own cells, with one of them said otherwise. */
async function rowsOf(catalog: string): Promise<string[][]> {
  return cellsOf((await exportOf(assay, catalog, 'parquet')).bytes)
}

const at = (column: string) => exportColumns.indexOf(column)
const rowOf = (rows: readonly string[][], sku: string) => {
  const row = rows.find((cells) => cells[at('sku')] === sku)
  if (!row) throw new Error(`no row has the SKU ${sku}`)
  return row
}

const balanced = (l: Ledger) => l.created + l.updated + l.unchanged + l.duplicate + l.rejected === l.read

async function ingested(catalog: string, format: ExportFormat, rows: readonly ExportRow[]): Promise<Ledger> {
  const { status, result } = await assay.ingest(catalog, await written(format, rows))
  expect(status).toBe('completed')
  expect(balanced(result)).toBe(true)
  return result
}

/** Which fields differ afterwards, by product. */
async function changes<T>(catalog: string, work: () => Promise<T>) {
  const before = await refinedOf(assay, catalog)
  const result = await work()
  return { result, changed: [...changedFields(before, await refinedOf(assay, catalog))] }
}

describe.each(exportFormatNames)('as %s', (format) => {
  let catalog: string
  let version: Buffer
  beforeAll(async () => {
    catalog = await filled()
    await assay.publish(catalog)
  })

  test('200: a working catalog, parents and variants included, is imported again as unchanged', async () => {
    const file = await exportOf(assay, catalog, format)
    expect(file.status).toBe(200)
    expect(file.headers['content-disposition']).toContain(`filename="test.${format}"`)
    const { result, changed } = await changes(catalog, () => assay.ingest(catalog, file.bytes))
    expect(result.result).toMatchObject({ read: 6, created: 0, updated: 0, unchanged: 6, rejected: 0 })
    expect(result.result.notes).toContainEqual(expect.stringContaining('assay_id'))
    expect(changed).toEqual([])
  })

  test('200: a version is imported again as unchanged', async () => {
    const file = await exportOf(assay, catalog, format, 1)
    version = file.bytes
    expect(file.headers).toMatchObject({ 'x-catalog-version': '1' })
    expect(file.headers['content-disposition']).toContain(`filename="test-v1.${format}"`)
    const { result } = await assay.ingest(catalog, file.bytes)
    expect(result).toMatchObject({ read: 5, created: 0, updated: 0, unchanged: 5, rejected: 0 })
  })

  test('one changed cell changes that field of that product and nothing else, and no version', async () => {
    const rows = await rowsOf(catalog)
    const row = rowOf(rows, 'M-2')
    row[at('price')] = '999.99'
    const { result, changed } = await changes(catalog, () => ingested(catalog, format, rows))
    expect(result).toMatchObject({ read: 6, created: 0, updated: 1, unchanged: 5 })
    expect(changed).toEqual([[row[0], ['price']]])
    expect((await refinedOf(assay, catalog)).get(row[0] ?? '')).toMatchObject({ price: '999.99', currency: 'EUR' })
    expect(await cellsOf((await exportOf(assay, catalog, format, 1)).bytes)).toEqual(await cellsOf(version))
  })
})

describe('a file of edits', () => {
  let catalog: string
  beforeAll(async () => {
    catalog = await filled()
  })
  const edit = async (sku: string, cells: Record<string, string>) => {
    const row = rowOf(await rowsOf(catalog), sku).slice()
    for (const [column, value] of Object.entries(cells)) row[at(column)] = value
    return row
  }
  const notesOf = async ({ importId }: Ledger) => (await assay.rows(importId)).map(({ row, code }) => ({ row, code }))

  test('leaves alone what a blank cell stands for, and clears what says so (KF-06)', async () => {
    const row = await edit('T-1-R', { brand: '', images: '__CLEAR__' })
    const { changed } = await changes(catalog, () => ingested(catalog, 'csv', [row]))
    expect(changed).toEqual([[row[0], ['images']]])
    expect((await refinedOf(assay, catalog)).get(row[0] ?? '')).toMatchObject({ brand: 'Lumo', images: [] })
  })

  test('that says other images replaces them all', async () => {
    const row = await edit('T-1-B', { images: '["https://cdn.example.test/new.jpg"]' })
    const { changed } = await changes(catalog, () => ingested(catalog, 'ndjson', [row]))
    expect(changed).toEqual([[row[0], ['images']]])
    expect((await refinedOf(assay, catalog)).get(row[0] ?? '')).toMatchObject({
      images: ['https://cdn.example.test/new.jpg'],
    })
  })

  test('may say a parent otherwise, and its variants stay what they are', async () => {
    const row = await edit('T-1', { brand: 'Lumen' })
    const { changed } = await changes(catalog, () => ingested(catalog, 'csv', [row]))
    expect(changed).toEqual([[row[0], ['brand']]])
  })

  test('rejects a row of a product that the catalog does not have, and goes on', async () => {
    const other = await filled()
    const elsewhere = rowOf(await rowsOf(other), 'M-1')
    const unknown = (await edit('M-2', { title: 'Nobody' })).with(0, randomUUID())
    const none = (await edit('M-2', { title: 'Nothing' })).with(0, 'M-2')
    const good = await edit('M-2', { title: 'Mug' })
    const result = await ingested(catalog, 'csv', [elsewhere, unknown, none, good])
    expect(result).toMatchObject({ read: 4, created: 0, updated: 1, rejected: 3 })
    expect(await notesOf(result)).toEqual([1, 2, 3].map((row) => ({ row, code: 'unknown_id' })))
  })

  test('makes a product of a row without assay_id where its identifiers are new, and edits the one they lead to', async () => {
    const fresh = (await edit('M-2', { sku: 'N-1', title: 'New mug', link: '' })).with(0, '')
    const known = (await edit('M-3', { title: 'Desk lamp' })).with(0, '')
    const result = await ingested(catalog, 'xlsx', [fresh, known])
    expect(result).toMatchObject({ read: 2, created: 1, updated: 1 })
    const titles = new Map((await assay.products(catalog)).map(({ sku, title }) => [sku, title]))
    expect(titles.get('N-1')).toBe('New mug')
    expect(titles.get('M-3')).toBe('Desk lamp')
    expect(await ingested(catalog, 'xlsx', [fresh, known])).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
  })

  test('gives a product a new SKU, by which it is found, and not that of another', async () => {
    const row = await edit('M-1', { sku: 'M-1-NEW' })
    const taken = await edit('M-2', { sku: 'M-3' })
    const result = await ingested(catalog, 'csv', [row, taken])
    expect(result).toMatchObject({ updated: 1, rejected: 1 })
    expect(await notesOf(result)).toEqual([{ row: 2, code: 'sku_taken' }])
    const { result: later } = await assay.ingest(catalog, 'sku,title\nM-1-NEW,Found\n')
    expect(later).toMatchObject({ created: 0, updated: 1 })
  })

  test('that has one product twice takes the last row, as every file does', async () => {
    const [one, two] = [await edit('M-2', { title: 'First' }), await edit('M-2', { title: 'Last' })]
    const result = await ingested(catalog, 'csv', [one, two])
    expect(result).toMatchObject({ updated: 1, rejected: 1 })
    expect((await refinedOf(assay, catalog)).get(one[0] ?? '')).toMatchObject({ title: 'Last' })
  })

  test('can be undone', async () => {
    const row = await edit('T-1-R', { title: 'A mistake' })
    const { changed } = await changes(catalog, async () => {
      const { importId } = await ingested(catalog, 'arrow', [row])
      await assay.change(importId, 'undo')
    })
    expect(changed).toEqual([])
  })
})

test('texts that a spreadsheet would run are inert in CSV, and come back as they were (KF-25)', async () => {
  const catalog = await filled()
  const text = (await exportOf(assay, catalog, 'csv')).bytes.toString()
  expect(text).toContain(`"'=HYPERLINK(""http://x.example.test"",""Sale"")"`)
  expect(text).toContain(`,'-20% Summer Mug,`)
  expect(text).toContain(`,'@home Lamp,`)
  const titles = async () => new Set((await assay.products(catalog)).map(({ title }) => title))
  const before = await titles()
  expect(before).toContain('-20% Summer Mug')
  await assay.ingest(catalog, text.replaceAll('Lumo', 'Lumen'))
  expect(await titles()).toEqual(before)
})

test('leaves nothing in the data folder', async () => {
  const catalog = await filled()
  const folder = join(assay.config.dataFolder, 'spool')
  const before = await readdir(folder)
  for (const format of ['xlsx', 'parquet'] as const) await exportOf(assay, catalog, format)
  expect(await readdir(folder)).toEqual(before)
})

test('200: an empty catalog is a header', async () => {
  const { status, bytes } = await exportOf(assay, await assay.newCatalog(), 'csv')
  expect({ status, text: bytes.toString() }).toEqual({ status: 200, text: `${exportColumns.join(',')}\r\n` })
})

test('400 and 404: a format that there is not, a version that there is not, a catalog that was never published', async () => {
  const catalog = await filled()
  const ask = (query: string) => assay.call('GET', `/api/workspace/${workspace}/catalogs/${catalog}/export${query}`)
  expect(await ask('?format=pdf')).toMatchObject({ status: 400 })
  expect(await ask('?version=0')).toMatchObject({ status: 400 })
  expect(await ask('?version=1')).toMatchObject({ status: 404, body: { error: 'CATALOG_NOT_PUBLISHED' } })
  await assay.publish(catalog)
  expect(await ask('?version=2')).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } })
})

test('what breaks off in the middle never looks like a whole file', async () => {
  const catalog = await filled()
  const ports = serverPorts(assay.system)
  async function* broken() {
    yield 'assay_id\r\n'
    throw new Error('the catalog is away')
  }
  const app = await buildServer({ ...ports, logger: null, writeExport: async () => Readable.from(broken()) })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    const url = `${origin}/api/workspace/${workspace}/catalogs/${catalog}/export`
    const answer = await fetch(url, { headers: { authorization: `Bearer ${await assay.token('viewer')}` } })
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow()
  } finally {
    await app.close()
  }
})
