/** `npm run bench search [products] [questions]`: searches over a published catalog, with and without facets, popularity, 20,000 synonyms and 2,000 rules, and recommendations from it, beside plain full text search of Postgres. */
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import pino from 'pino'
import { copyRows } from '../../infra/catalog/copy.ts'
import { inTransaction } from '../../infra/catalog/in-transaction.ts'
import { productColumns, scoreColumns } from '../../infra/catalog/product-columns.ts'
import { beginPublish, findPublish, flip, type PublishRow } from '../../infra/catalog/publish.ts'
import { buildChunk } from '../../infra/catalog/publish-chunk.ts'
import { indexVersion } from '../../infra/catalog/search-index.ts'
import { writeRule } from '../../infra/catalog/search-rule-queries.ts'
import { writeSynonyms } from '../../infra/catalog/synonym-queries.ts'
import { ensureWorkspace, insertCatalog } from '../../infra/catalog/tenants.ts'
import { table } from '../../infra/cli/table.ts'
import { readConfig } from '../../infra/config.ts'
import { segmentMaker } from '../../infra/system/segment-maker.ts'
import { serverPorts } from '../../infra/system/server-ports.ts'
import { openSystem } from '../../infra/system.ts'
import { ruleContent } from '../../schemas/search-rule.ts'
import { rates } from '../../serving/plugins/limits.ts'
import { buildServer } from '../../serving/server.ts'
import { synonymKey } from '../../transforms/search/apply-synonyms.ts'
import { ruleKeys } from '../../transforms/search/rule-keys.ts'
import { searchCatalog } from './search-catalog.ts'
import { popularize, recommendations } from './search-popularity.ts'
import { got, timed } from './timed.ts'

const workspace = 'ws_bench'
const facets = 'brand,category,price,attributes.color'
const never = new AbortController().signal

export interface SearchFigures {
  readonly indexMs: number
  readonly publishMs: number
  readonly indexBytes: number
  readonly runs: readonly {
    readonly name: string
    readonly ms: readonly number[]
    readonly perSecond: number | null
    /** Of this process, for each question. */
    readonly cpuMs: number | null
  }[]
}

export async function searchBench(args: string[]): Promise<void> {
  const size = Number(args[0] ?? 1_000_000)
  const figures = await measureSearch(size, Number(args[1] ?? 1_000))
  const { publishMs, indexMs, indexBytes, runs } = figures
  process.stdout.write(
    `${size} products: written for the version in ${Math.round(publishMs)} ms, indexed in ${Math.round(indexMs)} ms (${Math.round(size / (indexMs / 1_000))} a second), index ${Math.round(indexBytes / 1e6)} MB\n`,
  )
  process.stdout.write(
    `${table([
      ['', 'questions', 'p50', 'p95', 'p99', 'a second', 'CPU each'],
      ...runs.map(({ name, ms, perSecond, cpuMs }) => [
        name,
        ms.length,
        ...[0.5, 0.95, 0.99].map((share) => `${quantile(ms, share).toFixed(1)} ms`),
        perSecond === null ? '' : Math.round(perSecond),
        cpuMs === null ? '' : `${cpuMs.toFixed(1)} ms`,
      ]),
    ])}\n`,
  )
}

