import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enough } from '../enough.ts'
import { type Answer, type Running, startAssay, workspace } from '../running.ts'
import { expectSamplesForm } from '../serving/envelopes.ts'
import { overShared, realPath, sharedIsThere } from './expected-figures.ts'
import { cases } from './real-cases.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay({ ASSAY_MAX_UPLOAD_BYTES: '40000000' })
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const table = (...rows: string[]) => `${rows.join('\n')}\n`

const ask = (catalog: string, file: string | Buffer, query: Record<string, string> = {}): Promise<Answer> =>
  assay.call(
    'POST',
    `${base}/import/preview?${new URLSearchParams({ catalog_id: catalog, ...query })}`,
    Buffer.from(file),
  )

async function previewed(catalog: string, file: string | Buffer, query: Record<string, string> = {}) {
  const answer = await ask(catalog, file, query)
  expect({ status: answer.status, text: answer.text.slice(0, 300) }).toMatchObject({ status: 202 })
  const job = await assay.job(answer.body.job.id)
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
  return { preview: answer.body.preview, job, result: job.result as any }
}

/** The others take a minute together. */
const smallCases = cases.filter(({ file }) =>
  enough(/sample-products|semicolon/, /apparel|jewelery|sample-products|semicolon|odoo/).test(file),
)

/** All that an import writes to. */
async function written() {
  const sql = `select (select count(*) from product_identity) as identities, (select count(*) from identity_gained) as gained,
    (select count(*) from import) as imports, (select count(*) from import_context) as contexts, (select count(*) from import_row) as notes,
    (select count(*) from import_outcome) as outcomes, (select count(*) from file_source) as sources, (select count(*) from products) as products`
  const { rows } = await assay.system.catalog.pipeline.query(sql)
  return { ...rows[0], log: await assay.system.log.ends('products.bronze') }
}

const counts = ({ read, created, updated, unchanged, duplicate, rejected, warnings }: Record<string, unknown>) => ({
  ...{ read, created, updated, unchanged, duplicate, rejected, warnings },
})

describe('the answer', () => {
  test('202: it has the first rows, how the file is read, and what each column is taken for and why', async () => {
    const file = 'Art.-Nr.;Title;Price;Note\nA-1;Mug;1.234,50 €;x\nA-2;Stool;9,00 €\n'
    const { preview } = await previewed(await assay.newCatalog(), file, { map: 'Art.-Nr.=sku' })
    expect(preview).toMatchObject({
      format: 'delimited',
      encoding: 'utf-8',
      delimiter: ';',
      source: { reason: expect.stringContaining('new') },
      problem: null,
      rows: [
        { row: 1, cells: ['A-1', 'Mug', '1.234,50 €', 'x'], fault: null },
        { row: 2, fault: expect.stringContaining('Line 3') },
      ],
    })
    const [sku, title, price, note] = preview.columns
    expect(sku).toMatchObject({ name: 'Art.-Nr.', field: 'sku', reason: 'given by the caller' })
    expect(title).toMatchObject({ field: 'title', reason: expect.any(String), numbers: null })
    expect(price).toMatchObject({ field: 'price', numbers: { decimal: ',' }, currency: { code: 'EUR', guess: false } })
    expect(note).toMatchObject({ field: null, reason: null })
  })

  test('202: at most 50 rows, and long cells cut', async () => {
    const rows = Array.from({ length: 80 }, (_, i) => `A-${i},${'x'.repeat(2_000)}`)
    const { preview, result } = await previewed(await assay.newCatalog(), table('sku,title', ...rows))
    expect(preview.rows).toHaveLength(50)
    expect(preview.rows[0].cells[1]).toHaveLength(501)
    expect(result).toMatchObject({ read: 80, created: 80 })
  })

  test('202: a file that says nothing of products is shown all the same, and its job says what to do', async () => {
    const { preview, job } = await previewed(await assay.newCatalog(), table('date,temperature', '2026-01-01,4'))
    expect(preview).toMatchObject({ problem: { code: 'no_columns' }, rows: [{ cells: ['2026-01-01', '4'] }] })
    expect(preview.columns.map(({ name }: { name: string }) => name)).toEqual(['date', 'temperature'])
    expect(job).toMatchObject({ status: 'failed', error: { code: 'no_columns' } })
  })

  test('202: the source is the one that an import would have', async () => {
    const catalog = await assay.newCatalog()
    const file = table('sku,title', 'A-1,Mug')
    await assay.ingest(catalog, file, { source: 'Lumo' })
    const { preview } = await previewed(catalog, file)
    expect(preview.source).toEqual({ name: 'Lumo', reason: expect.stringContaining('100 %') })
  })

  test.each([
    ['an empty file', '', {}, undefined],
    ['bytes that are no text', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]), {}, undefined],
    ['a map to no field', table('sku', 'A'), { map: 'sku=barcode' }, 'map'],
    ['a source that is no name', table('sku', 'A'), { source: '\n' }, 'source'],
  ] as const)('400: %s is refused as by an import, and nothing of it is kept', async (_, file, query, field) => {
    const spool = join(assay.config.dataFolder, 'spool')
    const kept = async () => (await readdir(spool)).filter((name) => name.startsWith('preview-')).length
    const catalog = await assay.newCatalog()
    await previewed(catalog, table('sku,title', 'A,B'))
    const before = await kept()
    expectSamplesForm(await ask(catalog, file, query), 400, 'INVALID_REQUEST', field)
    expect(await kept()).toBe(before)
  })
})

