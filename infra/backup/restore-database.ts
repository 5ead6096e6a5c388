/** Restores a backup's tables in one transaction: whoever looks sees an empty database or all of it, however this process ends. */
import { access } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Client } from 'pg'
import type { BackupManifest, BackupTable } from '../../schemas/backup.ts'
import { keptFiles, sequences, storedTables } from '../catalog/backup-queries.ts'
import { applyWithin, ensureApiRole, foreignTo, migrationTable } from '../catalog/migrate.ts'
import { type MigrationFile, migrationFiles } from '../catalog/migration-files.ts'
import {
  dropIndexes,
  dropTable,
  emptyTables,
  forgetFiles,
  makePartition,
  moveSpool,
  noteRestored,
  references,
  setSequence,
  setTriggers,
  triggeredTables,
} from '../catalog/restore-queries.ts'
import { StartError } from '../start-error.ts'
import { BackupDamaged } from './checksums.ts'
import { type Compared, compareTable, loadTable } from './load-tables.ts'

export type OnProgress = (phase: 'load' | 'compare', doneBytes: number, totalBytes: number) => void

export interface RestoreOrder {
  /** The backup's. */
  readonly folder: string
  readonly manifest: BackupManifest
  /** Where the files lie now. */
  readonly spool: string
  readonly onProgress: OnProgress
}

/** @throws StartError where this Assay cannot go on where the backup's ended */
export async function migrationsFor({ migrations }: BackupManifest) {
  const files = await migrationFiles()
  const foreign = foreignTo(files, migrations)
  if (foreign?.known === false)
    throw new StartError(`The backup is of a newer Assay (${foreign.name}); restore it with that one.`)
  if (foreign) throw new StartError(`The backup's migration ${foreign.name} is not the one that this Assay has.`)
  const names = new Set(migrations.map(({ name }) => name))
  return { former: files.filter(({ name }) => names.has(name)), later: files.filter(({ name }) => !names.has(name)) }
}

/** @returns the comparison; where something differs, the database is empty again */
export async function restoreDatabase(client: Client, order: RestoreOrder): Promise<Compared[]> {
  const { former, later } = await migrationsFor(order.manifest)
  await ensureApiRole(client)
  await client.query("begin; set local statement_timeout = 0; set local maintenance_work_mem = '256MB'")
  try {
    await makeTables(client, former, order.manifest)
    await loadAll(client, order)
    const compared = await compareAll(client, order)
    if (!compared.every(({ same }) => same)) {
      await client.query('rollback')
      return compared
    }
    for (const file of later) await applyWithin(client, file)
    await settleFiles(client, order)
    await noteRestored(client, order.manifest)
    await client.query('commit')
    return compared
  } catch (error) {
    // A connection that was cut off takes its transaction with it.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** The schema as it was: by the migrations of then, and the partitions that were made and dropped since. */
async function makeTables(client: Client, files: readonly MigrationFile[], { tables }: BackupManifest): Promise<void> {
  await client.query(migrationTable)
  for (const file of files) await applyWithin(client, file)
  const there = new Map((await storedTables(client)).map((table) => [table.name, table]))
  for (const table of tables) {
    if (there.delete(table.name)) continue
    if (table.parent === null)
      throw new StartError(`The backup has a table ${table.name} that no migration of it makes; it cannot be restored.`)
    await makePartition(client, table)
  }
  for (const { name, parent } of there.values()) {
    if (parent === null) throw new BackupDamaged(`The backup is damaged: the table ${name} is not in it`)
    await dropTable(client, name)
  }
  await emptyTables(
    client,
    tables.map(({ name }) => name),
  )
}

async function loadAll(client: Client, { folder, manifest, onProgress }: RestoreOrder): Promise<void> {
  const triggered = await triggeredTables(client)
  await setTriggers(client, triggered, 'disable')
  const indexes = await dropIndexes(client)
  const tell = counted('load', manifest, onProgress)
  for (const table of inOrder(manifest.tables, await references(client))) await loadTable(client, table, folder, tell)
  for (const definition of indexes) await client.query(definition)
  await setTriggers(client, triggered, 'enable')
  for (const sequence of manifest.sequences) await setSequence(client, sequence)
  await client.query('analyze')
}

/** What a row refers to comes before it. */
function inOrder(tables: readonly BackupTable[], refers: ReadonlyMap<string, readonly string[]>): BackupTable[] {
  const known = new Map(tables.map((table) => [table.name, table]))
  const ordered = new Set<BackupTable>()
  const visit = (name: string) => {
    const table = known.get(name)
    if (!table || ordered.has(table)) return
    known.delete(name)
    for (const to of refers.get(name) ?? []) visit(to)
    ordered.add(table)
  }
  for (const { name } of tables) visit(name)
  return [...ordered]
}

async function compareAll(client: Client, { manifest, onProgress }: RestoreOrder): Promise<Compared[]> {
  const tell = counted('compare', manifest, onProgress)
  const compared: Compared[] = []
  for (const table of manifest.tables) compared.push(await compareTable(client, table, tell))
  const now = new Map((await sequences(client)).map((one) => [one.name, one]))
  const same = manifest.sequences.filter(({ name, value, called }) => {
    const found = now.get(name)
    return found?.value === value && found.called === called
  })
  const rows = manifest.sequences.length
  return [...compared, { table: '(sequences)', rows, restored: same.length, same: same.length === rows }]
}

function counted(phase: 'load' | 'compare', { tables }: BackupManifest, onProgress: OnProgress) {
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  return (bytes: number) => {
    done += bytes
    onProgress(phase, done, total)
  }
}

async function settleFiles(client: Client, { manifest, spool }: RestoreOrder): Promise<void> {
  const folder = join(spool, sep)
  await moveSpool(client, folder)
  if (manifest.files.missing === 0) return
  const missing: string[] = []
  for await (const name of keptFiles(client, false)) if (!(await isThere(join(spool, name)))) missing.push(name)
  await forgetFiles(client, folder, missing)
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
