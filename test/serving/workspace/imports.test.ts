import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enough } from '../../enough.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}/imports`
const get = async (path: string) => (await assay.call('GET', `${base}${path}`)).body

const file = [
  'sku,title,gtin,price',
  'A-1,Mug,4006381333931,10',
  'A-2,Jug,,9',
  'A-2,Jug,,9',
  'A-3,Cup,,"1,299"',
  'A-4,Ragged',
  'a-1,Other mug,,3',
  '',
].join('\n')

describe('the ledger of an import', () => {
  test('says what became of each row, how the file was read, whose it is, and where to read more', async () => {
    const catalog = await assay.newCatalog()
    const { id: job, result } = await assay.ingest(catalog, file, { source: 'nightly' })
    const { import: ledger } = await get(`/${result.importId}`)
    expect(ledger).toMatchObject({
      ...{ id: result.importId, catalogId: catalog, state: 'completed', mode: 'merge', source: 'nightly' },
      ...{ sourceReason: 'source nightly: named by the caller', fileName: 'upload', bytes: file.length },
      ...{ rows: 6, read: 6, created: 4, updated: 0, unchanged: 0, duplicate: 1, rejected: 1, removed: 0 },
      ...{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), error: null, undone: false, createdBy: 'test:admin' },
      warnings: { ambiguous_number: 1, sku_case: 2 },
    })
    expect(ledger.context.mapping.sku).toEqual({ field: 'sku', reason: expect.any(String) })
    expect(ledger.context.notes.join('\n')).toContain('encoding UTF-8')
    expect(ledger.links).toMatchObject({ job: `/jobs/${job}`, self: `${base}/${result.importId}` })
  })

  test('lists its rows and what there is to say of them, by result and code, page by page', async () => {
    const catalog = await assay.newCatalog()
    const { result } = await assay.ingest(catalog, file)
    const all = (await get(`/${result.importId}/rows`)).rows
    expect(all.map(({ row, code }: { row: number; code: string }) => [row, code])).toEqual(
      expect.arrayContaining([
        [2, 'duplicate'],
        [4, 'ambiguous_number'],
        [5, 'ragged'],
      ]),
    )
    const paged: unknown[] = []
    for (let after: string | null = ''; after !== null; ) {
      const { rows, next } = await get(`/${result.importId}/rows?limit=1${after ? `&after=${after}` : ''}`)
      expect(rows).toHaveLength(1)
      paged.push(...rows)
      after = next
    }
    expect(paged).toEqual(all)
    const { rows: rejected } = await get(`/${result.importId}/rows?result=rejected`)
    expect(rejected).toMatchObject([{ row: 5, result: 'rejected', code: 'ragged', reason: expect.any(String) }])
    const { rows: numbers } = await get(`/${result.importId}/rows?code=ambiguous_number`)
    expect(numbers).toMatchObject([{ row: 4, column: 'price', raw: '1,299' }])
  })

  test('is listed newest first, by catalog, state and source', async () => {
    const catalog = await assay.newCatalog()
    const ids: string[] = []
    for (const source of ['one', 'two', 'one'])
      ids.unshift((await assay.ingest(catalog, file, { source })).result.importId)
    const listed = async (query: string) =>
      (await get(`?catalog_id=${catalog}&${query}`)).imports.map(({ id }: { id: string }) => id)
    expect(await listed('')).toEqual(ids)
    expect(await listed('source=one')).toEqual([ids[0], ids[2]])
    expect(await listed('state=held')).toEqual([])
    const { next } = await get(`?catalog_id=${catalog}&limit=2`)
    expect(await listed(`limit=2&after=${next}`)).toEqual([ids[2]])
  })

  test('of a file that says nothing of products is a failure with the reason, and balances', async () => {
    const catalog = await assay.newCatalog()
    const { id, error } = await assay.ingest(catalog, 'date,weather\n2026-01-01,rain\n')
    expect(error).toMatchObject({ code: 'no_columns' })
    const { imports } = await get(`?catalog_id=${catalog}`)
    expect(imports).toMatchObject([{ state: 'failed', read: 0, error: error?.message, links: { job: `/jobs/${id}` } }])
  })

  test('balances for whatever the file has', async () => {
    const cell = fc.oneof(fc.constantFrom('A-1', 'a-1', '', '4006381333931', '1,299'), fc.string({ maxLength: 6 }))
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    const record = fc.array(cell, { minLength: 1, maxLength: 5 }).map((cells) => cells.map(quoted).join(','))
    const catalog = await assay.newCatalog()
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 12 }), async (records) => {
        // Without any value it has no records, and is refused.
        fc.pre(/[^",\s]/.test(records.join('')))
        const text = `sku,title,gtin,price\n${records.join('\n')}\n`
        const { error, result } = await assay.ingest(catalog, text, { source: 'any' })
        if (error) return
        const { import: one } = await get(`/${result.importId}`)
        expect(one.read).toBe(one.created + one.updated + one.unchanged + one.duplicate + one.rejected)
        expect(one).toMatchObject({ state: 'completed', read: one.rows })
        const { rows } = await get(`/${result.importId}/rows?limit=200`)
        const listed = [...new Set(rows.map(({ row }: { row: number }) => row))]
        expect(listed).toEqual(Array.from({ length: one.read }, (_, i) => i + 1))
      }),
      { numRuns: enough(5, 15) },
    )
  }, 60_000)
})
