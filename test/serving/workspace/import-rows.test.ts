import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertNotes, insertOutcome, type RowNote } from '../../../infra/catalog/import-ledger.ts'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import { importRows } from '../../../serving/workspace/import-rows.ts'
import { openRows } from '../../../transforms/row-results.ts'
import { enough } from '../../enough.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

interface Listed {
  readonly row: number
  readonly result: string
  readonly code: string | null
  readonly reason: string | null
}
const results = ['created', 'updated', 'unchanged', 'duplicate', 'rejected'] as const

const pathOf = (importId: string, what = '') => `/api/workspace/${workspace}/imports/${importId}${what}`
const get = async (importId: string, what = '') => (await assay.call('GET', pathOf(importId, what))).body

/** Page by page, and each but the last is full. */
async function listed(importId: string, limit: number, query = ''): Promise<Listed[]> {
  const found: Listed[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page = await get(importId, `/rows?limit=${limit}${query}${after ? `&after=${after}` : ''}`)
    if (page.next !== null) expect(page.rows).toHaveLength(limit)
    found.push(...page.rows)
    after = page.next
  }
  return found
}

async function downloaded(importId: string, query = ''): Promise<Listed[]> {
  const { text } = await assay.call('GET', pathOf(importId, `/rows/download?format=ndjson${query}`))
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

const rowsOf = (rows: readonly Listed[], result?: string) => [
  ...new Set(rows.filter((one) => result === undefined || one.result === result).map(({ row }) => row)),
]
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1)

/** Every row once, in order, with the result that the ledger counted, whichever way it is asked for. */
async function accounted(importId: string, limits: readonly number[]): Promise<Listed[]> {
  const { import: ledger } = await get(importId)
  expect(ledger).toMatchObject({ state: 'completed', rowsListed: 'all' })
  const all = await listed(importId, 200)
  const own = all.filter(({ result }) => result !== 'warning')
  expect(rowsOf(own)).toEqual(upTo(ledger.read))
  expect(Object.fromEntries(results.map((result) => [result, rowsOf(own, result).length]))).toEqual(
    Object.fromEntries(results.map((result) => [result, ledger[result]])),
  )
  for (const limit of limits) expect(await listed(importId, limit)).toEqual(all)
  for (const result of [...results, 'warning']) {
    const wanted = all.filter((one) => one.result === result)
    expect(await listed(importId, 17, `&result=${result}`)).toEqual(wanted)
    expect(await downloaded(importId, `&result=${result}`)).toEqual(wanted)
  }
  expect(await downloaded(importId)).toEqual(all)
  return all
}

const head = 'Handle,Title,Vendor,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src'
/** Two variants and, far from them, an image: the family is gathered from all over the file. */
const family = (i: number, price: string) => ({
  rows: [`h-${i},Mug ${i},Lumo,Color,Red,R-${i},${price},https://img.test/${i}.jpg`, `h-${i},,,,Blue,B-${i},11.00,`],
  image: `h-${i},,,,,,,https://img.test/${i}-2.jpg`,
})
const families = (from: number, to: number, price: string) =>
  Array.from({ length: to - from }, (_, i) => family(from + i, price))
const fileOf = (list: readonly ReturnType<typeof family>[], ...more: string[]) =>
  [head, ...list.flatMap(({ rows }) => rows), ...more, ...list.map(({ image }) => image), ''].join('\n')

