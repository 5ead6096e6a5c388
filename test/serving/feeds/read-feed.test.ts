import { createHash } from 'node:crypto'
import { get } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, startAssay, workspace } from '../../running.ts'
import { expectStandardForm } from '../envelopes.ts'

let assay: Running
let catalog: string
beforeAll(async () => {
  assay = await startAssay()
  catalog = await published('A-1', 'B-2', 'C-3')
})
afterAll(() => assay.close())

const header = 'sku,title,description,price,currency,stock,image,link,condition'
const row = (sku: string, { title = `Title of ${sku}`, image = `https://cdn.example.test/${sku}.jpg` } = {}) =>
  `${sku},${title},A description that says enough.,"12,50",EUR,5,${image},https://shop.example.test/${sku},new`

async function published(...skus: string[]): Promise<string> {
  const made = await assay.newCatalog()
  await assay.ingest(made, `${header}\n${skus.map((sku) => row(sku)).join('\n')}\n`)
  await assay.publish(made)
  return made
}

const read = (query = '', headers: Record<string, string> = {}, of = catalog, platform = 'google') =>
  assay.call('GET', `/api/v1/feeds/${platform}?catalog_id=${of}${query}`, undefined, headers)
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
/** Lines with positions, without the trailer. */
async function placed(query: string, of: string) {
  const answer = await read(`&positions=1&format=ndjson${query}`, {}, of)
  expect(answer.status).toBe(200)
  const lines = linesOf(answer.text)
  return { lines: lines.slice(0, -1), trailer: lines.at(-1)?._trailer, text: answer.text }
}

const edit = async (of: string, sku: string, change: Record<string, unknown> | null) => {
  const found = (await assay.products(of)).find((one) => one.sku === sku)
  const path = `/api/workspace/${workspace}/catalog/products/${found?.id}`
  if (change === null) await assay.call('DELETE', path)
  else await assay.call('PATCH', path, change)
}