export const quantile = (ms: readonly number[], share: number): number =>
  [...ms].sort((a, b) => a - b)[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? 0

export async function measureSearch(size: number, questions: number): Promise<SearchFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  await chmod(folder, 0o711)
  const config = readConfig({ ASSAY_DATA: folder })
  const system = await openSystem(config, pino({ level: 'silent' }), { roles: ['api'], alone: true })
  const ports = serverPorts(system)
  const unlimited = Object.fromEntries(Object.keys(rates).map((name) => [name, []]))
  const app = await buildServer({ ...ports, limits: { ...ports.limits, rates: unlimited }, logger: null })
  const pool = system.catalog.pipeline
  try {
    const place = await fill(pool, size)
    const timed = await publish(pool, place)
    const indexBytes = await bytesOf(pool)
    const runs: SearchFigures['runs'][number][] = []
    const run = async (name: string, more: Record<string, string>) => {
      runs.push({ name, ...(await askAll(app, place.brand, size, questions, more)) })
      process.stderr.write(`${name}\n`)
    }
    await run('cold and warming', { facets })
    await run('without facets', {})
    await run('with facets', { facets })
    process.stderr.write(`popularity: ${Math.round(await popularize(pool, { workspace, ...place }))} ms\n`)
    await run('without facets, with popularity', {})
    const recommended = await recommendations(system, app, { workspace, ...place }, questions)
    for (const [name, figures] of recommended) runs.push({ name, ...figures })
    await synonyms(pool, place)
    // What synonyms add to the words of a question was never asked for before.
    await run('synonyms, warming', { facets })
    await run('20,000 synonyms', {})
    await run('20,000 synonyms and facets', { facets })
    await rules(pool, place)
    await run('and 2,000 rules', {})
    await run('and 2,000 rules and facets', { facets })
    runs.push(...(await plainly(pool, place, size, Math.min(questions, 100))))
    return { ...timed, indexBytes, runs }
  } finally {
    await app.close()
    await system.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Place {
  readonly catalog: string
  readonly brand: string
}

async function fill(pool: Pool, size: number): Promise<Place> {
  await ensureWorkspace(pool, workspace, 'Bench')
  const brands = await pool.query<{ id: string }>('select brand_id as id from brand where workspace_id = $1', [
    workspace,
  ])
  const brand = brands.rows[0]?.id ?? ''
  const made = { workspace, brand, name: 'bench', isDefault: false, autoPublish: 'off', by: 'bench' } as const
  const { id: catalog } = await insertCatalog(pool, made)
  const { product } = searchCatalog(1)
  const now = Date.now()
  for (let from = 0; from < size; from += 50_000) {
    const ids = Array.from({ length: Math.min(50_000, size - from) }, () => randomUUID())
    await inTransaction(pool, async (tx) => {
      await copyRows(
        tx,
        'products',
        saidColumns,
        (function* () {
          for (const [i, id] of ids.entries()) {
            const refined = product(from + i)
            yield [
              catalog,
              id,
              workspace,
              brand,
              'single',
              'gold',
              1,
              id.replaceAll('-', ''),
              refined.sku,
              refined.title,
              true,
              id.replaceAll('-', ''),
              1,
              now - i,
              now - i,
              refined,
              Buffer.alloc(0),
            ]
          }
        })(),
      )
      await copyRows(
        tx,
        'product_score',
        scoreColumns,
        (function* () {
          for (const [i, id] of ids.entries())
            yield [
              catalog,
              id,
              workspace,
              brand,
              ...Array.from({ length: 7 }, (_, k) => ((i * 37 + k * 11) % 60) * 100 + 4_000),
              Buffer.alloc(0),
              1,
              1,
              now,
            ]
        })(),
      )
      for (let at = 0; at < ids.length; at += 2_500)
        await tx.query('insert into dirty (catalog_id, product_ids) values ($1, $2::uuid[])', [
          catalog,
          ids.slice(at, at + 2_500),
        ])
    })
    process.stderr.write(`\r${Math.min(size, from + 50_000)} products`)
  }
  await pool.query('analyze; checkpoint')
  process.stderr.write('\n')
  return { catalog, brand }
}

/** Nothing that is measured reads the others. */
const unsaid = new Set(['family_id', 'gtin', 'price_minor', 'currency', 'availability', 'created_by'])
const saidColumns = productColumns.filter(({ name }) => !unsaid.has(name))

/** The steps of the job, each timed by itself. */
async function publish(pool: Pool, { catalog }: Place): Promise<{ publishMs: number; indexMs: number }> {
  const job = randomUUID()
  await inTransaction(pool, (tx) => beginPublish(tx, catalog, job, 'bench', null))
  const row = (await findPublish(pool, job)) as PublishRow
  const began = performance.now()
  let at = row.builtTo
  for (let next: number | null = at; next !== null; next = await buildChunk(pool, row, at)) at = next
  const written = performance.now()
  await indexVersion(pool, row, segmentMaker, never)
  const indexed = performance.now()
  await flip(pool, row, at, async () => {})
  process.stderr.write('published and indexed\n')
  return { publishMs: written - began, indexMs: indexed - written }
}

async function bytesOf(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(t::regclass))::bigint as bytes from unnest(array['search_segment', 'search_column', 'search_posting', 'search_document', 'search_word']) t`,
  )
  return rows[0]?.bytes ?? 0
}

async function synonyms(pool: Pool, { brand }: Place): Promise<void> {
  const { languages } = searchCatalog(1)
  const words = languages.flatMap(({ words }) => words.slice(0, 8_000))
  const all = Array.from({ length: 20_000 }, (_, i) => {
    const pair = [words[i * 2] as string, words[i * 2 + 1] as string]
    return { id: randomUUID(), locale: null, term: null, words: pair, keys: pair.map(synonymKey) }
  })
  await inTransaction(pool, (tx) => writeSynonyms(tx, { workspace, brand, by: 'bench' }, all))
  await pool.query('analyze synonym, synonym_key')
}

/** Ten of them hold for every search, the others for one word each. */
async function rules(pool: Pool, { catalog, brand }: Place): Promise<void> {
  const found = await pool.query<{ id: string; name: string }>(
    `select product_id as id, refined ->> 'brand' as name from products where catalog_id = $1 order by product_id limit 4000`,
    [catalog],
  )
  const { languages } = searchCatalog(1)
  const words = languages.flatMap(({ words }) => words.slice(0, 2_000))
  const place = { workspace, brand, by: 'bench' }
  const own = { name: null, catalog: null, locale: null, enabled: true, priority: 0, startsAt: null, endsAt: null }
  const row = (i: number) => found.rows[i % found.rows.length] as { id: string; name: string }
  await inTransaction(pool, async (tx) => {
    for (let i = 0; i < 2_000; i++) {
      const { id, name } = row(i)
      const content = ruleContent.parse({
        when: { queries: i < 10 ? [] : [words[i]] },
        ...(i < 10
          ? { hide: [{ products: [id, row(i + 10).id] }] }
          : { pins: [{ product: id, position: 1 }], boosts: [{ brands: [name || 'x'], steps: 3 }] }),
      })
      await writeRule(tx, place, { id: randomUUID(), ...own, content }, ruleKeys(content.when))
    }
  })
  await pool.query('analyze search_rule, search_rule_key')
}

function askAll(app: FastifyInstance, brand: string, size: number, n: number, more: Record<string, string>) {
  const { question } = searchCatalog(7)
  const asked = Array.from({ length: n }, () => question(size))
  return timed(asked, ({ query }) =>
    got(app, `/api/search?${new URLSearchParams({ brand_id: brand, ...query, ...more })}`),
  )
}

/** As most people would write it: one column, one index, the best twenty by ts_rank, and how many there are. */
async function plainly(pool: Pool, { catalog }: Place, size: number, n: number) {
  await pool.query(`create table plain_search as
    select product_id, content #>> '{product,brand}' as brand, to_tsvector('simple', concat_ws(' ', content #>> '{product,title}', content #>> '{product,brand}',
      content #>> '{product,sku}', content #>> '{product,description}')) as text from published where catalog_id = '${catalog}'`)
  await pool.query('create index on plain_search using gin (text)')
  await pool.query('analyze plain_search')
  const { question } = searchCatalog(7)
  const asked = Array.from({ length: n }, () => question(size).query.q ?? '')
  const [ms, withFacets]: [number[], number[]] = [[], []]
  for (const q of asked) {
    const began = performance.now()
    await pool.query(
      `select product_id from plain_search, plainto_tsquery('simple', $1) q where text @@ q order by ts_rank(text, q) desc limit 20`,
      [q],
    )
    await pool.query(`select count(*) from plain_search where text @@ plainto_tsquery('simple', $1)`, [q])
    ms.push(performance.now() - began)
    await pool.query(
      `select brand, count(*) from plain_search where text @@ plainto_tsquery('simple', $1) group by 1 order by 2 desc limit 50`,
      [q],
    )
    withFacets.push(performance.now() - began)
  }
  return [
    { name: 'plain Postgres, ts_rank', ms, perSecond: null, cpuMs: null },
    { name: 'plain Postgres and one facet', ms: withFacets, perSecond: null, cpuMs: null },
  ]
}
