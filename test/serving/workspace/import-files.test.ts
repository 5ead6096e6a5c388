import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepFiles, sweepUnclaimed } from '../../../infra/system/file-keeping.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay({ guardShare: 0.3 })
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

  test('are read, and compared, as the import was told to read its file', async () => {
    const catalog = await assay.newCatalog()
    // CP866: its bytes would be found to be something else in so few words.
    const cyrillic = (title: number[]) => [...Buffer.from('sku,title\nA-1,'), ...title, ...Buffer.from('\nA-1,Cup\n')]
    const [first, second] = [
      [0x8c, 0xeb, 0xab],
      [0x8c, 0xeb, 0xae],
    ].map((title) => Buffer.from(cyrillic(title)))
    const query = { source: 'old', encoding: 'ibm866' }
    const one = await assay.ingest(catalog, first ?? '', query)
    const other = await assay.ingest(catalog, second ?? '', query)
    expect((await rejectsOf(one.result.importId)).text).toContain('A-1,Мыл')
    const { body } = await download(other.result.importId, `compare?with=${one.result.importId}`)
    expect(body.comparison ?? body).toMatchObject({ changed: 1 })
  })

  test('sent again uncorrected are rejected no more than they must be, and change nothing else', async () => {
    const catalog = await assay.newCatalog()
    const { result } = await assay.ingest(catalog, file, { source: 'nightly' })
    const again = await assay.ingest(catalog, (await rejectsOf(result.importId)).text)
    expect(again.result).toMatchObject({ read: 2, created: 1, updated: 1 })
  })

  const anew = async (catalog: string, name: string, bytes: string | Buffer, query: Record<string, string> = {}) => {
    const { result } = await assay.ingest(catalog, bytes, { source: name, ...query })
    const { text } = await rejectsOf(result.importId)
    const { rows } = (await download(result.importId, 'rows?limit=200')).body
    return { result, text, notes: rows.filter(({ code }: { code: string | null }) => code !== null) }
  }

  test('keep what stands behind the last column, and are rejected again until it is put in its place', async () => {
    const catalog = await assay.newCatalog()
    const lines = ['sku;title;price;description', 'G-1;Mug;5,00;good', 'A6;=cmd;6,00;+49 123;=extra', '']
    const { text, notes } = await anew(catalog, 'ragged', lines.join('\n'))
    expect(text).toContain(`A6,'=cmd,"6,00",'+49 123,'=extra\r\n`)
    const rejected = notes.find(({ code }: { code: string }) => code === 'ragged')
    expect(rejected).toMatchObject({ row: 2, column: null, raw: 'A6;=cmd;6,00;+49 123;=extra' })

    const again = await anew(catalog, 'ragged', text)
    expect(again.result).toMatchObject({ read: 1, created: 0, rejected: 1 })
    expect(again.notes[0]).toMatchObject({
      code: 'ragged',
      reason: expect.stringContaining('"=extra" behind its last'),
    })
    // As often as it is sent.
    expect((await anew(catalog, 'ragged', again.text)).text).toContain(`A6,'=cmd,"6,00",'+49 123,'=extra\r\n`)
    expect(await bySku(catalog, 'A6')).toBeUndefined()

    const repaired = again.text.replace(`'+49 123,'=extra`, `'+49 123 =extra`)
    expect((await assay.ingest(catalog, repaired, { source: 'ragged' })).result).toMatchObject({ read: 1, created: 1 })
    expect(await bySku(catalog, 'A6')).toMatchObject({ title: '=cmd', price: 6, description: '+49 123 =extra' })
  })

  test('show where bytes are no text, and are rejected again until somebody wrote what was meant', async () => {
    const catalog = await assay.newCatalog()
    const bytes = Buffer.from('sku;title;price;desc\nG-1;Gräfin;5,00;good\nA7;bad?;1,00;d\n')
    bytes[bytes.indexOf('?')] = 0x81
    const { text, notes } = await anew(catalog, 'damaged', bytes)
    expect(text).toContain('A7,bad\ufffd,"1,00",d\r\n')
    expect(notes.find(({ code }: { code: string }) => code === 'not_text')).toMatchObject({
      column: 'title',
      raw: 'bad\ufffd',
    })

    const again = await anew(catalog, 'damaged', text)
    expect(again.result).toMatchObject({ read: 1, created: 0, rejected: 1 })
    expect(again.notes[0]).toMatchObject({ code: 'unreadable', column: 'title', raw: 'bad\ufffd' })

    const repaired = await assay.ingest(catalog, again.text.replace(/bad\ufffd,/, 'bade,'), { source: 'damaged' })
    expect(repaired.result).toMatchObject({ read: 1, created: 1, rejected: 0 })
    expect(await bySku(catalog, 'A7')).toMatchObject({ title: 'bade', price: 1 })
  })

  test('that could not be cut into cells are marked behind the last column, and rejected again while they are', async () => {
    const catalog = await assay.newCatalog()
    const csv = ['sku,title', 'G-1,Mug', 'A-5,"never closed', 'G-2,Jug', ''].join('\n')
    const quoted = await anew(catalog, 'quoted', csv)
    expect(quoted.result).toMatchObject({ read: 3, created: 2, rejected: 1 })
    expect(quoted.notes[0]).toMatchObject({ code: 'unreadable', raw: 'A-5,"never closed' })
    expect(quoted.text).toContain(',A-5,"""never closed",\ufffd\r\n')
    const json = await anew(catalog, 'lines', '{"sku":"J-1","title":"Mug"}\n{"sku":"J-2","ti\n', { kind: 'ndjson' })
    expect(json.notes[0]).toMatchObject({ code: 'unreadable', raw: '{"sku":"J-2","ti' })
    for (const { text, result } of [quoted, json]) {
      const again = await assay.ingest(catalog, text, { source: result.importId })
      expect(again.result).toMatchObject({ read: 1, created: 0, rejected: 1 })
    }
    const repaired = quoted.text.replace('"""never closed",\ufffd', 'closed')
    const { result } = await assay.ingest(catalog, repaired, { source: 'quoted' })
    expect(result).toMatchObject({ read: 1, created: 1, rejected: 0 })
  })

  test('that repeat the header do so again, and one that lacked cells says so when it comes back as it was', async () => {
    const catalog = await assay.newCatalog()
    const { text } = await anew(catalog, 'pasted', 'sku,title,price\nG-1,Mug,5.00\nsku,title,price\nA-3,ragged\n')
    const again = await anew(catalog, 'pasted', text)
    expect(again.result).toMatchObject({ read: 2, created: 1, rejected: 1, warnings: { cells_missing: 1 } })
    expect(again.notes).toMatchObject([
      { row: 1, result: 'rejected', code: 'header_again' },
      { row: 2, result: 'warning', code: 'cells_missing', column: 'price' },
    ])
  })

  test('have their deciding cell in the ledger where another row of the file is the same product', async () => {
    const catalog = await assay.newCatalog()
    const { notes } = await anew(catalog, 'twice', 'Art;title\nA-1;Mug\nA-1;Jug\n', { map: 'Art=sku' })
    expect(notes).toMatchObject([{ row: 1, code: 'id_conflict', column: 'Art', raw: 'A-1' }])
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

describe.concurrent('the file of an import beside the one before', () => {
  const before = ['sku,title', 'A-1,Mug', 'A-2,Jug', 'A-3,Cup', 'A-3,Cup', ''].join('\n')
  const after = ['title,sku', 'Mug,A-1', 'Pot,A-4', 'Bowl,A-2', 'Cup,A-3', ''].join('\n')

  test('has rows that were added, removed and changed, by what identifies them, wherever they and their columns stand', async () => {
    const catalog = await assay.newCatalog()
    const first = await assay.ingest(catalog, before, { source: 'nightly' })
    const { result } = await assay.ingest(catalog, after, { source: 'nightly' })
    const { comparison } = (await download(result.importId, 'compare')).body
    expect(comparison).toEqual({
      ...{ with: first.result.importId, rows: 4, rowsBefore: 4, added: 1, removed: 1, changed: 1, unchanged: 2 },
      differences: [
        { kind: 'added', key: 'A-4', row: 2, rowBefore: null },
        { kind: 'changed', key: 'A-2', row: 3, rowBefore: 2 },
        { kind: 'removed', key: 'A-3', row: null, rowBefore: 4 },
      ],
    })
    const itself = (await download(result.importId, `compare?with=${result.importId}`)).body.comparison
    expect(itself).toMatchObject({ added: 0, removed: 0, changed: 0, unchanged: 4, differences: [] })
  })

  test('is not there for the first of a source: 404', async () => {
    const { result } = await assay.ingest(await assay.newCatalog(), before)
    expect((await download(result.importId, 'compare')).status).toBe(404)
  })
})

test('a file goes once its last import is old, for each import of the same bytes, and a held one keeps it', async () => {
  const pool = assay.system.catalog.pipeline
  const text = `sku,title\nK-1,Kept ${Date.now()}\n`
  const [one, other] = [await assay.newCatalog(), await assay.newCatalog()]
  const ids = [(await assay.ingest(one, text)).result.importId, (await assay.ingest(other, text)).result.importId]
  const { rows } = await pool.query<{ spool: string }>('select spool from import where import_id = $1', [ids[0]])
  const spool = rows[0]?.spool ?? ''
  const age = (id: string | undefined, state: string) =>
    pool.query(`update import set created_at = now() - interval '91 days', state = $2 where import_id = $1`, [
      id,
      state,
    ])
  await utimes(spool, 0, 0)
  await age(ids[0], 'completed')
  await sweepFiles(pool, 90, new Date())
  expect((await download(ids[0] ?? '', 'file')).status).toBe(200)
  await age(ids[1], 'held')
  await sweepFiles(pool, 90, new Date())
  expect((await download(ids[0] ?? '', 'file')).status).toBe(200)
  await age(ids[1], 'completed')
  await sweepFiles(pool, 90, new Date())
  for (const id of ids) expect((await download(id, 'file')).status).toBe(410)
})

test('a file that was refused goes after an hour, and none that an import has', async () => {
  const pool = assay.system.catalog.pipeline
  const folder = join(assay.config.dataFolder, 'spool')
  const { result } = await assay.ingest(await assay.newCatalog(), `sku,title\nU-1,Claimed ${Date.now()}\n`)
  const before = await readdir(folder)
  await expect(assay.ingest(await assay.newCatalog(), Buffer.from([0, 1, 2, 3]))).rejects.toThrow('400')
  const [refused = ''] = (await readdir(folder)).filter((name) => !before.includes(name))
  await sweepUnclaimed(pool, folder, new Date())
  expect(await readdir(folder)).toContain(refused)
  for (const name of await readdir(folder)) await utimes(join(folder, name), 0, 0)
  expect(await sweepUnclaimed(pool, folder, new Date())).toBe(1)
  expect(await readdir(folder)).not.toContain(refused)
  expect((await download(result.importId, 'file')).status).toBe(200)
})
