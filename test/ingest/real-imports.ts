/** Real files as they are after an import through HTTP, and after a second one where a test asks for it; each once for all tests that look at it. */
import { readFile } from 'node:fs/promises'
import { openTable } from '../../ingest/readers/table.ts'
import type { ImportContext } from '../../schemas/pipeline.ts'
import type { ProductResource } from '../../serving/workspace/product-resource.ts'
import type { Ledger, Running } from '../running.ts'
import { realPath } from './expected-figures.ts'

export interface Imported {
  readonly catalog: string
  readonly first: Ledger
  readonly products: readonly ProductResource[]
  /** A second import, and digests of all rows with their counters before and after it. */
  readonly again: () => Promise<{ readonly second: Ledger; readonly written: readonly [string, string] }>
  readonly context: ImportContext
  /** Cells of each row of the file by column name, as our own reader gives them: row 1 is the first. */
  readonly rows: readonly Readonly<Record<string, string>>[]
}

/** @param assay asked for when the first file is wanted */
export function realImports(assay: () => Running): (file: string) => Promise<Imported> {
  const imports = new Map<string, Promise<Imported>>()
  return (file) => {
    const known = imports.get(file) ?? importOne(assay(), file)
    imports.set(file, known)
    return known
  }
}

async function importOne(assay: Running, file: string): Promise<Imported> {
  const catalog = await assay.newCatalog(file)
  const bytes = await readFile(realPath(file))
  const { status, result: first } = await assay.ingest(catalog, bytes)
  if (status !== 'completed') throw new Error(`the import of ${file} ${status}`)
  const products = await assay.products(catalog)
  const { rows: contexts } = await assay.system.catalog.pipeline.query<{ body: ImportContext }>(
    'select c.body from import i join import_context c using (context_id) where i.import_id = $1',
    [first.importId],
  )
  const context = contexts[0]?.body
  if (!context) throw new Error(`the import of ${file} has no context`)
  return { catalog, first, products, again: once(again), context, rows: await rowsOf(file) }

  async function again() {
    const before = await writtenRows(assay, catalog)
    const { result: second } = await assay.ingest(catalog, bytes)
    return { second, written: [before, await writtenRows(assay, catalog)] as const }
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => {
    done ??= work()
    return done
  }
}

/** A row cannot change without its counter. */
async function writtenRows({ system }: Running, catalog: string): Promise<string> {
  const sql = `select md5(string_agg(product_id || ':' || rev, ',' order by product_id)) as rows from products where catalog_id = $1`
  return (await system.catalog.pipeline.query<{ rows: string }>(sql, [catalog])).rows[0]?.rows ?? ''
}

export async function rowsOf(file: string): Promise<Record<string, string>[]> {
  const table = await openTable(realPath(file))
  const rows: Record<string, string>[] = []
  for await (const batch of table.rows())
    for (const { cells } of batch)
      rows.push(Object.fromEntries(table.header.map((name, i) => [name, [cells[i] ?? ''].flat().join().trim()])))
  return rows
}