describe('forms', () => {
  test('200: the platform’s own, or another by format or Accept, each with its type; all of the same products', async () => {
    const [own, xml, csv, tsv, lines] = await Promise.all([
      read(),
      read('', { accept: 'application/xml' }),
      read('&format=csv'),
      read('', { accept: 'text/tab-separated-values' }),
      read('', { accept: 'application/x-ndjson' }),
    ])
    expect(own?.text).toBe(xml?.text)
    expect([xml, csv, tsv, lines].map((one) => [one?.status, one?.headers['content-type']])).toEqual([
      [200, 'application/xml; charset=utf-8'],
      [200, 'text/csv; charset=utf-8'],
      [200, 'text/tab-separated-values; charset=utf-8'],
      [200, 'application/x-ndjson; charset=utf-8'],
    ])
    const ids = linesOf(lines?.text ?? '').map(({ id }) => id)
    expect(ids.toSorted()).toEqual(['A-1', 'B-2', 'C-3'])
    const first = (text = '', separator: string) =>
      text
        .trimEnd()
        .split(/\r?\n/)
        .slice(1)
        .map((one) => one.split(separator)[0])
    expect(first(csv?.text, ',')).toEqual(ids)
    expect(first(tsv?.text, '\t')).toEqual(ids)
    expect([...(xml?.text ?? '').matchAll(/<g:id>(.*?)<\/g:id>/g)].map(([, id]) => id)).toEqual(ids)
  })

  test('200: as columns for analysts, by format or Accept, with a tag, and the same bytes each time', async () => {
    for (const [format, type] of [
      ['parquet', 'application/vnd.apache.parquet'],
      ['arrow', 'application/vnd.apache.arrow.stream'],
    ] as const) {
      const url = `/api/v1/feeds/google?catalog_id=${catalog}`
      const authorization = `Bearer ${await assay.token('viewer')}`
      const [named, accepted] = await Promise.all([
        assay.app.inject({ url: `${url}&format=${format}`, headers: { authorization } }),
        assay.app.inject({ url, headers: { authorization, accept: type } }),
      ])
      expect(named.headers['content-type']).toBe(type)
      expect(named.rawPayload.equals(accepted.rawPayload)).toBe(true)
      for (const sku of ['A-1', 'B-2', 'C-3']) expect(named.rawPayload.includes(sku)).toBe(true)
      const known = { authorization, 'if-none-match': String(named.headers.etag) }
      const again = await assay.app.inject({ url: `${url}&format=${format}`, headers: known })
      expect(again.statusCode).toBe(304)
      const head = await assay.app.inject({
        method: 'HEAD',
        url: `${url}&format=${format}`,
        headers: { authorization },
      })
      expect([head.statusCode, head.headers.etag, head.payload]).toEqual([200, named.headers.etag, ''])
    }
    const refused = await read('', { accept: 'application/json' })
    expect(refused.body.error.message).toContain('application/vnd.apache.arrow.stream')
  })

  test('200: the tool channel’s feed is the same, and q goes with every form', async () => {
    const other = await assay.call('GET', `/api/mcp/feed/google?catalog_id=${catalog}&format=csv`)
    expect(other.text).toBe((await read('&format=csv')).text)
    expect((await read('&format=csv&q=b-2')).text.trimEnd().split('\r\n')).toHaveLength(2)
  })

  test('400: a search for nothing that can be seen; one that was left empty is none', async () => {
    for (const q of ['---', '_ _', '\u00ad\u200b'])
      expectStandardForm(await read(`&q=${encodeURIComponent(q)}`), 400, 'BAD_REQUEST')
    for (const q of ['', '%20', '%00']) expect((await read(`&q=${q}`)).text).toBe((await read()).text)
  })

  test('KF-23: variants that name their parent’s SKU as their group go out, each with it, and the parent does not', async () => {
    const made = await assay.newCatalog()
    const grouped = (sku: string, group: string, color: string) => `${row(sku)},${group},${color}`
    const rows = [
      ...[grouped('T-1-S', 'T-1', 'red'), grouped('S-9', '', ''), grouped('T-1', '', '')],
      grouped('T-1-M', 'T-1', 'blue'),
    ]
    await assay.ingest(made, `${header},item_group_id,color\n${rows.join('\n')}\n`)
    await assay.publish(made)
    const lines = linesOf((await read('&format=ndjson', {}, made)).text)
    expect(lines.map(({ id, item_group_id }) => [id, item_group_id]).toSorted()).toEqual([
      ['S-9', undefined],
      ['T-1-M', 'T-1'],
      ['T-1-S', 'T-1'],
    ])
    expect((await assay.products(made, { kind: 'parent' })).map(({ sku }) => sku)).toEqual(['T-1'])
  })

  test.each([
    ['before', [0, 1]],
    ['behind', [1, 0]],
  ])(
    'KF-23: a product whose SKU is the group of another file’s, %s it, is their parent while that file says so',
    async (_, order) => {
      const made = await assay.newCatalog()
      const files = [
        [header, row('T-1'), row('S-9')],
        [`${header},item_group_id,color`, `${row('T-1-S')},T-1,red`, `${row('T-1-M')},T-1,blue`],
      ].map((lines) => `${lines.join('\n')}\n`)
      const names = ['singles', 'groups']
      const ids: string[] = []
      const warnings: unknown[] = []
      for (const n of order) {
        const { result } = await assay.ingest(made, files[n] ?? '', { source: names[n] ?? '' })
        ids[n] = result.importId
        warnings.push(result.warnings)
      }
      // Nothing that was sold is taken out of feeds in silence.
      expect(warnings).toEqual([{}, { names_group: 1 }])
      for (const n of order)
        expect((await assay.ingest(made, files[n] ?? '', { source: names[n] ?? '' })).result).toMatchObject({
          unchanged: 2,
        })
      await assay.publish(made)
      const lines = linesOf((await read('&format=ndjson', {}, made)).text)
      expect(lines.map(({ id, item_group_id }) => `${id} ${item_group_id}`).toSorted()).toEqual([
        ...['S-9 undefined', 'T-1-M T-1', 'T-1-S T-1'],
      ])
      const kind = async () => (await assay.products(made, { sku: 'T-1' }))[0]?.kind
      expect(await kind()).toBe('parent')
      await assay.change(ids[1] ?? '', 'undo')
      // The repeat of the file says it still.
      expect(await kind()).toBe('parent')
    },
  )

  test('KF-25: a title that looks like a formula reaches the platform as it is', async () => {
    const made = await assay.newCatalog()
    const title = '"=HYPERLINK(""http://x.example.test"",""Sale"")"'
    await assay.ingest(made, `${header}\n${row('H-1', { title })}\n${row('H-2', { title: '-20% Summer Mug' })}\n`)
    await assay.publish(made)
    const { text } = await read('&format=csv', {}, made)
    expect(text).toContain(`,${title},`)
    expect(text).toContain(',-20% Summer Mug,')
  })
})

