import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import { profiles } from '../../../schemas/feeds/registry.ts'
import { buildServer } from '../../../serving/server.ts'
import { enough, isLong } from '../../enough.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { complete } from '../../schemas/feeds/complete-product.ts'
import { expectStandardForm } from '../envelopes.ts'

let assay: Running
let catalog: string
beforeAll(async () => {
  assay = await startAssay()
  catalog = await assay.newCatalog()
})
afterAll(() => assay.close())

const ndjson = { accept: 'application/x-ndjson' }
const feed = (query = '', headers: Record<string, string> = ndjson, platform = 'google') =>
  assay.call('GET', `/api/mcp/feed/${platform}${query}`, undefined, headers)
const nowhere = '00000000-0000-4000-8000-000000000001'

const header = 'sku,title,description,price,currency,stock,image,link,condition,parent_sku,size'
const line = (sku: string, more: { image?: string; parent?: string; size?: string } = {}) =>
  [
    sku,
    `Title of ${sku}`,
    'A description that says enough.',
    '"12,50"',
    'EUR',
    '5',
    more.image ?? `https://cdn.example.test/${sku}.jpg`,
    `https://shop.example.test/${sku}`,
    'new',
    more.parent ?? '',
    more.size ?? '',
  ].join(',')

async function published(...lines: string[]): Promise<string> {
  const made = await assay.newCatalog()
  const { result } = await assay.ingest(made, `${header}\n${lines.join('\n')}\n`)
  expect(result.rejected).toBe(0)
  await assay.publish(made)
  return made
}

describe('a published catalog', () => {
  test("200: one line a product in the platform's own attributes, and the version that all lines are of", async () => {
    const made = await published(line('F-1'), line('F-2'))
    const { status, headers, text } = await feed(`?catalog_id=${made}`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'application/x-ndjson; charset=utf-8', 'x-catalog-version': '1' })
    const lines = text
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one))
    expect(lines.sort((a, b) => a.id.localeCompare(b.id))).toMatchObject([
      { id: 'F-1', title: 'Title of F-1', price: '12.50 EUR', availability: 'in_stock', condition: 'new' },
      { id: 'F-2', link: 'https://shop.example.test/F-2', image_link: 'https://cdn.example.test/F-2.jpg' },
    ])
  })

  test('KF-23: a family is its variants with one group, its parent is no line, a single has no group', async () => {
    const made = await published(
      line('T-1'),
      line('T-1-S', { parent: 'T-1', size: 'S' }),
      line('T-1-M', { parent: 'T-1', size: 'M' }),
      line('S-9'),
    )
    const lines = (await assay.feed(made)) as { id: string; item_group_id?: string }[]
    expect(Object.fromEntries(lines.map(({ id, item_group_id }) => [id, item_group_id]))).toEqual({
      'T-1-S': 'T-1',
      'T-1-M': 'T-1',
      'S-9': undefined,
    })
    expect(lines).toHaveLength(3)
  })

  test('KF-26: one product with a broken image leaves the others in', async () => {
    const made = await published(line('P-1'), line('P-2', { image: 'htp:/broken' }), line('P-3'))
    expect((await assay.feed(made)).map(({ id }) => id).sort()).toEqual(['P-1', 'P-3'])
  })

  test('200: edits, deletions and imports show from the next publish on, and not before', async () => {
    const made = await published(line('E-1'), line('E-2'))
    const found = await assay.products(made)
    const idOf = (sku: string) => found.find((one) => one.sku === sku)?.id
    const path = `/api/workspace/${workspace}/catalog/products`
    await assay.call('PATCH', `${path}/${idOf('E-1')}`, { title: 'Changed' })
    await assay.call('DELETE', `${path}/${idOf('E-2')}`)
    expect(await assay.feed(made)).toHaveLength(2)
    await assay.publish(made)
    expect(await assay.feed(made)).toMatchObject([{ id: 'E-1', title: 'Changed' }])
  })

  test('200: q narrows the lines; control characters in it are nothing', async () => {
    const made = await published(line('Q-1'), line('Q-2'))
    const found = async (q: string) => (await feed(`?catalog_id=${made}&q=${encodeURIComponent(q)}`)).text
    expect(JSON.parse(await found('title q-1'))).toMatchObject({ id: 'Q-1' })
    expect(JSON.parse(await found('q\u0000-\u00851'))).toMatchObject({ id: 'Q-1' })
    expect(await found('nobody')).toBe('')
    expect((await found('')).split('\n')).toHaveLength(3)
  })

  test('200: an alias is the platform, a brand needs no catalog_id, HEAD has no lines', async () => {
    const catalogs = (await assay.call('GET', `/api/workspace/${workspace}/catalogs`)).body.catalogs
    const standard = catalogs.find((one: { isDefault: boolean }) => one.isDefault).id
    await assay.ingest(standard, `${header}\n${line('D-1')}\n`)
    await assay.publish(standard)
    const plain = await feed()
    expect(JSON.parse(plain.text)).toMatchObject({ id: 'D-1' })
    expect((await feed('', ndjson, 'search-shopping')).text).toBe(plain.text)
    const headers = { authorization: `Bearer ${await assay.token('viewer')}`, ...ndjson }
    const head = await assay.app.inject({ method: 'HEAD', url: '/api/mcp/feed/google', headers })
    expect({ status: head.statusCode, payload: head.payload }).toEqual({ status: 200, payload: '' })
  })
})

