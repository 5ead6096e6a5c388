/** Holds a database to its policies: a migrated one, or one that was restored. */
import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Catalog, connect, openCatalog, type Principal } from '../../../infra/catalog/postgres.ts'
import type { TestDatabase } from '../../harness.ts'

// The tests are made from the schema, which must be known before they are collected.
interface Column {
  readonly name: string
  readonly type: string
  readonly given: boolean
}
interface Table {
  readonly name: string
  readonly policed: boolean
  readonly granted: boolean
  readonly columns: readonly Column[]
}

const tablesSql = `
  select c.oid::regclass::text as name, c.relrowsecurity as policed,
         has_table_privilege('assay_api', c.oid, 'select, insert, update, delete, truncate, references, trigger')
           or has_any_column_privilege('assay_api', c.oid, 'select, insert, update, references') as granted,
         (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
                                            'given', not a.attnotnull or a.atthasdef or a.attidentity <> '') order by a.attnum)
            from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^(pg_|information_schema)'
   order by 1`

/** Registers the tests. @param freshDatabase one that is held to them */
export async function holdToPolicies(freshDatabase: () => Promise<TestDatabase>): Promise<void> {
  async function readTables(): Promise<Table[]> {
    const found = await freshDatabase()
    const client = await connect(found.url)
    const { rows } = await client.query<Table>(tablesSql)
    await client.end()
    await found.drop()
    return rows
  }

  const tables = await readTables()
  const policed = tables.filter((table) => table.policed)
  const others = tables.filter((table) => !table.policed)
  const has = ({ columns }: Table, name: string) => columns.some((column) => column.name === name)

  const [a1, a2, b1, b2] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  /** Two brands in each of two workspaces. */
  const tenants = [
    ['ws_a', a1],
    ['ws_a', a2],
    ['ws_b', b1],
    ['ws_b', b2],
  ] as const

  let database: TestDatabase
  let catalog: Catalog
  /** Writes rows that nothing else refers to. */
  let writer: Client
  beforeAll(async () => {
    database = await freshDatabase()
    catalog = openCatalog(database.url, { maxConnections: 2 })
    writer = await connect(database.url)
    await writer.query('set session_replication_role = replica')
    for (const table of policed) for (const tenant of tenantsOf(table)) await insert(writer, table, ...tenant)
  })
  afterAll(async () => {
    await writer.end()
    await catalog.close()
    await database.drop()
  })

  /** Whoever acts is written down, also where they may not read it. */
  const byWorkspace = ['audit']

  let serial = 0
  const plain: Readonly<Record<string, () => unknown>> = {
    text: () => randomUUID(),
    uuid: () => randomUUID(),
    integer: () => ++serial,
    smallint: () => ++serial,
    bigint: () => ++serial,
    real: () => 1,
    'double precision': () => 1,
    'real[]': () => [],
    boolean: () => true,
    bytea: () => Buffer.alloc(1),
    jsonb: () => '{}',
    date: () => '2026-11-28',
    'timestamp with time zone': () => new Date(),
    'text[]': () => [],
    'uuid[]': () => [],
    'integer[]': () => [1, 1, 1, 1, 1, 1, 1],
    'smallint[]': () => [1, 1, 1, 1, 1, 1, 1],
  }
  /** Where a check asks for a word of its own. */
  const words: Readonly<Record<string, unknown>> = { role: 'viewer', kind: 'sftp' }

  const someValue = ({ name, type }: Column): unknown => {
    const make = plain[type]
    if (!make) throw new Error(`say what a ${type} is, for ${name}`)
    return words[name] ?? make()
  }

  /** A table without a brand has one row a workspace. */
  function tenantsOf(table: Table): readonly (readonly [string, string | null])[] {
    if (!has(table, 'brand_id'))
      return [
        ['ws_a', null],
        ['ws_b', null],
      ]
    const wide = table.columns.some(({ name, given }) => name === 'brand_id' && given)
    return wide ? [...tenants, ['ws_a', null], ['ws_b', null]] : tenants
  }

  type Queries = Pick<Client, 'query'>
  async function insert(into: Queries, table: Table, workspace: string, brand: string | null): Promise<void> {
    const tenant: Record<string, unknown> = { workspace_id: workspace, brand_id: brand }
    const columns = table.columns.filter(({ name, given }) => !given || Object.hasOwn(tenant, name))
    const values = columns.map((column) =>
      Object.hasOwn(tenant, column.name) ? tenant[column.name] : someValue(column),
    )
    const places = columns.map((_, i) => `$${i + 1}`).join(', ')
    await into.query(
      `insert into ${table.name} (${columns.map(({ name }) => `"${name}"`).join(', ')}) values (${places})`,
      values,
    )
  }

  const as = (workspaceId: string, ...brands: string[]): Principal => ({
    workspaceId,
    brandIds: brands.length > 0 ? brands : '*',
  })

  async function seen(table: Table, principal: Principal): Promise<string[]> {
    const brand = has(table, 'brand_id') ? 'brand_id::text' : 'null::text'
    return catalog.withTenant(principal, async (tx) => {
      const { rows } = await tx.query(`select workspace_id as w, ${brand} as b from ${table.name}`)
      return rows.map(({ w, b }) => `${w} ${b}`).sort()
    })
  }

  /** What the API's role may do to a table; what it may not is refused before any policy. */
  async function may(table: Table, privilege: string): Promise<boolean> {
    const sql = `select has_table_privilege('assay_api', $1::regclass, $2) as may`
    return (await writer.query<{ may: boolean }>(sql, [table.name, privilege])).rows[0]?.may ?? false
  }

  /** Undone whatever comes of it. */
  const undone = new Error('undone')
  async function trying<T>(principal: Principal, work: (tx: Queries) => Promise<T>): Promise<T> {
    let result: T | undefined
    const asked = catalog.withTenant(principal, async (tx) => {
      result = await work(tx)
      throw undone
    })
    await asked.catch((error: unknown) => {
      if (error !== undone) throw error
    })
    return result as T
  }

  describe.each(policed)('$name is under policy', (table) => {
    test('a query without a WHERE gives the principal its own rows and no other', async () => {
      const own = (workspace: string, brands?: readonly string[]) =>
        tenantsOf(table)
          .filter(([w, b]) => w === workspace && (!brands || !has(table, 'brand_id') || brands.includes(b ?? '')))
          .map(([w, b]) => `${w} ${b}`)
          .sort()
      expect(await seen(table, as('ws_a'))).toEqual(own('ws_a'))
      expect(await seen(table, as('ws_b'))).toEqual(own('ws_b'))
      expect(await seen(table, as('ws_a', a2))).toEqual(own('ws_a', [a2]))
      expect(await seen(table, as('ws_b', b1, b2))).toEqual(own('ws_b', [b1, b2]))
      expect(await seen(table, as('ws_none'))).toEqual([])
      if (has(table, 'brand_id')) expect(await seen(table, as('ws_a', b1))).toEqual([])
      expect((await catalog.api.query(`select from ${table.name}`)).rowCount).toBe(0)
    })

    test('a row of another tenant cannot be put in', async () => {
      const foreign: readonly (readonly [string, string | null])[] =
        has(table, 'brand_id') && !byWorkspace.includes(table.name)
          ? [
              ['ws_b', b1],
              ['ws_a', a2],
            ]
          : [['ws_b', null]]
      for (const tenant of foreign)
        await expect(trying(as('ws_a', a1), (tx) => insert(tx, table, ...tenant))).rejects.toMatchObject({
          code: '42501',
        })
    })

    test('what the principal changes or deletes without a WHERE is its own, and cannot be handed to another', async () => {
      const mine = await seen(table, as('ws_a', a1))
      const same = `update ${table.name} set workspace_id = workspace_id`
      const statements = [
        [same, 'update'],
        [`delete from ${table.name}`, 'delete'],
      ] as const
      for (const [sql, privilege] of statements) {
        const granted = await may(table, privilege)
        const asked = trying(as('ws_a', a1), (tx) => tx.query(sql))
        if (granted) expect((await asked).rowCount).toBe(mine.length)
        else await expect(asked).rejects.toMatchObject({ code: '42501' })
      }
      const away = [`update ${table.name} set workspace_id = 'ws_b'`]
      if (has(table, 'brand_id')) away.push(`update ${table.name} set brand_id = '${a2}'`)
      for (const sql of away)
        await expect(trying(as('ws_a', a1), (tx) => tx.query(sql))).rejects.toMatchObject({ code: '42501' })
    })
  })

  test.each(others)('$name is not under policy, and the API’s role has no right to it', (table) => {
    expect(table.granted).toBe(false)
  })

  test('the API’s role owns nothing, cannot pass by a policy, and is no one else', async () => {
    const { rows } = await writer.query(
      `select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb,
              exists (select from pg_class where relowner = r.oid) as owns,
              exists (select from pg_auth_members where member = r.oid) as joins
         from pg_roles r where rolname = 'assay_api'`,
    )
    expect(Object.values(rows[0] ?? {})).toEqual(Array(7).fill(false))
  })

  test('no function runs with the owner’s rights but those that are written here', async () => {
    const { rows } = await writer.query(
      `select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where p.prosecdef and n.nspname !~ '^(pg_|information_schema)'`,
    )
    // Counts members of the principal's own workspace, whatever brands they are pinned to.
    // Tells how fresh the lists of a catalog of the principal's own workspace are.
    // Search: each takes the brand, and asks whether it is the principal's (DESIGN 5.11).
    expect(rows.map(({ proname }) => proname).sort()).toEqual([
      'assay_followed',
      'assay_member_count',
      ...['columns', 'completions', 'gone', 'mine', 'owned', 'postings', 'segments', 'spellings'].map(
        (of) => `search_${of}`,
      ),
    ])
  })

  test('no policy keeps a query from being shared among workers', async () => {
    const { rows } = await catalog.pipeline.query(
      `select proname from pg_proc where proname in ('assay_workspace', 'assay_all_brands', 'assay_brands') and proparallel <> 's'`,
    )
    expect(rows).toEqual([])
  })
}
