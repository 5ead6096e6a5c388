/** The demonstration: our own messy supplier file is ingested and published once, and the start tells what it is worth. */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { summaryBuilder } from '../../transforms/gold/summary.ts'
import { brandNamed } from '../catalog/brands.ts'
import { findJob } from '../catalog/job-table.ts'
import { countProducts } from '../catalog/product-queries.ts'
import { streamScores } from '../catalog/score-queries.ts'
import { findSettings } from '../catalog/settings.ts'
import { defaultCatalog, setAutoPublish } from '../catalog/tenants.ts'
import type { System } from '../system.ts'
import { grouped, progressLine } from './progress.ts'
import { table } from './table.ts'

export const demoWorkspace = 'ws_demo'
const principal = { workspaceId: demoWorkspace, brandIds: '*' } as const
const sampleFile = join(import.meta.dirname, '../../ingest/sample/rheingold-home.csv')

async function demoCatalog({ catalog }: System) {
  return catalog.withTenant(principal, async (tx) => {
    const brand = await brandNamed(tx, demoWorkspace, 'main')
    const row = brand === null ? null : await defaultCatalog(tx, brand)
    if (!row) throw new Error('the demonstration catalog is gone')
    return row
  })
}

/** The sample's import, which an earlier start may have been cut off in; and whether the catalog has anything else. */
const beforeSql = `
  select (select job_id from import where catalog_id = $1 and created_by = 'assay' order by created_at limit 1) as job,
         exists (select from import where catalog_id = $1) or exists (select from products where catalog_id = $1) as used`

const failedSql = `select from job where catalog_id = $1 and status = 'failed'`

/**
 * Imports the sample into a catalog that was never used, and follows it to its first published version whenever it has none yet.
 * @returns whether there was anything to do
 */
export async function ingestSample(system: System, signal: AbortSignal): Promise<boolean> {
  const { id, brandId, publishedVersion } = await demoCatalog(system)
  const pool = system.catalog.pipeline
  const { rows } = await pool.query<{ job: string | null; used: boolean }>(beforeSql, [id])
  let job = rows[0]?.job ?? null
  if (publishedVersion > 0 || (job === null && rows[0]?.used)) return false
  if (job === null) {
    await setAutoPublish(pool, id, 'after_gold')
    const offer = { workspace: demoWorkspace, brand: brandId, catalog: id, by: 'assay', fileName: 'rheingold-home.csv' }
    const body = createReadStream(sampleFile)
    job = await system.imports.accept({ ...offer, kind: undefined, source: 'Rheingold Home', map: [], body })
  }
  const line = progressLine('Sample catalog', 'rows')
  while (!signal.aborted) {
    const state = await findJob(pool, job)
    if (!state || (await pool.query(failedSql, [id])).rowCount) break
    line.show(state.done, state.total)
    if (state.status === 'completed' && (await demoCatalog(system)).publishedVersion > 0) break
    await sleep(100)
  }
  line.end()
  return true
}

/** Bands, average, the dearest gaps, and what to paste next. */
export async function tellStart(system: System, address: string, changed: boolean): Promise<void> {
  const { id, publishedVersion } = await demoCatalog(system)
  const out = (text: string) => void process.stdout.write(`${text}\n`)
  out(`\nAssay listens on ${address}${changed ? '' : ' — everything is as you left it; nothing was changed'}`)
  const settings = await findSettings(system.catalog.pipeline, demoWorkspace)
  if (settings) {
    const summary = summaryBuilder(settings.weights)
    for await (const page of streamScores(system.catalog, principal, id))
      for (const { points, sub } of page) summary.add(points, sub)
    const { products, variants } = await system.catalog.withTenant(principal, (tx) => countProducts(tx, id))
    const { avgScore, scoreDistribution, pricedGaps } = summary.result()
    out(`${grouped(products)} products, ${grouped(variants)} variants, published as version ${publishedVersion}\n`)
    out(
      table(
        Object.entries(scoreDistribution).map(([band, n]) => [
          band,
          n,
          '█'.repeat(Math.ceil((n / Math.max(variants, 1)) * 40)),
        ]),
      ),
    )
    out(`average score ${avgScore}\n`)
    const dear = pricedGaps
      .slice(0, 5)
      .map(({ field, products: n, points }) => [field, n, 'products', `+${(points / 100).toFixed(2)} points each`])
    if (dear.length > 0) out(`The five dearest gaps\n${table(dear)}\n`)
  }
  out(`export ASSAY_URL=${address}`)
  out(`export ASSAY_TOKEN=${await demoToken(system)}`)
  out(
    `curl -s -H "Authorization: Bearer $ASSAY_TOKEN" "$ASSAY_URL/api/workspace/${demoWorkspace}/catalog/products?limit=2"`,
  )
  out(
    `curl -s -H "Authorization: Bearer $ASSAY_TOKEN" -H "Accept: application/x-ndjson" "$ASSAY_URL/api/mcp/feed/google" | head -3`,
  )
  out(
    `curl -s -X POST -H "Authorization: Bearer $ASSAY_TOKEN" -H "Content-Type: application/json" -d '{"scope":"all"}' "$ASSAY_URL/api/workspace/${demoWorkspace}/catalogs/${id}/batch/gold"`,
  )
  out('npm run assay -- ingest your-file.csv\n')
}

/** Where the local issuer is off, tokens come from the identity provider, for the members of the workspace. */
async function demoToken({ config, tokens }: System): Promise<string> {
  if (!config.localIssuer) return "'<a token of your identity provider, or an API key>'"
  const claims = { subject: 'local:admin', workspace: demoWorkspace, role: 'admin', brand: null, scope: '' } as const
  return tokens.sign(claims, 30 * 24 * 3600)
}
