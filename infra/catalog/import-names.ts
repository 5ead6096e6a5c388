/** Imports by id, as provenance names them. Under policy. */
import type { PoolClient } from 'pg'

export interface NamedImport {
  readonly id: string
  readonly fileName: string
  readonly by: string | null
  readonly at: Date
}

export async function importNames(tx: PoolClient, ids: readonly string[]): Promise<Map<string, NamedImport>> {
  if (ids.length === 0) return new Map()
  const { rows } = await tx.query<NamedImport>(
    `select import_id as id, file_name as "fileName", created_by as by, created_at as at from import where import_id = any ($1::uuid[])`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}
