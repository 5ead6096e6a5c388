import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../../infra/catalog/migrate.ts'
import { connect } from '../../../infra/catalog/postgres.ts'
import { StartError } from '../../../infra/start-error.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

type Client = Awaited<ReturnType<typeof connect>>
let database: TestDatabase
let client: Client

beforeAll(async () => {
  database = await freshDatabase()
  client = await connect(database.url)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const rows = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows

test('two that migrate an empty database at once both end, with each file applied once and one epoch', async () => {
  await client.query('create database twice template template0')
  const url = database.url.replace(/[^/]+$/, 'twice')
  try {
    const epochs = await Promise.all([1, 2, 3].map(() => migrate(url, { engine: 'postgres', partitions: 2 })))
    for (const epoch of epochs) expect(epoch).toEqual({ epoch: 1, engine: 'postgres', partitions: 2 })
    const there = await connect(url)
    const { rows } = await there.query('select count(*), count(distinct name) as names from schema_migration')
    expect(rows[0].count).toBe(rows[0].names)
    await there.end()
  } finally {
    await client.query('drop database twice with (force)')
  }
})

test('a second time changes nothing, and the epoch stays as it was opened', async () => {
  const before = await rows('select name, applied_at from schema_migration order by name')
  expect(await migrate(database.url, { engine: 'kafka', partitions: 9 })).toMatchObject({
    engine: 'postgres',
    partitions: 4,
  })
  expect(await rows('select name, applied_at from schema_migration order by name')).toEqual(before)
  expect(await rows('select count(*) from log_epoch')).toEqual([[1]])
})

test('every topic has a counter for every partition', async () => {
  expect(await rows("select partition from log_counter where topic = 'products.bronze' order by 1")).toEqual([
    [0],
    [1],
    [2],
    [3],
  ])
})

test('a shipped file that changed is refused, and so is a database of a newer Assay', async () => {
  await client.query("update schema_migration set sha256 = 'other' where name = '001-spine.sql'")
  await expect(migrate(database.url)).rejects.toThrow(StartError)
  await expect(migrate(database.url)).rejects.toThrow('001-spine.sql')
  await client.query("update schema_migration set name = '999-future.sql' where name = '001-spine.sql'")
  await expect(migrate(database.url)).rejects.toThrow('newer Assay (999-future.sql)')
})

describe('the role of the API', () => {
  test('owns nothing, logs in nowhere, and sees each table only under policy', async () => {
    expect(await rows("select rolcanlogin, rolsuper, rolbypassrls from pg_roles where rolname = 'assay_api'")).toEqual([
      [false, false, false],
    ])
    const open = await rows(
      `select c.relname from pg_class c join pg_namespace s on s.oid = c.relnamespace
        where s.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and c.relkind in ('r', 'p', 'v', 'm', 'f')
          and has_schema_privilege('assay_api', s.oid, 'usage')
          and (has_table_privilege('assay_api', c.oid, 'select, insert, update, delete, truncate, references, trigger')
               or has_any_column_privilege('assay_api', c.oid, 'select, insert, update, references'))
          and not c.relrowsecurity`,
    )
    expect(open).toEqual([])
  })

  test.each(['log', 'product_identity', 'sink_position', 'refused', 'dirty', 'rank_due', 'outbox', 'schema_migration'])(
    'has no grant on %s',
    async (table) => {
      expect(await rows(`select has_table_privilege('assay_api', '${table}', 'select')`)).toEqual([[false]])
    },
  )
})
