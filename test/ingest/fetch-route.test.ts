import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type LocalHost, localHost } from '../infra/egress/local-host.ts'
import { loopbackClothes, otherRefused } from '../infra/egress/loopback-clothes.ts'
import { type Running, startAssay, workspace } from '../running.ts'

const path = `/api/workspace/${workspace}/datasets/fetch`
const file = 'sku,title,price\nF-1,Mug,2.50\nF-2,Stool,9.00\n'
let assay: Running
let catalog: string
beforeAll(async () => {
  assay = await startAssay({ ASSAY_EGRESS_ALLOW: '127.0.0.1', ASSAY_MAX_UPLOAD_BYTES: '5000' })
  catalog = await assay.newCatalog()
})
afterAll(() => assay.close())

const open: LocalHost[] = []
afterEach(async () => {
  for (const host of open.splice(0)) await host.close()
})
async function serve(answer: RequestListener): Promise<LocalHost> {
  const host = await localHost(answer)
  open.push(host)
  return host
}
const order = (body: object) => assay.call('POST', path, { catalog_id: catalog, ...body })
async function fetched(body: object) {
  const answer = await order(body)
  expect(answer.status, answer.text).toBe(202)
  return assay.job(answer.body.job.id)
}

describe('a file at an address', () => {
  test('is imported as if it had been sent; the notes say from where, and which state of it', async () => {
    const host = await serve((_, reply) =>
      reply
        .writeHead(200, { etag: '"v7"', 'last-modified': 'Sat, 28 Nov 2026 07:00:00 GMT', 'content-encoding': 'gzip' })
        .end(gzipSync(file)),
    )
    const job = await fetched({ url: `${host.url}/feeds/shop.csv?token=secret`, source: 'shop', map: ['title=title'] })
    expect(job).toMatchObject({ status: 'completed', result: { read: 2, created: 2 } })
    expect(job.result.notes).toContain(
      `The file was fetched from ${host.url}/feeds/shop.csv, ETag "v7", last modified Sat, 28 Nov 2026 07:00:00 GMT`,
    )
    expect(JSON.stringify(job)).not.toContain('secret')
    const { rows } = await assay.system.catalog.pipeline.query(
      'select source, file_name as name, bytes from import where import_id = $1',
      [job.result.importId],
    )
    expect(rows).toEqual([{ source: 'file:shop', name: 'shop.csv', bytes: file.length }])
    expect((await assay.products(catalog)).map(({ sku }) => sku).sort()).toEqual(['F-1', 'F-2'])
    const again = await fetched({ url: `${host.url}/feeds/shop.csv` })
    expect(again.result).toMatchObject({ read: 2, unchanged: 2 })
  })

  test.each<[string, string, RequestListener, object?]>([
    ['http_status', '403', (_, reply) => reply.writeHead(403).end()],
    ['too_large', 'larger', (_, reply) => reply.end(`${file}${'x'.repeat(6_000)}`)],
    [
      'too_large',
      'larger',
      (_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1_000_000))),
    ],
    ['unreachable', 'connection', (_, reply) => reply.destroy()],
    [
      'refused_address',
      'cannot be fetched',
      (_, reply) => reply.writeHead(302, { location: 'http://127.0.0.2/' }).end(),
    ],
    ['no_columns', 'No column', (_, reply) => reply.end('a,b\n1,2\n')],
    ['source_name', 'A source is named', (_, reply) => reply.end(file), { source: '***' }],
  ])('fails as %s (%s), and leaves nothing', async (code, says, answer, more = {}) => {
    const into = await assay.newCatalog()
    const host = await serve(answer)
    const job = await fetched({ url: host.url, catalog_id: into, ...more })
    expect(job).toMatchObject({ status: 'failed', error: { code } })
    expect(job.error?.message).toContain(says)
    expect(await assay.products(into)).toEqual([])
  })

  test('is asked for no more once its job is cancelled', async () => {
    const host = await serve((_, reply) => void reply.write(file))
    const { body } = await order({ url: host.url })
    while (host.asked.length === 0) await new Promise((go) => setTimeout(go, 20))
    await assay.call('POST', `/api/workspace/${workspace}/jobs/${body.job.id}/cancel`)
    expect(await assay.job(body.job.id)).toMatchObject({ status: 'failed', error: { code: 'cancelled' } })
    const { rows } = await assay.system.catalog.pipeline.query('select state from import where job_id = $1', [
      body.job.id,
    ])
    expect(rows).toEqual([{ state: 'failed' }])
  })
})

describe('the order', () => {
  test('of an address that is no public one is refused with one neutral text (KF-40)', async () => {
    const strict = await startAssay()
    try {
      const into = await strict.newCatalog()
      const texts = new Set<string>()
      for (const url of [...loopbackClothes, ...otherRefused, 'http://shop.example/plain.csv']) {
        const answer = await strict.call('POST', path, { url, catalog_id: into })
        expect([answer.status, answer.body.details.field], url).toEqual([400, 'url'])
        texts.add(answer.body.details.message)
      }
      expect(texts.size).toBe(1)
    } finally {
      await strict.close()
    }
  })

  test('that maps nothing, or says what nobody knows, is refused', async () => {
    const url = 'https://shop.invalid/a.csv'
    expect((await order({ url, map: ['x'] })).body.details.field).toBe('map')
    expect((await order({ url, kind: 'doc' })).status).toBe(400)
    expect((await order({ url, more: 1 })).status).toBe(400)
    expect((await order({})).status).toBe(400)
  })
})
