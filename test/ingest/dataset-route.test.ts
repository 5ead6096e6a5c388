import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Job, type Running, startAssay, workspace } from '../running.ts'
import { expectSamplesForm } from '../serving/envelopes.ts'
import { workbook } from './workbook.ts'

const maxBytes = 20_000
let assay: Running
beforeAll(async () => {
  assay = await startAssay({ ASSAY_MAX_UPLOAD_BYTES: String(maxBytes) })
})
afterAll(() => assay.close())

const path = `/api/workspace/${workspace}/datasets/ingest`
const nowhere = '00000000-0000-4000-8000-000000000001'
const csv = 'sku,title,price\nA-1,Mug,"1,50"\nA-2,Stool,"9,00"\n'
const ndjson = '{"sku":"A-1","title":"Mug","price":"1.50"}\n{"sku":"A-2","title":"Stool","price":"9.00"}\n'
const jsonLines = ndjson
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))

const send = (body: unknown, type: string, query: Record<string, string> | string = {}) =>
  assay.call('POST', `${path}?${new URLSearchParams(query)}`, body, { 'content-type': type })

interface Part {
  readonly name: string
  readonly file?: string
  readonly type?: string
  readonly value: string
}
const boundary = 'a-line-that-no-file-has'
const formType = `multipart/form-data; boundary=${boundary}`
const form = (...parts: readonly Part[]) =>
  Buffer.from(
    parts
      .map(({ name, file, type, value }) => {
        const named = file === undefined ? '' : `; filename="${file}"`
        const typed = type === undefined ? '' : `content-type: ${type}\r\n`
        return `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${named}\r\n${typed}\r\n${value}\r\n`
      })
      .concat(`--${boundary}--\r\n`)
      .join(''),
  )
const fileOf = (value: string) => ({ name: 'file', file: 'goods.csv', type: 'text/csv', value })

async function finished(answer: Answer): Promise<Job> {
  expect(answer.body).toEqual({ job: { id: expect.any(String) } })
  expect(answer.status).toBe(202)
  return assay.job(answer.body.job.id)
}

const imports = async () =>
  (await assay.system.catalog.pipeline.query<{ n: number }>('select count(*) as n from import')).rows[0]?.n ?? -1

