import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backUp } from '../../../infra/backup/back-up.ts'
import { checkBackup } from '../../../infra/backup/read-backup.ts'
import { restore } from '../../../infra/backup/restore.ts'
import { migrationsFor } from '../../../infra/backup/restore-database.ts'
import { applyWithin, migrationTable } from '../../../infra/catalog/migrate.ts'
import { migrationFiles } from '../../../infra/catalog/migration-files.ts'
import { connect } from '../../../infra/catalog/postgres.ts'
import { isDiskFull } from '../../../infra/catalog/sql-errors.ts'
import { closeSegment } from '../../../infra/log/close-segment.ts'
import { dropSegments, retireSegments } from '../../../infra/log/drop-segments.ts'
import { type SmallDisk, smallDisk } from '../../faults/small-disk.ts'
import { emptyDatabase, freshDatabase, type TestDatabase } from '../../harness.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { differences } from '../../verified.ts'
import { type Ground, openGround } from './restored.ts'

const disk: SmallDisk | string = await smallDisk(16)
const mounted = typeof disk !== 'string'
if (!mounted) console.log(`skipped: a full disk, since ${disk}`)

let ground: Ground
let assay: Running
let again: Running
let backup: string
let catalog: string
let underWay: { catalog: string; job: string }
let before: unknown

const rowsOf = (n: number, name: string) =>
  `sku,title,price\n${Array.from({ length: n }, (_, i) => `${name}-${i},Mug ${i},2.50`).join('\n')}\n${name}-1,Mug 1,2.50\n,,\n`
const base = `/api/workspace/${workspace}`

/** What a caller sees of a catalog that rests. */
async function seen(of: Running, id: string) {
  const products = await of.products(id, { sort: 'id' })
  const { body: versions } = await of.call('GET', `${base}/catalogs/${id}/versions`)
  const { body: imports } = await of.call('GET', `${base}/imports`)
  const { body: settings } = await of.call('GET', `${base}/settings/pipeline`)
  return { products, versions, feed: await of.feed(id), settings: settings.settings, imports: imports.imports.length }
}

beforeAll(async () => {
  ground = await openGround()
  assay = await startAssay()
  catalog = await assay.newCatalog('resting')
  await assay.ingest(catalog, rowsOf(40, 'R'))
  const [one] = await assay.products(catalog)
  await assay.call('PATCH', `${base}/catalog/products/${one?.id}`, {
    title: 'A better mug',
    description: 'Told by hand',
  })
  await assay.publish(catalog)
  // What was said so far is in the archive alone, and the segment that is open is a table that no migration makes.
  const { catalog: store, archiving } = assay.system
  await closeSegment(store.pipeline)
  await archiving.runNow(new AbortController().signal)
  await retireSegments(store.pipeline, 0)
  expect(await dropSegments(store.pipeline, 0)).toEqual([1])
  const busy = await assay.newCatalog('busy')
  await assay.call('POST', `${base}/catalog/products`, { catalog_id: busy, sku: 'E-0', title: 'Edited mug' })
  await assay.call('POST', `${base}/datasets/uploads`, { file_name: 'parts.csv' })
  before = await seen(assay, catalog)

  const search = new URLSearchParams({ catalog_id: busy })
  const { body } = await assay.call('POST', `${base}/datasets/ingest?${search}`, Buffer.from(rowsOf(5_000, 'B')))
  underWay = { catalog: busy, job: body.job.id }
  const appended = async () => {
    const sql = 'select appended_seq as n from import where job_id = $1'
    return (await assay.system.catalog.pipeline.query<{ n: number }>(sql, [underWay.job])).rows[0]?.n ?? -1
  }
  while ((await appended()) < 0) await new Promise((go) => setTimeout(go, 5))
  let done = false
  const edits = (async () => {
    for (let i = 1; !done; i++)
      await assay.call('POST', `${base}/catalog/products`, {
        catalog_id: busy,
        sku: `E-${i}`,
        title: `Edited mug ${i}`,
      })
  })()
  backup = await ground.backup(assay.config.databaseUrl ?? '', assay.config.dataFolder)
  done = true
  await edits
})
afterAll(async () => {
  await assay.close()
  await ground.clear()
  if (typeof disk !== 'string') await disk.unmount()
})