describe('the dry run', () => {
  test.each([
    ['json', '{"products":[{"sku":"A-1","title":"Mug"},{"sku":"A-2","title":"Cup"}]}'],
    ['ndjson', '{"sku":"A-1","title":"Mug"}\n{"sku":"A-2","title":"Cup"}\n'],
    [
      'xml',
      '<rss><channel><item><id>A-1</id><title>Mug</title></item><item><id>A-2</id><title>Cup</title></item></channel></rss>',
    ],
  ])('of %s is one too', async (format, file) => {
    const { preview, result } = await previewed(await assay.newCatalog(), file)
    expect(preview).toMatchObject({ format, problem: null, rows: [{ row: 1 }, { row: 2 }] })
    expect(result).toMatchObject({ read: 2, created: 2, rejected: 0, removed: 0, guard: null })
  })

  const first = table(
    'sku,gtin,title,price',
    'A-1,4006381333931,Mug,"1,50"',
    'A-2,,Stool,"9,00"',
    'A-3,,Pan,"4,00"',
    'A-4,,Pot,soon',
  )
  const second = table(
    'sku,gtin,title,price',
    'A-1,4006381333931,Mug,"1,50"',
    'A-2,,Oak stool,"9,00"',
    'A-2,,Oak stool,"9,00"',
    'A-3,,Pan,"4,00"',
    'A-3,,Frying pan,"4,00"',
    'N-1,,New,"5,00"',
    ',4006381333931,Cup,"2,00"',
    'B-1,too few',
    'n-1,,New again,"5,00"',
    'A-4,,Pot,later',
  )
  const shopify = [
    'Handle,Title,Vendor,Variant SKU,Option1 Name,Option1 Value,Variant Price',
    'tee,Tee,Lumo,T-S,Size,S,10.00',
    'tee,,,T-M,,M,10.00',
    'mug,Mug,Lumo,M-1,,,4.00',
    '',
  ].join('\n')
  const otherFamily = shopify.replace('tee,,,T-M,,M', 'shirt,Shirt,Lumo,T-M,Size,M')
  const edited = shopify.replace('M,10.00', 'M,12.00').replace('tee,Tee', 'tee,Long tee')
  const stories: readonly (readonly [string, readonly string[], string])[] = [
    ['of a first file', [], first],
    ['of the same file again', [first], first],
    ['of a file with duplicates, conflicts, rejects and changes', [first], second],
    ['of that file into an empty catalog', [], second],
    ['of that file again', [first, second], second],
    ['of families', [], shopify],
    ['of families again', [shopify], shopify],
    ['of a family that changed', [shopify], edited],
    ['of a variant that has another family now', [shopify], otherFamily],
    ['of a file that gives products their first SKU', [table('gtin,title', '4006381333931,Mug')], first],
  ]
  test.each(stories)('%s tells what the import then does, and writes nothing', async (_, before, file) => {
    const catalog = await assay.newCatalog()
    for (const each of before) await assay.ingest(catalog, each, { source: 'test' })
    const start = await written()
    const { job, result } = await previewed(catalog, file, { source: 'test' })
    expect(job.status).toBe('completed')
    expect(await written()).toEqual(start)
    const imported = await assay.ingest(catalog, file, { source: 'test' })
    expect(imported.status).toBe('completed')
    expect(counts(result)).toEqual(counts(imported.result as unknown as Record<string, unknown>))
    const rejected = (await assay.rows(imported.result.importId)).filter((row) => row.result === 'rejected')
    const reasons: Record<string, number> = {}
    for (const { code } of rejected) reasons[code] = (reasons[code] ?? 0) + 1
    expect(result.reasons).toEqual(reasons)
    expect(new Set(result.rejects.map(({ row }: { row: number }) => row))).toEqual(
      new Set(rejected.map(({ row }) => row)),
    )
    expect(imported.result.notes).toEqual(result.notes)
  })

  test('of a file of edits tells what the import then does', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, first)
    const [a, b] = await assay.products(catalog)
    const file = table(
      'assay_id,title',
      `${a?.id},Edited`,
      `${b?.id},${b?.title}`,
      '00000000-0000-4000-8000-000000000001,Nothing',
      'abc,Nothing',
    )
    const { result } = await previewed(catalog, file)
    expect(result).toMatchObject({ read: 4, updated: 1, unchanged: 1, rejected: 2, reasons: { unknown_id: 2 } })
    const imported = await assay.ingest(catalog, file)
    expect(counts(result)).toEqual(counts(imported.result as unknown as Record<string, unknown>))
  })

  test('says of every row what the whole column tells of its numbers', async () => {
    const rows = Array.from({ length: 70 }, (_, i) => `A-${i},Mug,"1,299"`)
    const file = table('sku,title,price', ...rows, 'B,Mug,"1.299,00"')
    const { preview, result } = await previewed(await assay.newCatalog(), file)
    const price = ({ columns }: { columns: { name: string; numbers: { decimal: string | null } }[] }) =>
      columns.find(({ name }) => name === 'price')?.numbers.decimal
    expect([price(preview), price(result)]).toEqual([null, ','])
  })

  test('of any file after any file tells what the import then does', async () => {
    const row = fc.record({
      sku: fc.constantFrom('', 'A', 'B', 'C', 'a'),
      gtin: fc.constantFrom('', '', '4006381333931', '4012345678901', '96385074'),
      link: fc.constantFrom('', '', 'https://x.example/1', 'https://x.example/2'),
      title: fc.constantFrom('', 'Mug', 'Jug'),
      price: fc.constantFrom('', '1.50', 'soon'),
    })
    const written = (rows: readonly Record<string, string>[]) =>
      table('sku,gtin,link,title,price', ...rows.map((one) => Object.values(one).join(',')))
    const anyFile = fc
      .array(row, { minLength: 1, maxLength: 8 })
      .filter((rows) => rows.some((one) => Object.values(one).join('') !== ''))
    await fc.assert(
      fc.asyncProperty(anyFile, anyFile, async (one, other) => {
        const catalog = await assay.newCatalog()
        for (const file of [written(one), written(other)]) {
          const { result } = await previewed(catalog, file, { source: 'law' })
          expect(counts(result)).toEqual(counts({ ...(await assay.ingest(catalog, file, { source: 'law' })).result }))
        }
      }),
      // A file of eight rows can be read as it is; shrinking it takes minutes and then tells nothing.
      { numRuns: enough(3, 8), endOnFailure: true },
    )
  }, 300_000)

  test('202: holds text that neither JSON nor Postgres takes', async () => {
    const lines = ['{"sku":"A-1","ti\\u0000tle":"M\\u0000ug"}', '{"sku":"A-\\u0000\\ud800","title":7}']
    const { preview, job } = await previewed(await assay.newCatalog(), `${lines.join('\n')}\n`)
    expect(preview.rows).toHaveLength(2)
    expect(job).toMatchObject({ status: 'completed', result: { read: 2, rejected: 1 } })
  })

  test.skipIf(!sharedIsThere).each(smallCases)(
    overShared('of $file tells what the import then does, and again'),
    { timeout: 60_000 },
    async ({ file: name }) => {
      const catalog = await assay.newCatalog(name)
      const file = await readFile(realPath(name))
      for (let turn = 0; turn < 2; turn++) {
        const { result } = await previewed(catalog, file)
        expect(counts(result)).toEqual(counts({ ...(await assay.ingest(catalog, file)).result }))
      }
    },
  )
})