describe('refusals', () => {
  test('400: FEED_001 for a platform that nobody serves, naming those that are', async () => {
    for (const platform of ['nobody', 'GOOGLE', 'constructor', '__proto__']) {
      const answer = await feed('', ndjson, platform)
      expectStandardForm(answer, 400, 'FEED_001')
      expect(answer.body.error.message).toContain('google')
    }
  })

  test('400: q beyond 500 characters, counted without control characters; a catalog_id that is no UUID', async () => {
    expectStandardForm(await feed(`?q=${'x'.repeat(501)}`), 400, 'BAD_REQUEST')
    expectStandardForm(await feed(`?q=${encodeURIComponent('🧦'.repeat(501))}`), 400, 'BAD_REQUEST')
    for (const q of ['x'.repeat(500), '🧦'.repeat(500), `${'x'.repeat(500)}\u0000\u001f`]) {
      const { status } = await feed(`?catalog_id=${nowhere}&q=${encodeURIComponent(q)}`)
      expect(status).toBe(404)
    }
    for (const id of ['', 'spring', `${nowhere}0`, `${nowhere}&catalog_id=${nowhere}`])
      expectStandardForm(await feed(`?catalog_id=${id}`), 400, 'BAD_REQUEST')
  })

  test('404: FEED_002 while nothing is published, DATA_002 for a catalog that is not there', async () => {
    expectStandardForm(await feed(`?catalog_id=${catalog}`), 404, 'FEED_002')
    expectStandardForm(await feed(`?catalog_id=${nowhere}`), 404, 'DATA_002')
  })

  test('406: for a form that no feed has, naming those that it has', async () => {
    for (const accept of ['application/json', 'application/x-ndjson-seq2', 'text/csv;q=0', 'image/*']) {
      const answer = await feed('', { accept })
      expectStandardForm(answer, 406, 'BAD_REQUEST')
      expect(answer.body.error.message).toContain('application/x-ndjson')
    }
    for (const accept of ['', '*/*', 'Application/X-NDJSON', 'text/html, application/x-ndjson;q=0.5'])
      expectStandardForm(await feed(`?catalog_id=${nowhere}`, { accept }), 404, 'DATA_002')
  })
})

test('200: the platforms are listed with their aliases and versions', async () => {
  const { status, body } = await assay.call('GET', '/api/mcp/feed')
  expect(status).toBe(200)
  expect(body.platforms).toEqual(profiles.map(({ platform, version, aliases }) => ({ platform, version, aliases })))
  expect(body.platforms).toContainEqual({
    platform: 'google',
    version: expect.any(Number),
    aliases: ['search-shopping'],
  })
})

