/** `npm run bench duplicates [products]`: duplicates found in a tenth of the catalog and in the whole: time a product must not grow, and of planted twins all and no others are found. */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { connect } from '../../infra/catalog/postgres.ts'
import { progressLine } from '../../infra/cli/progress.ts'
import { table } from '../../infra/cli/table.ts'
import { caller, onlyCatalog, startJob } from './caller.ts'
import { catalogRows } from './catalog-file.ts'
import { followJob, importFile } from './import-file.ts'
import { watchMemory } from './node-memory.ts'
import { serveForBench } from './serving.ts'

/** One of so many products comes a second time, under another SKU. */
const oneOf = 100
/** Quadratic cost would make ten times the products cost ten times as much each. */
const growthBar = 2

export async function duplicatesBench(args: string[]): Promise<void> {
  const products = Number(args[0] ?? 1_000_000)
  const seen = [await look(Math.ceil(products / 10)), await look(products)]
  const [small, large] = seen.map(({ seconds, products }) => (seconds / products) * 1e6)
  process.stdout.write(
    `${table([
      ['products', 'import, s', 'then looked through, s', 'µs each', 'planted', 'found', 'others', 'server MB'],
      ...seen.map((one) => [
        ...[one.products, one.imported.toFixed(1), one.seconds.toFixed(1)],
        ...[((one.seconds / one.products) * 1e6).toFixed(0), one.planted, one.found, one.others, one.resident],
      ]),
    ])}\n`,
  )
  const growth = (large ?? 0) / (small ?? 1)
  process.stdout.write(
    `ten times the products, time each ${growth.toFixed(2)} of it; bar, at most ${growthBar}: ${growth <= growthBar ? 'met' : 'missed'}\n`,
  )
}

async function look(count: number) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-file-'))
  const server = await serveForBench({ ASSAY_WORKSPACE_RATE: '1000000' })
  const client = await connect(server.databaseUrl)
  const memory = watchMemory(server.pid)
  const call = caller(server)
  try {
    const file = join(folder, 'catalog.csv')
    const planted = await writeTwins(file, count)
    const imported = await importFile(server.url, server.token, file)
    const catalog = await onlyCatalog(call)
    memory.take()
    const began = performance.now()
    const job = await startJob(call, `/catalogs/${catalog}/duplicates`)
    await followJob(server.url, server.token, job, progressLine('look', 'products'))
    const seconds = (performance.now() - began) / 1_000
    const { rows } = await client.query<{ found: number; others: number }>(pairsSql, [catalog])
    const resident = Math.round((memory.take().get('server') ?? 0) / 1e6)
    return { products: count, imported, seconds, planted, resident, ...(rows[0] ?? { found: 0, others: 0 }) }
  } finally {
    memory.stop()
    await client.end()
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A group is right where it is one product and its twin. */
const pairsSql = `
  with groups as (
    select array_agg(right(p.sku, 8)) as numbers, count(*) filter (where p.sku like 'TWIN-%') as twins, count(*) as members
      from duplicate_member m join products p on p.catalog_id = m.catalog_id and p.product_id = m.product_id
     where m.catalog_id = $1 group by m.group_id)
  select (count(*) filter (where members = 2 and twins = 1 and numbers[1] = numbers[2]))::int as found,
         (count(*) filter (where not (members = 2 and twins = 1 and numbers[1] = numbers[2])))::int as others from groups`

const columns = ['sku', 'title', 'description', 'brand', 'category', 'price', 'currency']
/** Their places among the columns of the catalog file; without GTIN and link, by which a twin would be no second product. */
const places = [0, 2, 3, 4, 5, 6, 7]

/** @returns how many twins stand in it */
async function writeTwins(path: string, count: number): Promise<number> {
  let planted = 0
  const lineOf = (cells: readonly string[]) => `${cells.map((cell) => `"${cell}"`).join(',')}\n`
  function* lines() {
    yield `${columns.join(',')}\n`
    const twins = Math.floor(count / (oneOf + 1))
    let written = 0
    for (const page of catalogRows(count - twins))
      yield page
        .flatMap((row) => {
          const cells = places.map((place) => row[place] ?? '')
          if (written++ % oneOf !== 0 || planted === twins) return [lineOf(cells)]
          planted++
          const [sku = '', title = '', ...others] = cells
          // "Oak mug in sage, model 7" as another supplier writes it.
          const [what = '', model = ''] = title.split(', ')
          return [lineOf(cells), lineOf([`TWIN-${sku.slice(-8)}`, `${model.toUpperCase()} ${what} - NEW`, ...others])]
        })
        .join('')
  }
  await pipeline(Readable.from(lines()), createWriteStream(path))
  return planted
}
