import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyRows } from '../../../infra/catalog/copy.ts'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

let database: TestDatabase
let catalog: Catalog

const columns = [
  { name: 'id', type: 'int8' },
  { name: 'u', type: 'uuid' },
  { name: 't', type: 'text' },
  { name: 'i2', type: 'int2' },
  { name: 'i4', type: 'int4' },
  { name: 'i8', type: 'int8' },
  { name: 'f8', type: 'float8' },
  { name: 'b', type: 'bool' },
  { name: 'bin', type: 'bytea' },
  { name: 'at', type: 'timestamptz' },
  { name: 'j', type: 'jsonb' },
  { name: 'us', type: 'uuid[]' },
  { name: 'ts', type: 'text[]' },
  { name: 'i2s', type: 'int2[]' },
  { name: 'i4s', type: 'int4[]' },
  { name: 'i8s', type: 'int8[]' },
] as const

beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url)
  await catalog.pipeline.query(
    `create table copied (${columns.map(({ name, type }) => `"${name}" ${type}`).join(', ')})`,
  )
})
afterAll(async () => {
  await catalog.close()
  await database.drop()
})

async function roundTrip(rows: readonly (readonly unknown[])[]): Promise<unknown[][]> {
  return catalog.inTransaction(catalog.pipeline, async (tx) => {
    await tx.query('truncate copied')
    const numbered = rows.map((row, id) => [id, ...row])
    expect(await copyRows(tx, 'copied', columns, numbered)).toBe(rows.length)
    const { rows: got } = await tx.query({ text: 'select * from copied order by id', rowMode: 'array' })
    return got.map((row: unknown[]) => row.slice(1))
  })
}

/** Postgres' text has no U+0000, and no text of ours has half a surrogate pair. */
const text = fc.string({ unit: 'binary', maxLength: 200 }).map((value) => value.replaceAll('\0', '·'))
const json = fc.jsonValue({ stringUnit: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) })
const int2 = fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 })
const row = fc
  .tuple(
    fc.uuid(),
    text,
    int2,
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.date({ min: new Date('-004000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    json.filter((value) => value !== null).map((value) => JSON.parse(JSON.stringify(value))),
    fc.array(fc.uuid(), { maxLength: 5 }),
    fc.array(text, { maxLength: 5 }),
    fc.array(int2, { maxLength: 5 }),
    fc.array(fc.integer(), { maxLength: 5 }),
    fc.array(fc.maxSafeInteger(), { maxLength: 5 }),
  )
  .chain((values) => fc.tuple(...values.map((value) => fc.option(fc.constant<unknown>(value), { freq: 8 }))))

describe('copied rows', () => {
  test('come back as they went in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
        // A string in a jsonb column is JSON text.
        const asJson = rows.map((values) => values.map((v, i) => (i === 9 && v !== null ? JSON.stringify(v) : v)))
        expect(await roundTrip(asJson)).toEqual(rows)
      }),
      { numRuns: 40 },
    )
  })

  test('may be many chunks long, with values larger than a chunk, and an iterable that is made as it is read', async () => {
    const large = 'ä€🧲'.repeat(100_000)
    function* rows() {
      for (let i = 0; i < 20_000; i++) yield [i, null, i === 7_000 ? large : `row ${i} ${'x'.repeat(i % 100)}`]
    }
    await catalog.inTransaction(catalog.pipeline, async (tx) => {
      await tx.query('truncate copied')
      expect(await copyRows(tx, 'copied', columns.slice(0, 3), rows())).toBe(20_000)
      const { rows: got } = await tx.query(
        'select count(*), sum(id), max(t) filter (where id = 7000) as large from copied',
      )
      expect(got).toEqual([{ count: 20_000, sum: '199990000', large }])
    })
  })

  test('have digits of bytes where those are at hand', async () => {
    await catalog.inTransaction(catalog.pipeline, async (tx) => {
      await tx.query('create temp table digits (id int, bin bytea) on commit drop')
      const all = ['', '00', 'ff10', 'a5'.repeat(100_000)]
      const two = [
        { name: 'id', type: 'int4' },
        { name: 'bin', type: 'hex' },
      ] as const
      await copyRows(tx, 'digits', two, [...all, null].entries())
      const { rows } = await tx.query<{ hex: string | null }>(
        "select encode(bin, 'hex') as hex from digits order by id",
      )
      expect(rows.map(({ hex }) => hex)).toEqual([...all, null])
    })
  })

  test('may be none', async () => {
    expect(await roundTrip([])).toEqual([])
  })

  test('take epoch milliseconds for a time, bigint for a number and any value for JSON', async () => {
    const empty = new Array(15).fill(null)
    const given = empty
      .with(4, 2n ** 53n - 1n)
      .with(8, 1_700_000_000_123)
      .with(9, { a: [1, null] })
    const expected = empty
      .with(4, 2 ** 53 - 1)
      .with(8, new Date(1_700_000_000_123))
      .with(9, { a: [1, null] })
    expect(await roundTrip([given])).toEqual([expected])
  })
})

describe('a COPY that cannot end well', () => {
  const twoColumns = columns.slice(0, 2)
  const failing: [string, () => Iterable<readonly unknown[]>, RegExp][] = [
    ['a value of the wrong form', () => [[1, 'no uuid']], /is no UUID/],
    ['a number that is no whole number', () => [[1.5, null]], /1.5 is no whole number/],
    [
      'rows that throw',
      function* () {
        yield [1, null]
        throw new Error('source away')
      },
      /source away/,
    ],
  ]
  test.each(failing)('%s: fails, writes nothing, and leaves a connection that can roll back', async (_, rows, says) => {
    const tx = await catalog.pipeline.connect()
    await tx.query('truncate copied')
    await tx.query('begin')
    await expect(copyRows(tx, 'copied', twoColumns, rows())).rejects.toThrow(says)
    await tx.query('rollback')
    expect((await tx.query('select count(*) from copied')).rows).toEqual([{ count: 0 }])
    tx.release()
  })

  test('a row that the server refuses: fails with the server’s code', async () => {
    await catalog.pipeline.query('create unique index copied_id on copied (id) where id < 0')
    const copy = catalog.inTransaction(catalog.pipeline, (tx) => copyRows(tx, 'copied', twoColumns, [[-1], [-1]]))
    await expect(copy).rejects.toMatchObject({ code: '23505' })
    await catalog.pipeline.query('drop index copied_id')
  })
})
