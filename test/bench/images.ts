/** `npm run bench images [images] [hosts]`: a check of all images of a catalog, over hosts of which each is asked for one at a time: rate, memory, and what was found. */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { progressLine } from '../../infra/cli/progress.ts'
import { table } from '../../infra/cli/table.ts'
import { drawn } from '../ingest/images/drawn.ts'
import { caller, onlyCatalog, startJob } from './caller.ts'
import { followJob, importFile } from './import-file.ts'
import { watchMemory } from './node-memory.ts'
import { serveForBench } from './serving.ts'

/** Each is left alone for a tenth of a second between two images: how many hosts there are bounds the rate. */
const usualHosts = 16
/** Of a product: as many as most shops show. */
const each = 5
const pictures = 64
/** One of so many is not there. */
const goneOf = 500

export async function imagesBench(args: string[]): Promise<void> {
  const images = Number(args[0] ?? 500_000)
  const hosts = Array.from({ length: Number(args[1] ?? usualHosts) }, (_, i) => `127.0.0.${i + 1}`)
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-file-'))
  const shop = await openShop(hosts)
  const server = await serveForBench({ ASSAY_WORKSPACE_RATE: '1000000', ASSAY_EGRESS_ALLOW: hosts.join(',') })
  const memory = watchMemory(server.pid)
  const call = caller(server)
  try {
    const file = join(folder, 'catalog.csv')
    await writeImages(file, Math.ceil(images / each), shop.addressOf)
    await importFile(server.url, server.token, file)
    const catalog = await onlyCatalog(call)
    memory.take()
    const began = performance.now()
    const job = await startJob(call, `/catalogs/${catalog}/checks/images`)
    const result = await followJob(server.url, server.token, job, progressLine('check', 'images'))
    const seconds = (performance.now() - began) / 1_000
    const resident = Math.round((memory.take().get('server') ?? 0) / 1e6)
    const { asked, most } = shop.seen()
    process.stdout.write(
      `${table([
        ['images', 'hosts', 'seconds', 'images/s', 'asked for', 'at once of a host', 'server MB'],
        [images, hosts.length, seconds.toFixed(1), Math.round(images / seconds), asked, most, resident],
      ])}\n${JSON.stringify(result)}\n`,
    )
  } finally {
    memory.stop()
    await server.close()
    await shop.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function openShop(hosts: readonly string[]) {
  const drawings = await Promise.all(Array.from({ length: pictures }, (_, i) => drawn(i + 1, 300)))
  let asked = 0
  let most = 0
  const answer = (): RequestListener => {
    let now = 0
    return (request, reply) => {
      const n = Number(/^\/(\d+)\.jpg$/.exec(request.url ?? '')?.[1] ?? Number.NaN)
      most = Math.max(most, ++now)
      reply.on('close', () => now--)
      if (!Number.isNaN(n)) asked++
      if (Number.isNaN(n) || n % goneOf === 0) reply.writeHead(404).end()
      else reply.setHeader('content-type', 'image/jpeg').end(drawings[n % pictures])
    }
  }
  const servers = hosts.map((host) => createServer(answer()).listen(0, host))
  await Promise.all(servers.map((one) => new Promise((resolve) => one.once('listening', resolve))))
  const ports = servers.map((one) => (one.address() as { port: number }).port)
  return {
    addressOf: (n: number) => `http://${hosts[n % hosts.length]}:${ports[n % ports.length]}/${n}.jpg`,
    seen: () => ({ asked, most }),
    close: () => Promise.all(servers.map((one) => new Promise((resolve) => one.close(resolve)))),
  }
}

async function writeImages(path: string, products: number, addressOf: (n: number) => string): Promise<void> {
  function* lines() {
    yield 'sku,title,price,currency,images\n'
    for (let p = 0; p < products; p++) {
      const list = Array.from({ length: each }, (_, i) => addressOf(p * each + i))
      yield `IMG-${p},"Enamel mug ${p}",12.50,EUR,"${list.join(' | ')}"\n`
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path))
}
