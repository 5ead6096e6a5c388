import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

let database: TestDatabase
let catalog: Catalog
const [a1, a2, b1] = [randomUUID(), randomUUID(), randomUUID()]

beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url, { maxConnections: 4 })
  await catalog.pipeline.query("insert into workspace (workspace_id, name) values ('ws_a', 'A'), ('ws_b', 'B')")
  await catalog.pipeline.query(
    `insert into brand (brand_id, workspace_id, name) values ($1, 'ws_a', 'one'), ($2, 'ws_a', 'two'), ($3, 'ws_b', 'one')`,
    [a1, a2, b1],
  )
  await catalog.pipeline.query(
    `insert into catalog (catalog_id, workspace_id, brand_id, name)
     select gen_random_uuid(), workspace_id, brand_id, 'of ' || brand_id from brand`,
  )
  await catalog.pipeline.query(
    `insert into settings_version (workspace_id, number, body) values ('ws_a', 1, '{}'), ('ws_b', 1, '{}')`,
  )
})
afterAll(async () => {
  await catalog.close()
  await database.drop()
})

const brandsSeenBy = (workspaceId: string, brandIds: '*' | string[]) =>
  catalog.withTenant({ workspaceId, brandIds }, async (tx) => {
    const { rows } = await tx.query('select brand_id from catalog')
    return rows.map((row) => row.brand_id).sort()
  })

describe('a query without WHERE', () => {
  test('gives a principal the rows of its workspace and brands, and no other', async () => {
    expect(await brandsSeenBy('ws_a', '*')).toEqual([a1, a2].sort())
    expect(await brandsSeenBy('ws_a', [a2])).toEqual([a2])
    expect(await brandsSeenBy('ws_a', [a1, a2])).toEqual([a1, a2].sort())
    expect(await brandsSeenBy('ws_a', [b1])).toEqual([])
    expect(await brandsSeenBy('ws_a', [])).toEqual([])
    expect(await brandsSeenBy('ws_b', '*')).toEqual([b1])
    expect(await brandsSeenBy('', '*')).toEqual([])
  })

  test('gives principals that ask at once over the same connections each their own', async () => {
    const asked = Array.from({ length: 60 }, (_, i) => (i % 2 ? brandsSeenBy('ws_a', [a1]) : brandsSeenBy('ws_b', '*')))
    for (const [i, seen] of (await Promise.all(asked)).entries()) expect(seen).toEqual(i % 2 ? [a1] : [b1])
  })

  test('gives nothing outside a tenant’s transaction, even on a connection that has just had one', async () => {
    await brandsSeenBy('ws_a', '*')
    for (const table of ['brand', 'catalog', 'workspace', 'settings_version', 'products']) {
      expect((await catalog.api.query(`select * from ${table}`)).rows).toEqual([])
    }
  })
})

test('a principal cannot write rows of another brand', async () => {
  const insert = (brand: string) =>
    catalog.withTenant({ workspaceId: 'ws_a', brandIds: [a1] }, (tx) =>
      tx.query(
        `insert into catalog (catalog_id, workspace_id, brand_id, name) values (gen_random_uuid(), 'ws_a', $1, 'x')`,
        [brand],
      ),
    )
  await expect(insert(a2)).rejects.toThrow('row-level security')
  await expect(
    catalog.withTenant({ workspaceId: 'ws_a', brandIds: [a1] }, (tx) =>
      tx.query('update catalog set brand_id = $1', [a2]),
    ),
  ).rejects.toThrow('row-level security')
})

test.each(['*', 'x', `${randomUUID()},*`, ''])(
  'a brand id that is no id (%j) never widens what is seen',
  async (id) => {
    await expect(brandsSeenBy('ws_a', [id])).rejects.toThrow(`"${id}" is no brand id`)
  },
)

test.each(['log', 'product_identity', 'sink_position', 'refused', 'dirty'])(
  'the API’s role may not read %s',
  async (table) => {
    await expect(catalog.api.query(`select from ${table}`)).rejects.toMatchObject({ code: '42501' })
  },
)

test('the API’s role stays on when the address brings options of its own', async () => {
  const other = openCatalog(`${database.url}?options=-c%20statement_timeout%3D1234`)
  const { rows } = await other.api.query("select current_user as who, current_setting('statement_timeout') as timeout")
  expect(rows).toEqual([{ who: 'assay_api', timeout: '1234ms' }])
  await other.close()
})

describe('bigint', () => {
  test('is a number, in arrays too', async () => {
    const { rows } = await catalog.pipeline.query(
      "select 9007199254740991 as n, '{1,null,-2}'::bigint[] as list, '{}'::bigint[] as none",
    )
    expect(rows).toEqual([{ n: 9_007_199_254_740_991, list: [1, null, -2], none: [] }])
  })

  test('that is no safe number is an error, never rounded', async () => {
    await expect(catalog.pipeline.query('select 9007199254740993')).rejects.toThrow('9007199254740993 is too large')
    expect((await catalog.pipeline.query('select 1::bigint as n')).rows).toEqual([{ n: 1 }])
  })
})

