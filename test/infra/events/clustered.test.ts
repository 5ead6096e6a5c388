import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clickhouseEvents } from '../../../infra/events/clickhouse.ts'
import { clustered } from '../../../infra/events/clustered.ts'
import { embeddedEvents } from '../../../infra/events/embedded.ts'
import { applyMigrations, migrations } from '../../../infra/events/migrate.ts'

const flat = (text: string) => text.replace(/\s+/g, ' ')

/** Those that a new cluster is told. */
async function told(applied: readonly string[] = []): Promise<string[]> {
  const statements: string[] = []
  const store = {
    command: async (statement: string) => void statements.push(statement),
    names: async () => applied,
    partitions: async () => ['202610', '202611'],
  }
  await applyMigrations(store, clustered('main'))
  return statements
}

test('a table is one of replicas on each shard and one over the shards, of which copies of a row share one', () => {
  const statement = `-- what it is for
    create table if not exists seen (
      day Date, -- a comment; with a semicolon
      id UUID
    )
    engine = ReplacingMergeTree(day)
    partition by toYYYYMM(day)
    order by (day, id)
    settings non_replicated_deduplication_window = 1000`
  expect(clustered('main')(statement).map((one) => flat(one))).toEqual([
    "create table if not exists seen_local on cluster 'main' ( day Date, -- a comment; with a semicolon id UUID ) engine = ReplicatedReplacingMergeTree('/clickhouse/tables/{uuid}/{shard}', '{replica}', day) partition by toYYYYMM(day) order by (day, id) settings replicated_deduplication_window = 1000",
    "create table if not exists seen on cluster 'main' as seen_local engine = Distributed('main', currentDatabase(), 'seen_local', cityHash64(day, id))",
  ])
})

test('a table about the store itself is on every node', () => {
  expect(clustered('main')('create table if not exists assay_store (id UUID) engine = MergeTree order by id')).toEqual([
    "create table if not exists assay_store on cluster 'main' (id UUID)\nengine = ReplicatedMergeTree('/clickhouse/tables/{uuid}/all', '{shard}-{replica}') order by id",
  ])
  expect(clustered('main')('alter table assay_store add column at Date')).toEqual([
    "alter table assay_store on cluster 'main' add column at Date",
  ])
})

test('a table that is like another is like what that has on its shards', () => {
  const said = clustered('main')
  said('create table a (x String) engine = MergeTree order by x')
  expect(said('create table b as a engine = ReplacingMergeTree(x) order by x').map(flat)).toEqual([
    "create table b_local on cluster 'main' as a_local engine = ReplicatedReplacingMergeTree('/clickhouse/tables/{uuid}/{shard}', '{replica}', x) order by x",
    "create table b on cluster 'main' as b_local engine = Distributed('main', currentDatabase(), 'b_local', cityHash64(x))",
  ])
})

test('a change is made where the rows are; one of columns also over the shards', () => {
  const said = clustered('main')
  said('create table a (x String, y Date) engine = ReplacingMergeTree order by (y, x)')
  said('create table b (x String, y Date, z Date) engine = ReplacingMergeTree order by x')
  const over = (table: string, key: string) =>
    `create or replace table ${table} on cluster 'main' as ${table}_local engine = Distributed('main', currentDatabase(), '${table}_local', cityHash64(${key}))`
  expect(said('alter table a add column w String')).toEqual([
    "alter table a_local on cluster 'main' add column w String",
    over('a', 'y, x'),
  ])
  expect(said("alter table a delete where x = 'b'")).toEqual([
    "alter table a_local on cluster 'main' delete where x = 'b'",
  ])
  expect(said('exchange tables a and b')).toEqual([
    "exchange tables a_local and b_local on cluster 'main'",
    over('a', 'x'),
    over('b', 'y, x'),
  ])
  expect(said('drop table if exists b')).toEqual([
    "drop table if exists b on cluster 'main' sync",
    "drop table if exists b_local on cluster 'main' sync",
  ])
  expect(said('insert into a select * from b')).toEqual(['insert into a select * from b'])
})

test.each([
  'create materialized view v to a as select 1',
  'create table a (x String) engine = Memory',
  'create table a (x String) engine = MergeTree order by cityHash64(x)',
  'rename table a to b',
])('what nobody has thought of is refused and not sent to one node alone: %s', (statement) => {
  expect(() => clustered('main')(statement)).toThrow(/on a cluster/)
})

test('each statement of the migrations is one of the cluster, in words that the engine reads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-events-'))
  const embedded = embeddedEvents(join(folder, 'events'))
  const store = clickhouseEvents(embedded.address, embedded)
  try {
    const statements = await told()
    expect(statements.length).toBeGreaterThan(4)
    for (const statement of statements) {
      if (!/^insert/.test(statement)) expect(statement).toMatch(/on cluster 'main'/)
      expect(statement).not.toMatch(/engine = (Replacing)?MergeTree/)
      const read = store.ask(
        'select formatQuery({statement:String}) as text',
        { statement },
        { seconds: 5, memoryBytes: 1e9 },
      )
      expect((await read).rows, statement).toHaveLength(1)
    }
  } finally {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('a cluster that has them is told nothing but the first table again', async () => {
  const names = (await migrations()).map(({ name }) => name)
  expect(await told(names)).toEqual([expect.stringMatching(/^create table if not exists assay_migration on cluster/)])
})