describe('ways to send a file', () => {
  test.each([
    ['as a form', form(fileOf(csv)), formType],
    [
      'as a form whose part has no name and no type of a file',
      form({ name: 'x', file: '', type: 'application/octet-stream', value: csv }),
      formType,
    ],
    [
      'as a form whose file has a name that no table could keep',
      form({ ...fileOf(csv), file: `a\u0000b\u0007${'x'.repeat(400)}.csv` }),
      formType,
    ],
    ['as text/csv', csv, 'text/csv'],
    ['as text/csv with a charset', csv, 'text/csv; charset=utf-8'],
    [
      'as text/tab-separated-values',
      csv.replaceAll(',', '\t').replaceAll('1\t50', '1,50').replaceAll('9\t00', '9,00'),
      'text/tab-separated-values',
    ],
    ['as text/plain', csv, 'text/plain'],
    ['as application/octet-stream', csv, 'application/octet-stream'],
    ['as NDJSON', ndjson, 'application/x-ndjson'],
    ['as JSON', JSON.stringify({ products: jsonLines }), 'application/json'],
    ['as JSON of a charset', JSON.stringify(jsonLines, null, 1), 'application/json; charset=utf-8'],
    ['as a stream of NDJSON', Readable.from(ndjson.split(/(?<=\n)/)), 'application/x-ndjson'],
  ] as const)('202: %s', async (_, body, type) => {
    const catalog = await assay.newCatalog()
    const { status, result } = await finished(await send(body, type, { catalog_id: catalog }))
    expect({ status, ...result }).toMatchObject({ status: 'completed', read: 2, created: 2, rejected: 0 })
    const products = await assay.products(catalog)
    expect(Object.fromEntries(products.map(({ sku, price }) => [sku, price]))).toEqual({ 'A-1': 1.5, 'A-2': 9 })
  })

  const xml = `<products>${jsonLines.map(({ sku, title, price }) => `<product><sku>${sku}</sku><title>${title}</title><price>${price}</price></product>`).join('')}</products>`
  const row = (...cells: string[]) => `<row>${cells.map((cell) => `<c t="str"><v>${cell}</v></c>`).join('')}</row>`
  const files: Readonly<Record<string, () => string | Promise<Uint8Array>>> = {
    CSV: () => csv,
    NDJSON: () => ndjson,
    'a JSON array': () => JSON.stringify(jsonLines),
    XML: () => xml,
    XLSX: () =>
      workbook([
        {
          name: 'A',
          rows: [['sku', 'title', 'price'], ...jsonLines.map(Object.values)].map((cells) => row(...cells)).join(''),
        },
      ]),
  }
  const types = [
    ...['application/json', 'application/x-ndjson', 'text/csv', 'text/html', 'application/x-www-form-urlencoded'],
    ...['x/of-nobody; a="b"', undefined],
  ]
  test.each(Object.keys(files))(
    '202: %s is read as what its bytes are, whatever type it is sent with',
    async (name) => {
      const catalog = await assay.newCatalog()
      const authorization = `Bearer ${await assay.token('editor')}`
      const body = (await files[name]?.()) ?? ''
      for (const type of types) {
        const answer = await assay.app.inject({
          ...{ method: 'POST', url: `${path}?catalog_id=${catalog}` },
          payload: typeof body === 'string' ? body : Buffer.from(body),
          headers: { authorization, ...(type === undefined ? {} : { 'content-type': type }) },
        })
        expect(answer.statusCode, `${type}: ${answer.payload}`).toBe(202)
        expect((await assay.job(answer.json().job.id)).result).toMatchObject({ read: 2, rejected: 0 })
      }
      expect(await assay.products(catalog)).toHaveLength(2)
    },
  )

  test('400: a kind that is asked for is a demand, whatever the type says', async () => {
    expectSamplesForm(await send(csv, 'text/csv', { kind: 'xml' }), 400, 'INVALID_REQUEST')
    expectSamplesForm(await send(xml, 'application/xml', { kind: 'xlsx' }), 400, 'INVALID_REQUEST')
  })

  test("202: without a catalog the file goes into the brand's default one", async () => {
    await finished(await send(csv, 'text/csv'))
    const catalogs = (await assay.call('GET', `/api/workspace/${workspace}/catalogs`)).body.catalogs
    const standard = catalogs.find((one: { isDefault: boolean }) => one.isDefault).id
    expect(await assay.products(standard)).toHaveLength(2)
  })

  test('202: map says what a column is, once or several times; source says whose the file is', async () => {
    const catalog = await assay.newCatalog()
    const search = new URLSearchParams({ catalog_id: catalog, source: 'Lumo Ltd.' })
    search.append('map', 'Ref=sku')
    search.append('map', 'A=B=title')
    const answer = await assay.call('POST', `${path}?${search}`, 'Ref,A=B,price\nR-1,Mug,1\n', {
      'content-type': 'text/csv',
    })
    await finished(answer)
    expect(await assay.products(catalog)).toMatchObject([{ sku: 'R-1', title: 'Mug' }])
    const { rows } = await assay.system.catalog.pipeline.query(
      'select source, file_name as "fileName" from import where catalog_id = $1',
      [catalog],
    )
    expect(rows).toEqual([{ source: 'file:Lumo Ltd.', fileName: 'upload' }])
  })
})

