/** `npm run bench http`: authenticated product reads a second, beside a bare Fastify route that has the same bytes in memory and one that asks the bare SQL query, in turn in one run. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { findProductSql } from '../../infra/catalog/product-queries.ts'
import { table } from '../../infra/cli/table.ts'
import { childEnvironment } from '../child-environment.ts'
import { type Rate, requests } from './requests.ts'
import { listening, serveForBench } from './serving.ts'

const load = { connections: 32, seconds: 4 }
const rounds = 3

/** A real one has a few hundred characters of text and some images. */
const product = {
  title: 'Enamelled mug, 350 ml, midnight blue with a white rim',
  price: 12.5,
  currency: 'EUR',
  brand: 'Rheingold',
  description: 'Steel with two coats of enamel, fired at 820 degrees. '.repeat(12),
  sku: 'MUG-350-BLUE',
  gtin: '4006381333931',
  availability: 'in_stock',
  category_path: ['Home', 'Kitchen', 'Mugs'],
  image_urls: Array.from({ length: 5 }, (_, i) => `https://shop.example/images/mug-350-blue-${i}.jpg`),
  attributes: { capacity: '350 ml', dishwasher: 'yes' },
}

export async function httpBench(): Promise<void> {
  const assay = await serveForBench({ ASSAY_WORKSPACE_RATE: '100000000' })
  try {
    const headers = { authorization: `Bearer ${assay.token}` }
    const base = `${assay.url}/api/workspace/ws_demo/catalog/products`
    const made = await fetch(base, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(product),
    })
    const { id } = ((await made.json()) as { product: { id: string } }).product
    const bytes = await (await fetch(`${base}/${id}`, { headers })).text()
    const bare = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...childEnvironment,
        BENCH_BYTES: bytes,
        BENCH_DATABASE: assay.databaseUrl,
        BENCH_SQL: findProductSql.replace('alive = $2', 'alive'),
        BENCH_ID: id,
      },
    })
    const bareUrl = await listening(bare.stdout, /listens on (http:\S+)/)
    const routes = [
      ['bare Fastify, from memory', `${bareUrl}/memory/${id}`],
      ['bare SQL query', `${bareUrl}/sql/${id}`],
      ['bare SQL query, prepared', `${bareUrl}/prepared/${id}`],
      ['Assay, authenticated', `${base}/${id}`],
    ] as const
    const seen = new Map<string, Rate[]>(routes.map(([name]) => [name, []]))
    for (const [, url] of routes) await requests(url, { ...load, headers, seconds: 2 })
    for (let round = 0; round < rounds; round++)
      for (const [name, url] of routes) seen.get(name)?.push(await requests(url, { ...load, headers }))
    bare.kill('SIGINT')
    await once(bare, 'exit')
    const middle = (name: string) => seen.get(name)?.toSorted((a, b) => a.perSecond - b.perSecond)[rounds >> 1]
    const lines = routes.map(([name]) => {
      const rate = middle(name)
      return [name, `${Math.round(rate?.perSecond ?? 0)}/s`, rate?.p50Ms.toFixed(1) ?? '', rate?.p95Ms.toFixed(1) ?? '']
    })
    process.stdout.write(
      `${bytes.length} bytes an answer, ${load.connections} connections, middle of ${rounds} rounds\n`,
    )
    process.stdout.write(`${table([['route', 'requests', 'p50 ms', 'p95 ms'], ...lines])}\n`)
    const ratio = (name: string) =>
      ((middle('Assay, authenticated')?.perSecond ?? 0) / (middle(name)?.perSecond ?? 1)).toFixed(2)
    process.stdout.write(
      `ratio ${ratio('bare SQL query')}, to the prepared query ${ratio('bare SQL query, prepared')}\n`,
    )
  } finally {
    await assay.close()
  }
}