describe('a backup that is taken while an import runs and products are edited', () => {
  let database: TestDatabase
  let dataFolder: string
  let order: Parameters<typeof restore>[0]
  let atPoint: string
  const into = () => ({ databaseUrl: database.url, dataFolder, archiveFolder: join(dataFolder, 'archive') })
  const withClient = async <T>(work: (client: Client) => Promise<T>) => {
    const client = await connect(database.url)
    return work(client).finally(() => client.end())
  }
  beforeAll(async () => {
    database = await emptyDatabase()
    dataFolder = join(ground.folder, 'restored')
    order = { folder: backup, manifest: await checkBackup(backup), into: into(), onProgress: () => {} }
  })
  afterAll(async () => {
    await again?.close()
    await database.drop()
  })

  test('leaves the database empty where its restore is cut off', async () => {
    await withClient(async (client) => {
      let cut: Promise<unknown> | undefined
      const others =
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
      const onProgress = () => {
        cut ??= client.query(others)
      }
      await expect(restore({ ...order, onProgress })).rejects.toThrow()
      await cut
      expect((await client.query(`select from pg_class where relnamespace = 'public'::regnamespace`)).rowCount).toBe(0)
    })
  })

  test('has as many rows in each table once a second restore has filled it, and each as it was', async () => {
    const compared = await restore(order)
    expect(compared.length).toBeGreaterThan(0)
    expect(compared.filter(({ same }) => !same)).toEqual([])
    // Cut off behind the commit: there is only the mark left to take away.
    await writeFile(join(dataFolder, 'RESTORING'), '')
    expect(await restore(order)).toEqual([])
    expect(await readdir(dataFolder)).not.toContain('RESTORING')
    const sql = 'select status from job where job_id = $1'
    atPoint = await withClient(async (client) => (await client.query(sql, [underWay.job])).rows[0]?.status)
    again = await startAssay({ DATABASE_URL: database.url, ASSAY_DATA: dataFolder })
  })

  test('has every table that there is, but for the queue', async () => {
    const { rows } = await assay.system.catalog.pipeline.query<{ name: string; kind: string }>(
      `select c.relname as name, c.relkind as kind from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname !~ '^(pg_|information_schema)' and n.nspname <> 'pgboss' and c.relkind in ('r', 'm', 'f') order by 1`,
    )
    const { tables } = await checkBackup(backup)
    expect(tables.map(({ name }) => name)).toEqual(rows.map(({ name }) => name).sort())
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['log_2', 'secret', 'products']))
    expect(rows.filter(({ kind }) => kind !== 'r')).toEqual([])
  })

  test('serves what was served: products, edits, versions, feed, settings', async () => {
    expect(await seen(again, catalog)).toEqual({ ...(before as object), imports: 2 })
  })

  test('has the archive of the log, whole', async () => {
    expect(await again.system.archiving.verify(new AbortController().signal)).toEqual([])
    expect(await differences(again.system, catalog)).toEqual({ compared: 40, stale: 0, differing: [] })
  })

  test('goes on with the import from where it was, and the ledger balances', async () => {
    expect(atPoint).toBe('active')
    const { result, status } = await again.job(underWay.job)
    expect({ status, read: result.read }).toEqual({ status: 'completed', read: 5_001 })
    const { created, duplicate, rejected } = result
    expect({ created, duplicate, rejected }).toEqual({ created: 5_000, duplicate: 1, rejected: 0 })
    const { rows } = await again.system.catalog.pipeline.query<{ n: number }>(
      `select count(*) as n from products where catalog_id = $1 and sku like 'B-%'`,
      [underWay.catalog],
    )
    expect(rows).toEqual([{ n: 5_000 }])
  })

  test('takes new imports, edits and publishes, and knows the same products', async () => {
    const repeat = await again.ingest(catalog, rowsOf(40, 'R'))
    expect(repeat.result).toMatchObject({ created: 0, updated: 0, unchanged: 40 })
    const more = await again.ingest(catalog, rowsOf(60, 'R'))
    expect(more.result).toMatchObject({ created: 20, unchanged: 40 })
    const named = (await again.products(catalog)).filter(({ title }) => title === 'A better mug')
    expect(named).toHaveLength(1)
    expect(await again.publish(catalog)).toMatchObject({ added: 20 })
  })

  test('takes tokens of before, and shows the file as it was sent', async () => {
    const authorization = `Bearer ${await assay.token('viewer')}`
    const { status, body } = await again.call('GET', `${base}/imports`, undefined, { authorization })
    expect(status).toBe(200)
    const { id } = body.imports.find((one: { read: number }) => one.read === 41)
    const { text } = await again.call('GET', `${base}/imports/${id}/file`)
    expect(text).toBe(rowsOf(40, 'R'))
  })

  test('has the schema that migrations make: columns, indexes, constraints, triggers, policies, grants, functions', async () => {
    expect(await schemaOf(again)).toEqual(await schemaOf(assay))
  })
})