describe('what has not changed', () => {
  test('200: the same bytes again, under the same tag and date', async () => {
    const [one, two] = [await read('&format=csv'), await read('&format=csv')]
    expect(two.text).toBe(one.text)
    expect(one.headers.etag).toMatch(/^"[\w-]{22}"$/)
    expect(two.headers).toMatchObject({ etag: one.headers.etag, 'last-modified': one.headers['last-modified'] })
  })

  test('304: by tag, weak or among others, or by date; another form or version is another tag', async () => {
    const made = await published('E-1')
    const { etag, 'last-modified': date } = (await read('', {}, made)).headers
    const [tag, since] = [String(etag), String(date)]
    for (const named of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, text } = await read('', { 'if-none-match': named }, made)
      expect({ named, status, text }).toEqual({ named, status: 304, text: '' })
    }
    expect((await read('', { 'if-modified-since': since }, made)).status).toBe(304)
    const later = new Date(Date.parse(since) + 1_000).toUTCString()
    expect((await read('', { 'if-modified-since': later }, made)).status).toBe(200)
    expect((await read('', { 'if-modified-since': since, 'if-none-match': '"other"' }, made)).status).toBe(200)
    expect((await read('&format=csv', { 'if-none-match': tag }, made)).status).toBe(200)
    await edit(made, 'E-1', { title: 'Another title' })
    await assay.publish(made)
    const after = await read('', { 'if-none-match': tag }, made)
    expect(after.status).toBe(200)
    expect(after.text).toContain('Another title')
  })

  test('another name of the catalog is another document, with another tag and date', async () => {
    const made = await published('E-2')
    const before = (await read('&format=xml', {}, made)).headers
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const { body } = await assay.call('PATCH', `/api/workspace/${workspace}/catalogs/${made}`, { name: 'Renamed' })
    expect(body.catalog).toMatchObject({ name: 'Renamed' })
    for (const known of [
      { 'if-none-match': String(before.etag) },
      { 'if-modified-since': String(before['last-modified']) },
    ]) {
      const { status, text } = await read('&format=xml', known, made)
      expect(status).toBe(200)
      expect(text).toContain('<title>Renamed</title>')
    }
  })

  test('HEAD says what a read would, and has no lines', async () => {
    const headers = { authorization: `Bearer ${await assay.token('viewer')}` }
    const url = `/api/v1/feeds/google?catalog_id=${catalog}`
    const head = await assay.app.inject({ method: 'HEAD', url, headers })
    expect({ status: head.statusCode, payload: head.payload }).toEqual({ status: 200, payload: '' })
    expect(head.headers.etag).toBe((await read()).headers.etag)
    const packed = { ...headers, 'accept-encoding': 'gzip' }
    const [none, all] = [
      await assay.app.inject({ method: 'HEAD', url, headers: packed }),
      await assay.app.inject({ url, headers: packed }),
    ]
    for (const name of ['content-encoding', 'content-type', 'etag', 'vary', 'last-modified'])
      expect([name, none.headers[name]]).toEqual([name, all.headers[name]])
    expect(none.rawPayload).toHaveLength(0)
  })
})

test('200: packed as the reader accepts it, and the same when unpacked', async () => {
  const plain = (await read('&format=ndjson')).text
  const unpack = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }
  const headers = { authorization: `Bearer ${await assay.token('viewer')}` }
  const url = `/api/v1/feeds/google?catalog_id=${catalog}&format=ndjson`
  for (const [encoding, unpacked] of Object.entries(unpack)) {
    const answer = await assay.app.inject({ url, headers: { ...headers, 'accept-encoding': encoding } })
    expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept, Accept-Encoding' })
    expect(unpacked(answer.rawPayload).toString()).toBe(plain)
  }
})

