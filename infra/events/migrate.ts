/** Brings an event store to the present form: the files of `migrations/` in order, each once. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Migrated {
  command(statement: string): Promise<void>
  /** Of the files that were applied. */
  names(): Promise<readonly string[]>
}

const folder = join(import.meta.dirname, 'migrations')

/** The engine has no transactions over statements: each can be said twice. */
export async function applyMigrations(store: Migrated): Promise<void> {
  await store.command(
    'create table if not exists assay_migration (name String, at DateTime default now()) engine = MergeTree order by name',
  )
  const applied = new Set(await store.names())
  for (const name of (await readdir(folder)).sort()) {
    if (applied.has(name)) continue
    const text = await readFile(join(folder, name), 'utf8')
    for (const statement of text.split(/;\s*$/m)) if (statement.trim() !== '') await store.command(statement.trim())
    await store.command(`insert into assay_migration (name) values ('${name}')`)
  }
}