/** Everything that Postgres writes down of it. */
async function schemaOf({ system }: Running): Promise<unknown[]> {
  const { rows } = await system.catalog.pipeline.query({
    rowMode: 'array',
    text: `
      select 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' || a.attidentity::text || ' ' || a.attstorage::text,
             pg_get_expr(d.adbin, d.adrelid), a.attacl::text
        from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
       where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'v')
      union all select 'table', relname, relkind::text, relrowsecurity || ' ' || relforcerowsecurity || ' ' || relpersistence::text, reloptions::text, relacl::text
        from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S')
      union all select 'index', tablename, indexname, indexdef, null, null from pg_indexes where schemaname = 'public'
      union all select 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated::text, null
        from pg_constraint where connamespace = 'public'::regnamespace
      union all select 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), tgenabled::text, null
        from pg_trigger where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      union all select 'policy', tablename, policyname, roles::text || cmd, qual, with_check from pg_policies where schemaname = 'public'
      union all select 'function', proname, prosecdef::text, prosrc, proconfig::text, proacl::text from pg_proc where pronamespace = 'public'::regnamespace
      order by 1, 2, 3, 4`,
  })
  return rows
}

describe('a byte that changed', () => {
  const files = ['manifest.json', 'tables/products.copy.zst', 'issuer.json', 'SHA256SUMS']
  test.each(files)('in %s is found before anything is touched', async (name) => {
    const path = join(backup, name)
    const was = await readFile(path)
    const changed = Buffer.from(was)
    const at = Math.floor(was.length / 2)
    changed[at] = (changed[at] ?? 0) ^ 1
    await writeFile(path, changed)
    await expect(checkBackup(backup)).rejects.toThrow('damaged')
    await writeFile(path, was)
  })

  test('in a kept file is found, and so is one that is gone', async () => {
    const [file] = (await readdir(join(backup, 'files'), { withFileTypes: true })).filter((entry) => entry.isFile())
    const path = join(backup, 'files', file?.name ?? '')
    // Linked to the live spool: a copy is changed, so that the spool's stays.
    const was = await readFile(path)
    await rm(path)
    await expect(checkBackup(backup)).rejects.toThrow('is not there any more')
    await writeFile(path, Buffer.concat([was.subarray(0, -1), Buffer.from('x')]))
    await expect(checkBackup(backup)).rejects.toThrow('is not what was written')
    await writeFile(path, was)
    await checkBackup(backup)
  })
})

describe('the folder of a backup', () => {
  test('is nobody else’s to read', async () => {
    expect((await stat(backup)).mode & 0o077).toBe(0)
    for (const name of ['manifest.json', 'issuer.json', 'tables/secret.copy.zst'])
      expect((await stat(join(backup, name))).mode & 0o077).toBe(0)
  })

  test('that has something in it is refused, and left as it is', async () => {
    const folder = join(ground.folder, 'taken')
    await mkdir(folder)
    await writeFile(join(folder, 'mine'), 'x')
    await expect(ground.backup(assay.config.databaseUrl ?? '', ground.folder, 'taken')).rejects.toThrow('is not empty')
    expect(await readdir(folder)).toEqual(['mine'])
  })

  test('without its checksums is no backup', async () => {
    const folder = join(ground.folder, 'half')
    await mkdir(folder)
    await link(join(backup, 'manifest.json'), join(folder, 'manifest.json'))
    await expect(checkBackup(folder)).rejects.toThrow('did not come to its end')
  })

  test.runIf(mounted)('on a disk that is full is told so, and left empty', async () => {
    const { folder: small, fill } = disk as SmallDisk
    await fill(300_000)
    const folder = join(small, 'backup')
    const order = {
      databaseUrl: assay.config.databaseUrl ?? '',
      dataFolder: assay.config.dataFolder,
      archiveFolder: null,
      folder,
    }
    const failed = await backUp({ ...order, onProgress: () => {} }).catch((error: unknown) => error)
    expect(isDiskFull(failed)).toBe(true)
    expect(await readdir(folder)).toEqual([])
  })

  test('is empty again where the backup fails', async () => {
    const empty = await emptyDatabase()
    const folder = join(ground.folder, 'nothing')
    const order = {
      databaseUrl: empty.url,
      dataFolder: ground.folder,
      archiveFolder: null,
      folder,
      onProgress: () => {},
    }
    await expect(backUp(order)).rejects.toThrow('There is no Assay in this database')
    expect(await readdir(folder)).toEqual([])
    await empty.drop()
  })
})

/** @returns its name in the store */
async function storedFeed(): Promise<string> {
  const { feedStore, catalog: of } = assay.system
  const id = randomUUID()
  await writeFile(await feedStore.draft(id), 'id,title\r\n')
  await feedStore.keep(id, '')
  await of.pipeline.query(
    `insert into feed_file (file_id, job_id, workspace_id, brand_id, catalog_id, platform, config_id, edition, profile_version, format, gzip, extension,
       lines, bytes, sha256, lines_sha256, guard)
     select $1, $1, workspace_id, brand_id, catalog_id, 'google', 1, 1000000, 4, 'csv', false, 'csv', 0, 10, '', '', '{}' from catalog where catalog_id = $2`,
    [id, catalog],
  )
  return id
}

