/** What the real files are worth, file by file: bands, mean, readiness and the gaps that cost most, as lines to read. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pageCells } from '../../ingest/page/page-cells.ts'
import { readPage } from '../../ingest/page/read-page.ts'
import { platforms } from '../../schemas/feeds/registry.ts'
import { bands, feedReadyFrom } from '../../schemas/score.ts'
import type { GoldResult } from '../../serving/workspace/gold.ts'
import type { Running } from '../running.ts'
import { realPath } from './expected-figures.ts'

export interface Graded {
  readonly file: string
  readonly line: string
  /** SKU or title of what has a score below the line of feed-readiness, with what it lacks most. */
  readonly below: readonly string[]
}

const shownGaps = 4

/** All but the reference tables, in order. */
export async function productFiles(): Promise<string[]> {
  const folders = await readdir(realPath(''), { withFileTypes: true })
  const files: string[] = []
  for (const folder of folders) {
    if (!folder.isDirectory() || folder.name === 'reference') continue
    for (const name of await readdir(realPath(folder.name))) files.push(join(folder.name, name))
  }
  return files.sort()
}

export async function gradeFile(assay: Running, file: string): Promise<Graded> {
  const bytes = await bytesOf(file)
  if (typeof bytes === 'string') return { file, line: `no product: ${bytes}`, below: [] }
  const catalog = await assay.newCatalog(file)
  const { status, error } = await assay.ingest(catalog, bytes)
  if (status !== 'completed') return { file, line: `not imported: ${error?.code}`, below: [] }
  return gradeCatalog(assay, file, catalog)
}

/** @param catalog in which the file's products are, and no others */
export async function gradeCatalog(assay: Running, file: string, catalog: string): Promise<Graded> {
  const base = `/api/workspace/${assay.workspace}/catalogs/${catalog}`
  const { results, catalogSummary } = (await assay.call('POST', `${base}/batch/gold`, { scope: 'all' })).body
  const { avgScore, scoreDistribution, topGaps } = catalogSummary
  const { rows } = await assay.system.catalog.pipeline.query<{ valid: number; n: number }>(
    'select valid, count(*)::int as n from product_score where catalog_id = $1 group by valid',
    [catalog],
  )
  const taken = platforms.map(({ platform, bit }) => {
    const count = rows.reduce((sum, { valid, n }) => (valid & bit ? sum + n : sum), 0)
    return `${platform} ${count}`
  })
  const shown = [
    `${results.length} graded, average ${avgScore.toFixed(2)}`,
    bands.map((band) => `${band} ${scoreDistribution[band]}`).join(', '),
    `taken by ${taken.join(', ')}`,
    `gaps ${topGaps.slice(0, shownGaps).join(', ')}`,
  ]
  return { file, line: shown.join(' | '), below: await below(assay, results) }
}

/** A page is imported as the one row that it makes. @returns the reason where it makes none */
async function bytesOf(file: string): Promise<Buffer | string> {
  const bytes = await readFile(realPath(file))
  if (!file.startsWith('html/')) return bytes
  const reading = readPage(bytes.toString(), `https://shop.example.test/${file}`)
  if (reading.failed) return reading.failed.code
  const { cells } = pageCells(reading)
  return Buffer.from(`${JSON.stringify(cells)}\n`)
}

async function below(assay: Running, results: readonly GoldResult[]): Promise<string[]> {
  const low = results.filter(({ score = 100 }) => score < feedReadyFrom)
  const { rows } = await assay.system.catalog.pipeline.query<{ id: string; name: string }>(
    'select product_id as id, coalesce(sku, title, $2) as name from products where product_id = any ($1::uuid[])',
    [low.map(({ productId }) => productId), 'neither SKU nor title'],
  )
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return low
    .map(
      ({ productId, score, missingFields = [] }) =>
        `${names.get(productId)} ${score}: without ${missingFields.slice(0, 6).join(', ')}`,
    )
    .sort()
}
