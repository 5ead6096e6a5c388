/** Brings an event store to the present form: the files of `migrations/` in order, each once. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Migrated {
  command(statement: string): Promise<void>
  /** Of the files that were applied. */
  names(): Promise<readonly string[]>
  /** Ids of the partitions that a table has. */
  partitions(table: string): Promise<readonly string[]>
}

const folder = join(import.meta.dirname, 'migrations')
const asItIs = (statement: string): readonly string[] => [statement]
/** Stands in a statement that is told once for each partition of that table. */
const ofPartition = /\{partition of (\w+)\}/

/**
 * The engine has no transactions over statements: each can be said twice.
 * @param said how the store is told each statement; it is asked of all in order, also of those that were applied
 */
export async function applyMigrations(store: Migrated, said = asItIs): Promise<void> {
  const about =
    'create table if not exists assay_migration (name String, at DateTime default now()) engine = MergeTree order by name'
  for (const statement of said(about)) await store.command(statement)
  const applied = new Set(await store.names())
  for (const { name, statements } of await migrations()) {
    const told = statements.flatMap((statement) => said(statement))
    if (applied.has(name)) continue
    for (const statement of told) for (const one of await byPartition(statement, store)) await store.command(one)
    await store.command(`insert into assay_migration (name) values ('${name}')`)
  }
}

async function byPartition(statement: string, store: Migrated): Promise<readonly string[]> {
  const table = ofPartition.exec(statement)?.[1]
  if (table === undefined) return [statement]
  return (await store.partitions(table)).map((id) => statement.replace(ofPartition, `'${id}'`))
}

export async function migrations(): Promise<{ readonly name: string; readonly statements: readonly string[] }[]> {
  const names = (await readdir(folder)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      const statements = text.split(/;\s*$/m).map((statement) => statement.trim())
      return { name, statements: statements.filter((statement) => statement !== '') }
    }),
  )
}
