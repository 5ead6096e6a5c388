/** The files of `migrations/` in order, with the hash by which a database knows the ones that it has. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface MigrationFile {
  readonly name: string
  readonly sha256: string
  readonly sql: string
}

const folder = join(import.meta.dirname, 'migrations')

export async function migrationFiles(): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}