describe('a large feed', () => {
  const rows = enough(6_000, 40_000)
  /** Of some ten in which short lists are read, and fifty of the long one. */
  const mostWhileStopped = enough(6, 18)
  let large: string
  let app: FastifyInstance
  let reads = 0
  beforeAll(async () => {
    large = await assay.newCatalog()
    await fill(large, rows)
    const ports = serverPorts(assay.system)
    app = await buildServer({
      ...ports,
      logger: null,
      catalog: {
        ...ports.catalog,
        copyWithTenant: (...args) => {
          reads++
          return ports.catalog.copyWithTenant(...args)
        },
      },
    })
    // A connection of the network holds ten megabytes, wanted by nobody yet, and a socket of the system's half of one.
    await app.listen(isLong ? { port: 0, host: '127.0.0.1' } : { path: join(assay.config.dataFolder, 'feeds.sock') })
  })
  afterAll(() => app.close())

  async function open(): Promise<IncomingMessage> {
    reads = 0
    const at = app.server.address()
    const to = typeof at === 'string' ? { socketPath: at } : { port: at?.port }
    const headers = { authorization: `Bearer ${await assay.token('viewer')}`, ...ndjson }
    return new Promise((resolve, reject) => {
      get({ ...to, path: `/api/mcp/feed/google?catalog_id=${large}`, headers }, resolve).on('error', reject)
    })
  }

  async function settled(): Promise<number> {
    for (let before = -1; ; await sleep(200)) {
      if (before === reads) return reads
      before = reads
    }
  }

  test('200: every product once, in pages', async () => {
    const response = await open()
    const text = (await response.toArray()).join('')
    const ids = [...text.matchAll(/^\{"id":"([^"]+)"/gm)].map(([, id]) => id)
    expect(ids).toHaveLength(rows)
    expect(new Set(ids).size).toBe(rows)
    expect(reads).toBeGreaterThan(mostWhileStopped + 2)
  })

  test('KF-29: a reader who stops stops the reads, a publish meanwhile changes nothing of what it gets, and all of it comes', async () => {
    const response = await open()
    response.pause()
    const whileStopped = await settled()
    expect(whileStopped).toBeLessThanOrEqual(mostWhileStopped)
    await fill(large, 10, 2)
    const text = (await response.toArray()).join('')
    expect(text.split('\n').filter(Boolean)).toHaveLength(rows)
    expect(response.headers['x-catalog-version']).toBe('1')
    await fill(large, 0, 1)
  })

  test('KF-29: a reader who goes ends the reads and leaves nothing open', async () => {
    const response = await open()
    response.pause()
    response.on('error', () => {})
    const whileStopped = await settled()
    response.destroy()
    await sleep(300)
    expect((await settled()) - whileStopped).toBeLessThanOrEqual(1)
    const { api } = assay.system.catalog
    for (const until = Date.now() + 5_000; api.idleCount < api.totalCount && Date.now() < until; ) await sleep(20)
    expect(api.idleCount).toBe(api.totalCount)
  })
})

/** Rows of a version as a publish leaves them, and the version as the one that readers see. */
async function fill(id: string, count: number, version = 1): Promise<void> {
  const pool = assay.system.catalog.pipeline
  // Long enough that the buffers of the connection hold a small part of all lines.
  const description = 'A stool of oiled oak. '.repeat(220)
  const content = { kind: 'single', family: null, product: { ...complete, sku: null, description } }
  await pool.query(
    `insert into published (catalog_id, product_id, valid_from, workspace_id, brand_id, hash, content)
     select catalog_id, gen_random_uuid(), $2, workspace_id, brand_id, '\\x00', $3 from catalog, generate_series(1, $4)
      where catalog_id = $1`,
    [id, version, JSON.stringify(content), count],
  )
  await pool.query('update catalog set published_version = $2 where catalog_id = $1', [id, version])
}