describe('a restore', () => {
  test('of an older schema brings it to the present form', async () => {
    const older = await emptyDatabase()
    const client = await connect(older.url)
    await client.query(migrationTable)
    for (const file of (await migrationFiles()).filter(({ name }) => name < '031')) await applyWithin(client, file)
    await client.query(`insert into log_epoch (epoch, engine, partitions) values (1, 'postgres', 4)`)
    await client.query(`insert into workspace (workspace_id, name) values ('ws_old', 'Old')`)
    const from = await ground.backup(older.url, ground.folder, 'older-backup')
    const { database, same } = await ground.restore(from, 'older')
    expect(same).toBe(true)
    const there = await connect(database.url)
    expect((await there.query('select name from workspace')).rows).toEqual([{ name: 'Old' }])
    expect((await there.query('select backup_id from restored')).rows).toHaveLength(1)
    await there.end()
    await client.end()
    await older.drop()
  })

  test('says of a file that was not there any more that it is kept no longer, and asks for a part again; a stored feed is there', async () => {
    const { result } = await assay.ingest(catalog, 'sku,title\nG-1,Gone mug\n')
    const { body } = await assay.call('POST', `${base}/datasets/uploads`, { file_name: 'parts.csv' })
    const { id } = body.upload
    await assay.call('PUT', `${base}/datasets/uploads/${id}/parts/1`, Buffer.from('sku,title\n'))
    const { pipeline } = assay.system.catalog
    const feed = await storedFeed()
    const sent = await pipeline.query('select spool from import where import_id = $1', [result.importId])
    for (const path of [sent.rows[0].spool, join(assay.config.dataFolder, 'spool', 'uploads', id)])
      await rm(path, { recursive: true })
    const from = await ground.backup(assay.config.databaseUrl ?? '', assay.config.dataFolder, 'gone-backup')
    expect((await checkBackup(from)).files).toMatchObject({ missing: 2 })
    const { database, data } = await ground.restore(from, 'gone')
    expect(await readFile(join(data, 'spool', 'feeds', feed), 'utf8')).toBe('id,title\r\n')
    const client = await connect(database.url)
    const gone = await client.query('select import_id as id from import where file_gone_at is not null')
    expect(gone.rows).toEqual([{ id: result.importId }])
    expect((await client.query('select part from upload_part where upload_id = $1', [id])).rows).toEqual([])
    await client.end()
  })

  test('into a database that has something in it is refused, and that stays as it is', async () => {
    const database = await freshDatabase()
    const dataFolder = join(ground.folder, 'unused')
    const order = { folder: backup, manifest: await checkBackup(backup), onProgress: () => {} }
    await expect(
      restore({
        ...order,
        into: { databaseUrl: database.url, dataFolder, archiveFolder: join(dataFolder, 'archive') },
      }),
    ).rejects.toThrow('The database is not empty')
    await expect(stat(dataFolder)).rejects.toThrow('ENOENT')
    await database.drop()
  })

  test('into a data folder that has something in it is refused', async () => {
    await mkdir(join(ground.folder, 'full'))
    await writeFile(join(ground.folder, 'full', 'issuer.json'), '{}')
    await expect(ground.restore(backup, 'full')).rejects.toThrow('is not empty')
    expect(await readdir(join(ground.folder, 'full'))).toEqual(['issuer.json'])
  })

  test('whose rows are not those of the manifest keeps nothing, and nothing serves from it', async () => {
    const database = await emptyDatabase()
    const dataFolder = join(ground.folder, 'differing')
    const manifest = await checkBackup(backup)
    const tables = manifest.tables.map((table) =>
      table.name === 'brand' ? { ...table, digest: '0'.repeat(32) } : table,
    )
    const into = { databaseUrl: database.url, dataFolder, archiveFolder: join(dataFolder, 'archive') }
    const compared = await restore({ folder: backup, manifest: { ...manifest, tables }, into, onProgress: () => {} })
    expect(compared.filter(({ same }) => !same).map(({ table }) => table)).toEqual(['brand'])
    await expect(startAssay({ DATABASE_URL: database.url, ASSAY_DATA: dataFolder })).rejects.toThrow(
      'did not come to its end',
    )
    await database.drop()
  })

  test('of a backup of a newer Assay is refused in one sentence', async () => {
    const manifest = await checkBackup(backup)
    const migrations = [...manifest.migrations, { name: '999-future.sql', sha256: '0'.repeat(64) }]
    await expect(migrationsFor({ ...manifest, migrations })).rejects.toThrow('of a newer Assay (999-future.sql)')
  })
})