test('a connection that the server ends, idle or in a transaction, fails its query and nothing more', async () => {
  const pid = async (client: { query: typeof catalog.pipeline.query }) =>
    (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number
  const end = (of: number) => catalog.pipeline.query('select pg_terminate_backend($1, 2000)', [of])
  await end(await pid(catalog.api))
  const inWork = catalog.inTransaction(catalog.api, async (tx) => {
    await end(await pid(tx as unknown as typeof catalog.api))
    await tx.query('select 1')
  })
  await expect(inWork).rejects.toThrow()
  expect(await brandsSeenBy('ws_b', '*')).toEqual([b1])
})

describe('a transaction of one statement', () => {
  const named = (workspaceId: string, brandIds: '*' | string[]) =>
    catalog.readOnce({ workspaceId, brandIds }, async (tx) => {
      const { rows } = await tx.query<{ brand_id: string }>({
        name: 'brands seen',
        text: 'select brand_id from catalog',
      })
      return rows.map((row) => row.brand_id).sort()
    })

  test('gives principals that ask at once over the same connections each their own', async () => {
    const asked = Array.from({ length: 60 }, (_, i) => (i % 2 ? named('ws_a', [a1]) : named('ws_b', '*')))
    for (const [i, seen] of (await Promise.all(asked)).entries()) expect(seen).toEqual(i % 2 ? [a1] : [b1])
    expect((await catalog.api.query('select * from catalog')).rows).toEqual([])
  })

  test('says what its statement failed of, and leaves the connection as good as new', async () => {
    const fails = () =>
      catalog.readOnce({ workspaceId: 'ws_a', brandIds: '*' }, (tx) => tx.query({ text: 'select 1 / 0 as nothing' }))
    for (let i = 0; i < 10; i++) await expect(fails()).rejects.toMatchObject({ code: '22012' })
    expect(await named('ws_b', '*')).toEqual([b1])
  })

  test('refuses a second statement, which would have no principal', async () => {
    const twice = catalog.readOnce({ workspaceId: 'ws_a', brandIds: '*' }, async (tx) => {
      await tx.query({ text: 'select 1' })
      return tx.query({ text: 'select 2' })
    })
    await expect(twice).rejects.toThrow('one statement')
  })
})

test('a transaction whose work fails leaves nothing behind, whatever else was on its way', async () => {
  const insert = 'insert into catalog (catalog_id, workspace_id, brand_id, name) values (gen_random_uuid(), $1, $2, $3)'
  const failing = catalog.withTenant({ workspaceId: 'ws_a', brandIds: '*' }, async (tx) => {
    const both = [tx.query(insert, ['ws_a', a1, 'left behind']), tx.query('select 1 / 0')]
    await Promise.all(both)
  })
  await expect(failing).rejects.toMatchObject({ code: '22012' })
  const { rows } = await catalog.pipeline.query("select from catalog where name = 'left behind'")
  expect(rows).toEqual([])
})

describe('what a COPY gives', () => {
  const copied = async (sql: string) => {
    const parts: Buffer[] = []
    const take = (bytes: Buffer, from: number, to: number) => parts.push(Buffer.from(bytes.subarray(from, to)))
    await catalog.copyWithTenant({ workspaceId: 'ws_a', brandIds: '*' }, 'set local work_mem = 4096', sql, take)
    return Buffer.concat(parts).toString()
  }
  const rows = (value: string) =>
    `copy (select repeat(n::text, 150000) || ${value} from generate_series(1, 9) n) to stdout`

  test('is taken whole, in rows longer than what is read at once, and by many at the same time', async () => {
    const expected = Array.from({ length: 9 }, (_, n) => `${String(n + 1).repeat(150_000)}\n`).join('')
    const taken = await Promise.all(Array.from({ length: 8 }, () => copied(rows(`''`))))
    for (const text of taken) expect(text === expected).toBe(true)
  })

  test('ends with what its statement failed of, in the middle too, and costs nobody else a connection', async () => {
    for (let i = 0; i < 6; i++) await expect(copied(rows('1 / (n - 7)'))).rejects.toMatchObject({ code: '22012' })
    await expect(copied('copy (select nothing) to stdout')).rejects.toMatchObject({ code: '42703' })
    expect(await copied('copy (select name from catalog order by name) to stdout')).toBe(
      [a1, a2]
        .sort()
        .map((brand) => `of ${brand}\n`)
        .join(''),
    )
    // Who copies does not wait for the end of its transaction.
    await expect.poll(() => catalog.pipeline.totalCount - catalog.pipeline.idleCount).toBe(0)
  })
})
