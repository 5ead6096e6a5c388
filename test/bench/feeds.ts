/** `npm run bench feeds [products]`: lines a second of a feed in three forms beside `COPY (SELECT row_to_json …)` of the same attributes in the same run, the first line, memory, and how late an edit is with who follows. */
import { get, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { connect, copyOut } from '../../infra/catalog/postgres.ts'
import { table } from '../../infra/cli/table.ts'
import { complete } from '../schemas/feeds/complete-product.ts'
import { watchMemory } from './node-memory.ts'
import { type Serving, serveForBench, workspace } from './serving.ts'

const rounds = 3
const edits = 40
const stepRows = 100_000

interface Taken {
  readonly lines: number
  readonly bytes: number
  readonly firstMs: number
  readonly seconds: number
}

export async function feedsBench([count = '1000000']: string[]): Promise<void> {
  const size = Number(count)
  const assay = await serveForBench({ ASSAY_WORKSPACE_RATE: '100000000' })
  const client = await connect(assay.databaseUrl)
  const memory = watchMemory(assay.pid)
  const peak = () => `${Math.round((memory.take().get('server') ?? 0) / 1024 ** 2)} MB`
  try {
    const catalog = await fill(client, size)
    const read = (format: string) =>
      taken(assay, `/api/v1/feeds/google?catalog_id=${catalog}&format=${format}`, format === 'xml' ? '<item>' : '\n')
    memory.take()
    const first = await read('ndjson')
    const rows: string[][] = [['ndjson, first read: lines are made', ...shown(first, null), peak()]]
    await flatTable(client, catalog)
    const seen = new Map<string, Taken[]>()
    const peaks = new Map<string, string>()
    for (let round = 0; round < rounds; round++) {
      for (const format of ['copy', 'ndjson', 'csv', 'xml']) {
        const one = format === 'copy' ? await copied(client) : await read(format)
        if (Math.abs(one.lines - size) > 1) throw new Error(`${format} had ${one.lines} lines`)
        seen.set(format, [...(seen.get(format) ?? []), { ...one, lines: size }])
        peaks.set(format, peak())
      }
    }
    const middle = (format: string) =>
      (seen.get(format) ?? []).toSorted((a, b) => a.seconds - b.seconds)[rounds >> 1] ?? first
    const base = middle('copy')
    for (const format of ['copy', 'ndjson', 'csv', 'xml'])
      rows.push([
        format === 'copy' ? 'COPY (SELECT row_to_json …)' : format,
        ...shown(middle(format), base),
        format === 'copy' ? '' : (peaks.get(format) ?? ''),
      ])
    process.stdout.write(
      `${size} products, middle of ${rounds} rounds\n${table([['what', 'lines/s', 'MB/s', 'ratio', 'first byte', 'peak'], ...rows])}\n`,
    )
    process.stdout.write(`${await editToLine(assay)}\n`)
  } finally {
    memory.stop()
    await client.end()
    await assay.close()
  }
}

function shown({ lines, bytes, firstMs, seconds }: Taken, base: Taken | null): string[] {
  return [
    String(Math.round(lines / seconds)),
    (bytes / seconds / 1e6).toFixed(1),
    base ? (lines / seconds / (base.lines / base.seconds)).toFixed(2) : '',
    `${firstMs.toFixed(0)} ms`,
  ]
}

/** Products as a worker leaves them and their first version as a publish does, set by set. */
async function fill(client: Client, size: number): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into catalog (catalog_id, workspace_id, brand_id, name, created_by)
     select gen_random_uuid(), workspace_id, brand_id, 'bench', 'bench' from brand where workspace_id = $1 and name = 'main' returning catalog_id as id`,
    [workspace],
  )
  const id = rows[0]?.id ?? ''
  for (let from = 1; from <= size; from += stepRows) {
    await client.query(
      `insert into published (catalog_id, product_id, valid_from, workspace_id, brand_id, hash, content)
       select catalog_id, overlay(overlay(md5('bench' || n) placing '8' from 13) placing 'a' from 17)::uuid, 1, workspace_id, brand_id, decode(md5(n::text), 'hex'),
              jsonb_build_object('kind', 'single', 'family', null, 'createdAt', now(), 'updatedAt', now(), 'feedId', 'SKU-' || n, 'product',
                $2::jsonb || jsonb_build_object('sku', 'SKU-' || n, 'title', 'Oak stool ' || n, 'link', 'https://shop.example.test/p/' || n))
         from catalog, generate_series($3::int, $4::int) n where catalog_id = $1`,
      [id, JSON.stringify(complete), from, Math.min(size, from + stepRows - 1)],
    )
    process.stderr.write(`\r${Math.min(size, from + stepRows - 1)} products`)
  }
  await client.query(
    `insert into publish (catalog_id, version, workspace_id, brand_id, job_id, state, upto, added, published_at)
     select catalog_id, 1, workspace_id, brand_id, gen_random_uuid(), 'published', 0, $2, now() from catalog where catalog_id = $1`,
    [id, size],
  )
  await client.query('insert into change_cursor (catalog_id, version) values ($1, 1)', [id])
  await client.query('update catalog set published_version = 1 where catalog_id = $1', [id])
  await client.query('vacuum analyze published')
  process.stderr.write(', published\n')
  return id
}

/** The attributes of the lines as columns of a table: what a hand-written export would read. */
async function flatTable(client: Client, catalog: string): Promise<void> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(format('l ->> %L as %I', key, key), ', ') as columns from (
       select key from feed_line l join feed_config c using (config_id), json_each(l.line::json) where c.catalog_id = $1 and l.product_id = (
         select product_id from feed_line l join feed_config c using (config_id) where c.catalog_id = $1 limit 1)) k`,
    [catalog],
  )
  await client.query(
    `create unlogged table bench_flat as select ${rows[0]?.columns} from (
       select line::json as l from feed_line join feed_config c using (config_id) where c.catalog_id = '${catalog}' and ok) lines`,
  )
  for (const settle of ['vacuum analyze bench_flat', 'vacuum analyze feed_line', 'checkpoint'])
    await client.query(settle)
}