describe('every row of an import is listed with its result', () => {
  test('where families are scattered over the file and all five results occur', async () => {
    const catalog = await assay.newCatalog()
    const first = await assay.ingest(catalog, fileOf(families(0, 30, '10.50')), { source: 'shop' })
    expect(first.result).toMatchObject({ read: 90, created: 90 })
    expect((await accounted(first.result.importId, [89])).every(({ code }) => code === null)).toBe(true)

    const list = [...families(0, 10, '10.50'), ...families(10, 30, '12.50'), ...families(30, 40, '10.50')]
    const odd = ['h-3,,,,Blue,B-3,11.00,', 'h-4,ragged', 'h-40,Jug,Lumo,Color,Red,R-40,"1,299",']
    const { result } = await assay.ingest(catalog, fileOf(list, ...odd), { source: 'shop' })
    const all = await accounted(result.importId, [13])
    const byRow = (row: number) => all.find((one) => one.row === row)
    // The red variant, the blue one and the image of a family that the shop changed, of one that it did not, and of a new one.
    expect([21, 22, 94].map((row) => byRow(row)?.result)).toEqual(['updated', 'unchanged', 'unchanged'])
    expect([1, 2, 84].map((row) => byRow(row)?.result)).toEqual(['unchanged', 'unchanged', 'unchanged'])
    expect([61, 62, 114].map((row) => byRow(row)?.result)).toEqual(['created', 'created', 'created'])
    expect(byRow(1)).toEqual({
      ...{ row: 1, result: 'unchanged', code: null, reason: null, field: null, column: null, raw: null },
    })
    expect(byRow(8)).toMatchObject({ result: 'duplicate', reason: 'repeats row 81' })
    expect(byRow(82)).toMatchObject({ result: 'rejected', code: 'ragged' })
    expect(all.filter(({ row }) => row === 83).length).toBeGreaterThan(0)
    expect(results.every((one) => result[one] > 0)).toBe(true)
  })

  test('where a row has warnings it stands with each, and with its result', async () => {
    const catalog = await assay.newCatalog()
    const file = 'sku,title,price\nA-1,Mug,"1,299"\na-1,Jug,3\nA-2,Cup,4\n'
    const { result } = await assay.ingest(catalog, file)
    const all = await accounted(result.importId, [1, 2])
    expect(all.map(({ row, result, code }) => [row, result, code])).toEqual([
      [1, 'warning', 'sku_case'],
      [1, 'created', 'ambiguous_number'],
      [2, 'created', null],
      [2, 'warning', 'sku_case'],
      [3, 'created', null],
    ])
    expect((await listed(result.importId, 200, '&code=sku_case')).map(({ row }) => row)).toEqual([1, 2])
  })

  test('where the file is an export of ours whose rows say what is so already', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, 'sku,title\nA-1,Mug\nA-2,Jug\nA-3,Cup\n')
    const edits = (await assay.products(catalog)).map(({ id, sku, title }) => `${id},${sku},${title}`)
    const file = ['assay_id,sku,title', ...edits.map((line) => line.replace('Jug', 'Pot')), ',A-4,Bowl', ''].join('\n')
    const { result } = await assay.ingest(catalog, file)
    expect(result).toMatchObject({ read: 4, created: 1, updated: 1, unchanged: 2 })
    await accounted(result.importId, [1, 3])
  })

  test('where it has more rows than a batch, in all partitions', async () => {
    const catalog = await assay.newCatalog()
    const file = (changed: number) =>
      ['sku,title', ...upTo(9_000).map((i) => `S-${i},Mug ${i % changed === 0 ? 'new' : i}`), ''].join('\n')
    await assay.ingest(catalog, file(10_000), { source: 'many' })
    const { result } = await assay.ingest(catalog, file(1_500), { source: 'many' })
    expect(result).toMatchObject({ updated: 6, unchanged: 8_994 })
    const { rows } = await assay.system.catalog.pipeline.query(
      'select count(distinct partition)::int as partitions, sum(length(row_results))::int as bytes from import_outcome where import_id = $1',
      [result.importId],
    )
    expect(rows[0]).toEqual({ partitions: 5, bytes: expect.any(Number) })
    expect(rows[0].bytes).toBeLessThan(9_500)
    const all = await downloaded(result.importId)
    expect(all.map(({ row }) => row)).toEqual(upTo(9_000))
    const changed = [1_500, 3_000, 4_500, 6_000, 7_500, 9_000]
    expect(rowsOf(await listed(result.importId, 4, '&result=updated'))).toEqual(changed)
    const deep = (await get(result.importId, '/rows?limit=200')).next
    const page = await get(result.importId, `/rows?limit=3&after=${deep}`)
    expect(page.rows.map(({ row }: Listed) => row)).toEqual([201, 202, 203])
  }, 60_000)

  test('also after undo and redo, which change no result', async () => {
    const catalog = await assay.newCatalog()
    const { result } = await assay.ingest(catalog, fileOf(families(0, 3, '10.50')))
    const before = await accounted(result.importId, [4])
    await assay.change(result.importId, 'undo')
    expect(await accounted(result.importId, [4])).toEqual(before)
    await assay.change(result.importId, 'redo')
    expect(await accounted(result.importId, [4])).toEqual(before)
  })
})