describe('importing what was previewed', () => {
  const file = table('Ref,title,price', 'A-1,Mug,"1,50"', 'A-2,Stool,"9,00"')
  const take = (id: string, query: Record<string, string> = {}) =>
    assay.call('POST', `${base}/datasets/ingest?${new URLSearchParams({ preview: id, ...query })}`)

  test('202: without a second upload it is imported as it was previewed, once', async () => {
    const catalog = await assay.newCatalog()
    const { preview, result } = await previewed(catalog, file, { map: 'Ref=sku', source: 'Lumo' })
    const answers = await Promise.all([take(preview.id), take(preview.id)])
    answers.push(await take(preview.id))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(new Set(answers.map(({ body }) => body.job.id)).size).toBe(1)
    const imported = await assay.job(answers[0]?.body.job.id)
    expect(counts(imported.result as unknown as Record<string, unknown>)).toEqual(counts(result))
    expect((await assay.products(catalog)).map(({ sku }) => sku).sort()).toEqual(['A-1', 'A-2'])
    const { rows } = await assay.system.catalog.pipeline.query('select source from import where catalog_id = $1', [
      catalog,
    ])
    expect(rows).toEqual([{ source: 'file:Lumo' }])
  })

  test('202: another mapping may be said then', async () => {
    const catalog = await assay.newCatalog()
    const { preview } = await previewed(catalog, table('a,b', 'A-1,Mug'))
    expect(preview.problem.code).toBe('no_columns')
    const query = new URLSearchParams({ preview: preview.id })
    for (const map of ['a=sku', 'b=title']) query.append('map', map)
    const answer = await assay.call('POST', `${base}/datasets/ingest?${query}`)
    const { result } = await assay.job(answer.body.job.id)
    expect(result).toMatchObject({ created: 1 })
    expect(await assay.products(catalog)).toMatchObject([{ sku: 'A-1', title: 'Mug' }])
  })

  test('it counts once against the plan', async () => {
    const used = async () => (await assay.call('GET', `${base}/usage`)).body.used.storedBytes
    const before = await used()
    const { preview } = await previewed(await assay.newCatalog(), file, { map: 'Ref=sku' })
    expect(await used()).toBe(before + file.length)
    const answer = await take(preview.id)
    expect(await used()).toBe(before + file.length)
    await assay.job(answer.body.job.id)
  })

  test('404, 400: a preview that there is not, one for another catalog, one and a file', async () => {
    const { preview } = await previewed(await assay.newCatalog(), file, { map: 'Ref=sku' })
    expectSamplesForm(await take('00000000-0000-4000-8000-000000000001'), 404, 'NOT_FOUND', 'preview')
    const other = { catalog_id: await assay.newCatalog() }
    expectSamplesForm(await take(preview.id, other), 400, 'INVALID_REQUEST', 'catalog_id')
    const both = await assay.call('POST', `${base}/datasets/ingest?preview=${preview.id}`, Buffer.from(file))
    expectSamplesForm(both, 400, 'INVALID_REQUEST', 'preview')
  })

  test('404: to another tenant it is not there', async () => {
    const { preview } = await previewed(await assay.newCatalog(), file, { map: 'Ref=sku' })
    const { brand } = (await assay.call('POST', `${base}/brands`, { name: 'Other' })).body
    const authorization = `Bearer ${await assay.token('owner', { brand: brand.id })}`
    const path = `${base}/datasets/ingest?preview=${preview.id}`
    expectSamplesForm(await assay.call('POST', path, undefined, { authorization }), 404, 'NOT_FOUND', 'preview')
  })

  test('404: after its time it is gone, and its file too', async () => {
    const { preview } = await previewed(await assay.newCatalog(), file, { map: 'Ref=sku' })
    const spool = join(assay.config.dataFolder, 'spool')
    expect(await readdir(spool)).toContain(`preview-${preview.id}`)
    await assay.system.previews.sweep()
    expect(await readdir(spool)).toContain(`preview-${preview.id}`)
    const sql = `update preview set created_at = now() - interval '49 hours' where preview_id = $1`
    await assay.system.catalog.pipeline.query(sql, [preview.id])
    await assay.system.previews.sweep()
    expect(await readdir(spool)).not.toContain(`preview-${preview.id}`)
    expectSamplesForm(await take(preview.id), 404, 'NOT_FOUND', 'preview')
  })
})
