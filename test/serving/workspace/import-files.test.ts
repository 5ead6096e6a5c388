import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, startAssay, workspace } from '../../running.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay({}, { guardShare: 0.3 })
})
afterAll(() => assay.close())

const download = (importId: string, what: string) =>
  assay.call('GET', `/api/workspace/${workspace}/imports/${importId}/${what}`)
const rejectsOf = async (importId: string) => {
  const answer = await download(importId, 'rejects')
  expect(answer.status, answer.text).toBe(200)
  return answer
}
const bySku = async (catalog: string, sku: string) => (await assay.products(catalog, { sku }))[0]

const filler = Array.from({ length: 20 }, (_, i) => `F-${i},,Mug ${i},`)
const rows = ['A-1,,=1+1,x', 'A-2,,Jug,"a ""quoted"",\nbroken cell"', 'A-1,,Bowl,', 'A-3,ragged']
const file = ['sku,gtin,title,=note', ...filler, ...rows, ''].join('\n')

describe.concurrent('the rejected rows of an import as a file', () => {
  test('stand in the columns of their source, in its order, with the reasons, and run no formula', async () => {
    const catalog = await assay.newCatalog()
    const { result } = await assay.ingest(catalog, file, { source: 'nightly' })
    expect(result).toMatchObject({ read: 24, created: 22, rejected: 2 })
    const { text, headers } = await rejectsOf(result.importId)
    const lines = text.split('\r\n')
    expect(lines[0]).toBe("assay_row,assay_reason,assay_lists,sku,gtin,title,'=note")
    expect(lines[1]).toMatch(/^21,.*row 23.*,,A-1,,'=1\+1,x$/)
    expect(lines[2]).toMatch(/^24,.*has 2 cells.*,A-3,ragged,,$/)
    expect(lines.slice(3)).toEqual([''])
    expect(headers['content-disposition']).toContain('upload-rejects.csv')
  })

  test('can be corrected and sent as they are: the same source, no column of ours, formulas as they were', async () => {
    const catalog = await assay.newCatalog()
    const first = await assay.ingest(catalog, file, { source: 'nightly', map: '=note=material' })
    const { text } = await rejectsOf(first.result.importId)
    const corrected = text.replace(',A-1,,', ',A-9,,').replace(',A-3,ragged,', ',A-3,,Cup')
    const { result } = await assay.ingest(catalog, corrected)
    expect(result).toMatchObject({ read: 2, created: 2, rejected: 0 })
    const { import: ledger } = (await assay.call('GET', `/api/workspace/${workspace}/imports/${result.importId}`)).body
    expect(ledger).toMatchObject({ source: 'nightly', state: 'completed' })
    expect(ledger.context.mapping['=note']).toMatchObject({ field: 'material' })
    expect(Object.keys(ledger.context.mapping)).not.toContain('assay_row')
    expect(await bySku(catalog, 'A-9')).toMatchObject({ title: '=1+1', material: 'x' })
    expect(await bySku(catalog, 'A-3')).toMatchObject({ title: 'Cup' })
    // The source's last file is still the whole one.
    expect((await assay.ingest(catalog, file)).result).toMatchObject({ read: 24 })
  })

  test('sent again uncorrected are rejected no more than they must be, and change nothing else', async () => {
    const catalog = await assay.newCatalog()
    const { result } = await assay.ingest(catalog, file, { source: 'nightly' })
    const again = await assay.ingest(catalog, (await rejectsOf(result.importId)).text)
    expect(again.result).toMatchObject({ read: 2, created: 1, updated: 1 })
  })

  test('keep lists and the keys of a JSON source', async () => {
    const catalog = await assay.newCatalog()
    const line = (title: string) =>
      JSON.stringify({ sku: 'J-1', title, images: ['https://a.test/1.jpg', 'https://a.test/2.jpg'] })
    const { result } = await assay.ingest(catalog, `${line('Mug')}\n${line('Bowl')}\n`, { kind: 'ndjson' })
    expect(result).toMatchObject({ rejected: 1, created: 1 })
    const { text } = await rejectsOf(result.importId)
    expect(text).toContain('https://a.test/1.jpg')
    const again = await assay.ingest(catalog, text.replace('J-1', 'J-2'))
    expect(again.result).toMatchObject({ created: 1, rejected: 0 })
    const images = async (sku: string) => (await bySku(catalog, sku))?.images
    expect(await images('J-2')).toEqual(await images('J-1'))
  })

  test('are none of a snapshot', async () => {
    const catalog = await assay.newCatalog()
    const { result } = await assay.ingest(catalog, file, { source: 'nightly' })
    const { text } = await rejectsOf(result.importId)
    await expect(assay.ingest(catalog, text, { mode: 'snapshot' })).rejects.toThrow('without mode=snapshot')
  })
})

test('the file of an import can be had as it was sent, while it is kept', async () => {
  const catalog = await assay.newCatalog()
  const { result } = await assay.ingest(catalog, file)
  const answer = await download(result.importId, 'file')
  expect(answer.text).toBe(file)
  expect(answer.headers['content-disposition']).toContain('attachment; filename="upload"')
  const sql = `update import set spool = spool || '-gone' where import_id = $1`
  await assay.system.catalog.pipeline.query(sql, [result.importId])
  for (const what of ['file', 'rejects']) expect((await download(result.importId, what)).status).toBe(410)
})

test('all that the rows have to say can be had as NDJSON and as CSV that runs no formula', async () => {
  const catalog = await assay.newCatalog()
  const { result } = await assay.ingest(catalog, file)
  const listed = (await download(result.importId, 'rows?limit=200')).body.rows
  const { text } = await download(result.importId, 'rows/download')
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(listed)
  const csv = (await download(result.importId, 'rows/download?format=csv&result=rejected')).text.split('\r\n')
  expect(csv).toHaveLength(4)
  expect(csv[0]).toBe('row,result,code,reason,field,column,raw')
})