/** How a row of a file of any order went into its batch, and whether the worker had something to say of it. */
const anyRow = fc.record({
  batch: fc.integer({ min: 0, max: 39 }),
  result: fc.constantFrom('created' as const, 'updated' as const, 'unchanged' as const),
  code: fc.constantFrom(null, null, null, null, null, 'odd'),
  doubted: fc.constantFrom(false, false, false, false, true),
})

test('however rows are scattered over batches, pages are what going through all of them gives', async () => {
  const { inTransaction, pipeline } = assay.system.catalog
  const scope = { workspace, brand: randomUUID() }
  const blank = { says: null, field: null, column: null, raw: null }
  const whole = fc.asyncProperty(
    fc.array(anyRow, { minLength: 1, maxLength: 150 }),
    fc.integer({ min: 1, max: 40 }),
    async (given, limit) => {
      const importId = randomUUID()
      const expected = given.flatMap(({ result, code, doubted }, i) => {
        const own = { row: i + 1, ordinal: code === null ? 0 : 10, result, code, ...blank }
        const doubt = { row: i + 1, ordinal: 3, result: 'warning', code: 'doubt', ...blank }
        return [own, ...(doubted ? [doubt] : [])].sort((a, b) => a.ordinal - b.ordinal)
      })
      await inTransaction(pipeline, async (tx) => {
        await insertNotes(
          tx,
          { ...scope, importId },
          expected.filter(({ code }) => code !== null),
        )
        for (const batch of new Set(given.map((one) => one.batch))) {
          const rows = openRows()
          const counts = { created: 0, updated: 0, unchanged: 0, duplicate: 0, rejected: 0, removed: 0, warnings: {} }
          for (const [i, one] of given.entries()) {
            if (one.batch !== batch) continue
            counts[one.result]++
            if (one.code === null) rows.add(i + 1, one.result)
          }
          const key = { ...scope, importId, epoch: 1, partition: batch % 4, firstSeq: batch }
          await insertOutcome(tx, key, counts, rows.packed())
        }
      })
      for (const result of [undefined, ...results, 'warning']) {
        const found: RowNote[] = []
        for (let after: readonly [number, number] | null = null; ; ) {
          const from: readonly [number, number] | null = after
          const page: readonly RowNote[] = await inTransaction(pipeline, (tx) =>
            importRows(tx, importId, { result }, from, limit),
          )
          found.push(...page)
          const last = page.at(-1)
          if (!last || page.length < limit) break
          after = [last.row, last.ordinal]
        }
        expect(found).toEqual(expected.filter((one) => result === undefined || one.result === result))
      }
    },
  )
  await fc.assert(whole, { numRuns: enough(10, 30) })
}, 60_000)

test('an import from before results were kept by row lists those that have something to say, and says so', async () => {
  const catalog = await assay.newCatalog()
  const { result } = await assay.ingest(catalog, 'sku,title\nA-1,Mug\nA-2,Jug\nA-2,Jug\nA-3\n')
  const { pipeline } = assay.system.catalog
  const former = 'update import_outcome set first_row = null, last_row = null, row_results = null where import_id = $1'
  await pipeline.query(former, [result.importId])
  expect((await get(result.importId)).import).toMatchObject({ rowsListed: 'noted', created: 2 })
  const page = await get(result.importId, '/rows')
  expect(page).toMatchObject({ listed: 'noted', next: null })
  expect(page.rows.map(({ row }: Listed) => row)).toEqual([2, 4])
  expect(await get(result.importId, '/rows?result=created')).toEqual({ rows: [], next: null, listed: 'noted' })
  const answer = await assay.call('GET', pathOf(result.importId, '/rows/download'))
  expect(answer.headers['content-disposition']).toContain('-noted-rows.ndjson')
})

test("rows of another workspace's import are not there", async () => {
  await ensureWorkspace(assay.system.catalog.pipeline, 'ws_rows', 'Other')
  const catalog = await assay.newCatalog()
  const { result } = await assay.ingest(catalog, 'sku,title\nA-1,Mug\n')
  const headers = { authorization: `Bearer ${await assay.token('owner', { workspace: 'ws_rows' })}` }
  for (const what of ['/rows', '/rows?result=created', '/rows/download']) {
    const path = pathOf(result.importId, what).replace(workspace, 'ws_rows')
    expect((await assay.call('GET', path, undefined, headers)).status).toBe(404)
  }
})
