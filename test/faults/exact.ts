/** Says in sentences where an import, its products or their feed are not exactly what the file said; no sentence is the promise kept. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../infra/catalog/postgres.ts'
import { type AssayFolder, type AssayProcess, demo } from './assay-process.ts'
import type { SupplierFile } from './supplier-file.ts'

interface Ledger {
  readonly importId: string
  readonly read: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly duplicate: number
  readonly rejected: number
}

export interface Job {
  readonly id: string
  readonly status: string
  readonly result: (Ledger & Record<string, unknown>) | null
  readonly error: unknown
}

/** @returns the job's id */
export async function sendFile(assay: AssayProcess, file: SupplierFile, catalog: string): Promise<string> {
  const answer = await assay.call('POST', `/api/workspace/${demo}/datasets/ingest?catalog_id=${catalog}`, file.text)
  if (answer.status !== 202) throw new Error(`ingest answered ${answer.status}: ${answer.text}`)
  return answer.body.job.id
}

export async function publish(assay: AssayProcess, catalog: string): Promise<string> {
  const answer = await assay.call('POST', `/api/workspace/${demo}/catalogs/${catalog}/publish`, {})
  if (answer.status !== 202) throw new Error(`publish answered ${answer.status}: ${answer.text}`)
  return answer.body.job.id
}

export async function newCatalog(assay: AssayProcess): Promise<string> {
  const answer = await assay.call('POST', `/api/workspace/${demo}/catalogs`, { name: 'faults' })
  if (answer.status !== 201) throw new Error(`catalogs answered ${answer.status}: ${answer.text}`)
  return answer.body.catalog.id
}

/** @param withinMs jobs that a killed process left are taken up at once; their tries wait up to 30 s each */
export async function ended(assay: AssayProcess, id: string, withinMs = 180_000): Promise<Job> {
  for (const until = Date.now() + withinMs; Date.now() < until; await sleep(100)) {
    const answer = await assay.call('GET', `/jobs/${id}`).catch(() => null)
    const job = answer?.body?.job
    if (job?.status === 'completed' || job?.status === 'failed') return job
  }
  throw new Error(`job ${id} has not ended within ${withinMs / 1000} s`)
}

type Result = 'created' | 'updated' | 'unchanged'

/** Every row has exactly one result, and the right one. @param as what its products are to the catalog */
export function ledgerFaults({ status, result, error }: Job, file: SupplierFile, as: Result): string[] {
  if (status !== 'completed' || result === null) return [`the import is ${status}: ${JSON.stringify(error)}`]
  const { duplicate, rejected } = file.counts
  const right = {
    read: file.rows,
    duplicate,
    rejected,
    created: 0,
    updated: 0,
    unchanged: 0,
    [as]: file.products.length,
  }
  return Object.entries(right).flatMap(([name, n]) =>
    result[name] === n ? [] : [`${name} is ${String(result[name])}, right is ${n}`],
  )
}

interface Stored {
  readonly sku: string
  readonly title: string
  readonly price: string
  readonly gtin: string
  readonly scores: number
}

const productSql = `
  select p.sku, p.title, p.refined->>'price' as price, p.gtin,
         (select count(*)::int from product_score s where s.catalog_id = p.catalog_id and s.product_id = p.product_id) as scores
    from products p where p.catalog_id = $1 and p.alive order by p.sku`

const outcomeSql = `
  select count(*)::int as rows, (count(*) - count(distinct (epoch, partition, first_seq)))::int as repeated,
         sum(created + updated + unchanged + duplicate + rejected)::int as results
    from import_outcome where import_id = $1`

const seqSql = `
  select (select appended_seq + 1 from import where import_id = $1)::int as appended,
         (select sum((value->>'to')::bigint) from (select 1) one, lateral (
            select jsonb_build_object('to', (t.value::bigint - f.value::bigint)) as value
              from import i, jsonb_array_elements_text(i.offsets->'to') with ordinality t,
                   jsonb_array_elements_text(i.offsets->'from') with ordinality f
             where i.import_id = $1 and t.ordinality = f.ordinality and t.value is not null) parts)::int as records`

/**
 * Products, scores, outcomes and log hold the file once: nothing lost, nothing twice, every value right.
 * @param sentAgain records may stand twice on the log, and still have one effect
 */
export async function storeFaults(
  url: string,
  catalog: string,
  importId: string,
  file: SupplierFile,
  sentAgain = false,
): Promise<string[]> {
  const client = await connect(url)
  try {
    const faults: string[] = []
    const { rows: stored } = await client.query<Stored>(productSql, [catalog])
    if (stored.length !== file.products.length)
      faults.push(`${stored.length} products, right are ${file.products.length}`)
    const bySku = new Map(stored.map((row) => [row.sku, row]))
    for (const { sku, title, price, gtin } of file.products) {
      const row = bySku.get(sku)
      if (!row) faults.push(`${sku} is lost`)
      else if (row.title !== title || row.price !== price || row.gtin !== gtin)
        faults.push(`${sku} is ${JSON.stringify(row)}`)
      else if (row.scores !== 1) faults.push(`${sku} has ${row.scores} scores`)
    }
    const [outcome] = (await client.query<{ rows: number; repeated: number; results: number }>(outcomeSql, [importId]))
      .rows
    if (outcome?.results !== file.rows) faults.push(`${outcome?.results} results, right are ${file.rows}`)
    if (outcome?.repeated !== 0) faults.push(`${outcome?.repeated} outcomes stand twice`)
    const [log] = (await client.query<{ records: number }>(seqSql, [importId])).rows
    if (!sentAgain && log?.records !== file.products.length)
      faults.push(`${log?.records} records on the log, right are ${file.products.length}`)
    return faults.slice(0, 10)
  } finally {
    await client.end()
  }
}

/** The feed has each product on one line. */
export async function feedFaults(assay: AssayProcess, catalog: string, file: SupplierFile): Promise<string[]> {
  const answer = await assay.call('GET', `/api/mcp/feed/google?catalog_id=${catalog}`)
  const ids = answer.text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).id as string)
  const right = file.products.length
  return ids.length === right && new Set(ids).size === right
    ? []
    : [
        `${ids.length} lines of ${new Set(ids).size} products in the feed, right are ${right}: ${answer.text.slice(0, 200)}`,
      ]
}

// biome-ignore lint/suspicious/noExplicitAny: the caller knows its own columns
type Row = any

/** Looks at a job's row again and again, in the database itself, so that a moment between two requests can be met. */
export async function until(ground: AssayFolder, sql: string, job: string, met: (row: Row) => boolean): Promise<void> {
  const client = await connect(await ground.databaseUrl())
  try {
    for (;;) {
      const { rows } = await client.query(sql, [job])
      if (rows[0] && met(rows[0])) return
      await sleep(4)
    }
  } finally {
    await client.end()
  }
}