describe('refusals, after which nothing was started', () => {
  const refusals: readonly (readonly [string, number, string | undefined, () => Promise<Answer>])[] = [
    ['no body', 400, undefined, () => assay.call('POST', path)],
    ['an empty file', 400, undefined, () => send('', 'text/csv')],
    ['a header alone', 400, undefined, () => send('sku,title\n', 'text/csv')],
    ['bytes that are no text', 400, undefined, () => send(Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]), 'text/csv')],
    ['NDJSON that is none', 400, undefined, () => send('sku,title\nA,B\n', 'application/x-ndjson', { kind: 'ndjson' })],
    ['a catalog that is no id', 400, 'catalog_id', () => send(csv, 'text/csv', { catalog_id: 'spring' })],
    ['a catalog that is not there', 404, 'catalog_id', () => send(csv, 'text/csv', { catalog_id: nowhere })],
    ['a map to no field', 400, 'map', () => send(csv, 'text/csv', { map: 'sku=barcode' })],
    ['a map that maps nothing', 400, 'map', () => send(csv, 'text/csv', { map: 'sku' })],
    ['a source that is no name', 400, 'source', () => send(csv, 'text/csv', { source: 'api:\n' })],
    ['a form without a file', 400, 'file', () => send(form(), formType)],
    [
      'a form with a field',
      400,
      'catalog_id',
      () => send(form({ name: 'catalog_id', value: nowhere }, fileOf(csv)), formType),
    ],
    [
      'a form with a field after the file',
      400,
      'source',
      () => send(form(fileOf(csv), { name: 'source', value: 'x' }), formType),
    ],
    [
      'a form with a second file',
      400,
      'second',
      () => send(form(fileOf(csv), { ...fileOf(csv), name: 'second' }), formType),
    ],
    ['a form that ends in the middle', 400, undefined, () => send(form(fileOf(csv)).subarray(0, -20), formType)],
    ['a form without a boundary', 400, undefined, () => send(form(fileOf(csv)), 'multipart/form-data')],
    ['JSON that holds no products', 400, undefined, () => send('{}', 'application/json')],
    ['JSON that is cut off', 400, undefined, () => send('[{"sku":"A","title":"Mug"},', 'application/json')],
    ['a body of a type that nobody reads', 400, undefined, () => send('%PDF-', 'application/pdf')],
    ['a page', 400, undefined, () => send('<!doctype html><html><body>sku</body></html>', 'text/html')],
    ['a form of another type', 415, undefined, () => send(form(fileOf(csv)), `multipart/mixed; boundary=${boundary}`)],
    ['a file beyond the limit', 413, undefined, () => send(csv + ' '.repeat(maxBytes), 'text/csv')],
    [
      'a stream beyond the limit',
      413,
      undefined,
      () => send(Readable.from([csv, '\n'.repeat(maxBytes), csv]), 'text/csv'),
    ],
    [
      'a file beyond the limit in a form',
      413,
      undefined,
      () => send(form(fileOf(csv + '\n'.repeat(maxBytes))), formType),
    ],
  ]
  test.each(refusals)('%s', async (_, status, field, ask) => {
    const before = await imports()
    const answer = await ask()
    expectSamplesForm(answer, status, status === 404 ? 'CATALOG_NOT_FOUND' : 'INVALID_REQUEST', field)
    expect(await imports()).toBe(before)
  })

  test('202: a file of exactly the limit is taken whole, in a form too', async () => {
    const row = (i: number) => `L-${i},Mug number ${i},"1,00"\n`
    let text = 'sku,title,price\n'
    let rows = 0
    while (text.length + row(rows).length <= maxBytes - 40) text += row(rows++)
    text += `LAST,${'x'.repeat(maxBytes - text.length - 'LAST,,"1,00"\n'.length)},"1,00"\n`
    expect(text).toHaveLength(maxBytes)
    for (const [body, type] of [
      [text, 'text/csv'],
      [form(fileOf(text)), formType],
    ] as const) {
      const { result } = await finished(await send(body, type, { catalog_id: await assay.newCatalog() }))
      expect(result).toMatchObject({ read: rows + 1, created: rows + 1 })
    }
  })
})

test('a sender who goes in the middle leaves no import and no half file', async () => {
  await assay.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = assay.app.server.address() as { port: number }
  const before = await imports()
  const authorization = `Bearer ${await assay.token('editor')}`
  const spool = join(assay.config.dataFolder, 'spool')
  const halves = async () => (await readdir(spool)).filter((name) => name.endsWith('.part'))
  for (const [type, start] of [
    ['text/csv', csv],
    [formType, form(fileOf(csv)).subarray(0, 150)],
  ] as const) {
    const headers = { authorization, 'content-type': type }
    const upload = httpRequest({ port, path, method: 'POST', headers })
    upload.on('error', () => {})
    upload.write(start)
    for (const until = Date.now() + 5_000; (await halves()).length === 0 && Date.now() < until; ) await sleep(10)
    expect(await halves()).toHaveLength(1)
    upload.destroy()
    for (const until = Date.now() + 5_000; (await halves()).length > 0 && Date.now() < until; ) await sleep(10)
    expect(await halves()).toEqual([])
  }
  expect(await imports()).toBe(before)
})