describe('positions', () => {
  test('200: each line has its own and its product’s, and a trailer has count, position and SHA-256', async () => {
    const { lines, trailer, text } = await placed('', catalog)
    expect(lines.map(({ id }) => id).toSorted()).toEqual(['A-1', 'B-2', 'C-3'])
    for (const { _position, _product } of lines) expect(_position).toBe(`s.${_position.split('.')[1]}.1.${_product}`)
    const before = text.slice(0, text.lastIndexOf('{"_trailer"'))
    expect(trailer).toEqual({
      count: 3,
      position: expect.stringMatching(/^t\.\d+\.1\.f{8}-/),
      sha256: createHash('sha256').update(before).digest('hex'),
    })
  })

  test('200: behind a position comes the rest of its version, then what changed; behind the last one nothing until something is published', async () => {
    const made = await published('P-1', 'P-2', 'P-3')
    const { lines, trailer } = await placed('', made)
    expect((await placed(`&after=${trailer.position}`, made)).lines).toEqual([])
    await edit(made, lines[0].id, { title: 'Changed' })
    await edit(made, lines[2].id, null)
    await assay.publish(made)
    const since = await placed(`&after=${trailer.position}`, made)
    expect(since.lines.map((one) => [one.id, one._removed ?? one.title])).toEqual([
      [lines[0].id, 'Changed'],
      [lines[2].id, true],
    ])
    const rest = await placed(`&after=${lines[1]._position}`, made)
    expect(rest.lines.map((one) => [one.id, one._removed ?? one.title])).toEqual([
      [lines[2].id, `Title of ${lines[2].id}`],
      [lines[0].id, 'Changed'],
      [lines[2].id, true],
    ])
    expect(rest.trailer.position).toBe(since.trailer.position)
  })

  test('400: what is no position, with a search, or in a form that has no lines', async () => {
    for (const after of ['', 'x', 's.1.1', 's.1.1.p', 's.0x1.1.00000000-0000-4000-8000-000000000001'])
      expectStandardForm(await read(`&format=ndjson&after=${after}`), 400, 'BAD_REQUEST')
    expectStandardForm(await read('&format=csv&positions=1'), 400, 'BAD_REQUEST')
    expectStandardForm(await read('&format=ndjson&positions=1&q=mug'), 400, 'BAD_REQUEST')
    expectStandardForm(await read('&format=ndjson&follow=yes'), 400, 'BAD_REQUEST')
  })

  test('410: of a version that is no longer kept, of another feed, or of one that is yet to come, with how to start anew', async () => {
    const made = await published('G-1', 'G-2')
    const { lines, trailer } = await placed('', made)
    const [, config] = trailer.position.split('.')
    await edit(made, 'G-1', { title: 'Changed' })
    await assay.publish(made)
    const gone = [trailer.position, lines[0]._position]
    for (const after of gone) expect((await read(`&format=ndjson&after=${after}`, {}, made)).status).toBe(200)
    await assay.system.catalog.pipeline.query(
      `update publish set state = 'dropped' where catalog_id = $1 and version = 1`,
      [made],
    )
    const product = lines[0]._product
    const foreign = (await placed('', catalog)).trailer.position
    for (const after of [
      ...gone,
      `t.${config}.3.${product}`,
      `t.${config}.0.${product}`,
      `s.999999.1.${product}`,
      foreign,
    ]) {
      const answer = await read(`&format=ndjson&after=${after}`, {}, made)
      expectStandardForm(answer, 410, 'NOT_FOUND')
      expect(answer.body.error.message).toContain('anew')
    }
  })
})

test('200: who follows gets the version, then each change as it is published, and signs of life', async () => {
  const made = await published('F-1', 'F-2')
  await assay.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = assay.app.server.address() as { port: number }
  const headers = { authorization: `Bearer ${await assay.token('viewer')}`, 'accept-encoding': 'gzip' }
  const path = `/api/v1/feeds/google?catalog_id=${made}&format=ndjson&follow=1`
  const request = get({ port, path, headers })
  const response = await new Promise<import('node:http').IncomingMessage>((resolve) => request.on('response', resolve))
  expect(response.headers['content-encoding']).toBe(undefined)
  const got: Record<string, unknown>[] = []
  const lines = createInterface({ input: response }).on('line', (line) => got.push(JSON.parse(line)))
  // The reader goes in the end.
  for (const one of [request, response, lines]) one.on('error', () => {})
  const until = async (count: number) => {
    for (const end = Date.now() + 15_000; got.length < count && Date.now() < end; ) await sleep(10)
    return got.slice(0, count)
  }
  expect((await until(2)).map(({ id }) => id).toSorted()).toEqual(['F-1', 'F-2'])
  await edit(made, 'F-1', { title: 'Changed' })
  await assay.publish(made)
  expect((await until(3))[2]).toMatchObject({ id: 'F-1', title: 'Changed' })
  await edit(made, 'F-2', null)
  await assay.publish(made)
  expect((await until(4))[3]).toMatchObject({ id: 'F-2', _removed: true })
  request.destroy()
})

test('422: FEED_003 where the platform would take nothing; an empty catalog is a feed without lines', async () => {
  const made = await assay.newCatalog()
  await assay.ingest(made, `${header}\n${row('X-1', { image: 'htp:/broken' })}\n`)
  await assay.publish(made)
  expectStandardForm(await read('', {}, made), 422, 'FEED_003')
  expectStandardForm(await read('&format=ndjson', {}, made), 422, 'FEED_003')
  await edit(made, 'X-1', null)
  await assay.publish(made)
  expect(await read('&format=ndjson', {}, made)).toMatchObject({ status: 200, text: '' })
})