async function copied(client: Client): Promise<Taken> {
  return drained(
    () => Promise.resolve(copyOut(client, 'copy (select row_to_json(b) from bench_flat b) to stdout')),
    '\n',
  )
}

async function taken(assay: Serving, path: string, mark: string): Promise<Taken> {
  return drained(() => open(assay, path), mark)
}

/** @param mark stands once in a product's line or item: whoever counts the lines of a document is busier than who writes them */
async function drained(start: () => Promise<NodeJS.ReadableStream>, mark: string): Promise<Taken> {
  const began = performance.now()
  let [lines, bytes, firstMs] = [0, 0, 0]
  let before = ''
  for await (const chunk of (await start()) as AsyncIterable<Buffer>) {
    if (firstMs === 0) firstMs = performance.now() - began
    bytes += chunk.length
    for (let at = chunk.indexOf(mark); at >= 0; at = chunk.indexOf(mark, at + mark.length)) lines++
    if ((before + chunk.toString('latin1', 0, mark.length - 1)).includes(mark)) lines++
    before = chunk.toString('latin1', Math.max(0, chunk.length - mark.length + 1))
  }
  return { lines, bytes, firstMs, seconds: (performance.now() - began) / 1_000 }
}

function open({ url, token }: Serving, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } }, (answer) => {
      if (answer.statusCode === 200) return resolve(answer)
      answer.resume()
      reject(new Error(`${path} answered ${answer.statusCode}`))
    }).on('error', reject)
  })
}

/** From an edit that is sent to its line with who follows, by way of log, silver, gold and a version of its own. */
async function editToLine(assay: Serving): Promise<string> {
  const base = `${assay.url}/api/workspace/${workspace}`
  const headers = { authorization: `Bearer ${assay.token}`, 'content-type': 'application/json' }
  const call = async (method: string, path: string, body: unknown) => {
    const answer = await fetch(`${base}${path}`, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    // biome-ignore lint/suspicious/noExplicitAny: a benchmark knows what it asks for
    return (await answer.json()) as any
  }
  const { catalog } = await call('POST', '/catalogs', { name: 'Followed', auto_publish: 'after_gold' })
  const { product } = await call('POST', '/catalog/products', {
    ...{ catalog_id: catalog.id, sku: 'F-1', title: 'Oak stool', description: 'A sturdy stool of oiled oak.' },
    ...{ price: 79, currency: 'EUR', availability: 'in_stock', condition: 'new', brand: 'Lumo' },
    ...{ link: 'https://shop.example.test/p/1', primary_image_url: 'https://cdn.example.test/1.jpg' },
  })
  const path = `/api/v1/feeds/google?catalog_id=${catalog.id}&format=ndjson&follow=1`
  let stream: IncomingMessage | undefined
  while (!stream) stream = await open(assay, path).catch(() => sleep(200, undefined))
  const arrived = new Map<string, number>()
  createInterface({ input: stream }).on('line', (line) => arrived.set(JSON.parse(line).title, performance.now()))
  stream.on('error', () => {})
  const took: number[] = []
  for (let edit = 0; edit < edits; edit++) {
    const title = `Oak stool, edit ${edit}`
    const sent = performance.now()
    await call('PATCH', `/catalog/products/${product.id}`, { title })
    while (!arrived.has(title)) await sleep(5)
    took.push((arrived.get(title) ?? 0) - sent)
    // Not in step with the rounds of publishing.
    await sleep(Math.random() * 700)
  }
  stream.destroy()
  took.sort((a, b) => a - b)
  const at = (share: number) => Math.round(took[Math.floor(took.length * share)] ?? 0)
  return `edit to line with follow, published by itself after gold: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms of ${edits}`
}
