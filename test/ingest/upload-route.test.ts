import { hash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findUpload } from '../../infra/catalog/uploads.ts'
import { enough } from '../enough.ts'
import { type Answer, type Running, startAssay, workspace } from '../running.ts'
import { expectSamplesForm } from '../serving/envelopes.ts'

const maxBytes = 20_000
let assay: Running
beforeAll(async () => {
  assay = await startAssay({ ASSAY_MAX_UPLOAD_BYTES: String(maxBytes) })
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}/datasets/uploads`
const csv = Buffer.from('sku,title,price\nA-1,Mug,"1,50"\nA-2,Stööl,"9,00"\nA-3,Pan\nA-2,Stööl,"9,00"\n')
const sha256 = (bytes: Buffer) => hash('sha256', bytes, 'hex')
const digest = (bytes: Buffer) => `sha-256=:${hash('sha256', bytes, 'base64')}:`

async function begin(body: object = {}): Promise<string> {
  const answer = await assay.call('POST', base, { file_name: 'goods.csv', ...body })
  expect(answer.status).toBe(201)
  return answer.body.upload.id
}
const put = (id: string, part: number | string, bytes: unknown, headers: Record<string, string> = {}) =>
  assay.call('PUT', `${base}/${id}/parts/${part}`, bytes, { 'content-type': 'application/octet-stream', ...headers })
const read = async (id: string) => (await assay.call('GET', `${base}/${id}`)).body.upload
const complete = (id: string, parts: number, sum: string, query: Record<string, string> = {}): Promise<Answer> =>
  assay.call('POST', `${base}/${id}/complete?${new URLSearchParams(query)}`, { parts, sha256: sum })
const folder = (id: string) => join(assay.config.dataFolder, 'spool', 'uploads', id)
const files = (id: string) => readdir(folder(id)).catch(() => [] as string[])

describe('parts', () => {
  test('200: a part is answered with its size and hash, and stands in the upload', async () => {
    const id = await begin()
    const answer = await put(id, 2, csv)
    const part = { part: 2, bytes: csv.length, sha256: sha256(csv) }
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { part } })
    await put(id, 1, Buffer.from('x'))
    expect(await read(id)).toMatchObject({
      status: 'open',
      received: csv.length + 1,
      parts: [{ part: 1, bytes: 1 }, part],
      jobId: null,
    })
  })

  test('200: sent again it is the same; with other bytes it takes the place of the former, of which nothing is left', async () => {
    const id = await begin()
    const [first, again] = [await put(id, 1, csv), await put(id, 1, csv)]
    expect(again.body).toEqual(first.body)
    const other = Buffer.from('other')
    await put(id, 1, other)
    expect((await read(id)).parts).toEqual([{ part: 1, bytes: 5, sha256: sha256(other) }])
    expect(await files(id)).toHaveLength(1)
  })

  test('200: sent many times at once it is whole, as one of them', async () => {
    const id = await begin()
    const bodies = Array.from({ length: 8 }, (_, i) => Buffer.alloc(2_000, String(i)))
    const answers = await Promise.all(bodies.map((bytes) => put(id, 1, bytes)))
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200))
    const [part] = (await read(id)).parts
    const winner = bodies.find((bytes) => sha256(bytes) === part.sha256)
    expect(winner).toBeDefined()
    expect(await files(id)).toHaveLength(1)
    expectSamplesForm(await complete(id, 1, sha256(winner ?? csv)), 400, 'INVALID_REQUEST')
  })

  test('200: the body is the part, whatever type it says or none', async () => {
    const id = await begin()
    for (const type of ['application/json', 'text/csv', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const answer = await put(id, 1, csv, { 'content-type': type })
      expect(answer.body).toMatchObject({ part: { sha256: sha256(csv) } })
    }
    const streamed = await put(id, 2, Readable.from([csv.subarray(0, 7), csv.subarray(7)]))
    expect(streamed.body.part.sha256).toBe(sha256(csv))
  })

  test('a Content-Digest that fits is taken; one that does not, or is none, is 400 and the part is not there', async () => {
    const id = await begin()
    const sent = (value: string, bytes = csv) => put(id, 1, bytes, { 'content-digest': value })
    for (const wrong of [digest(Buffer.from('x')), 'sha-256=:abc:', 'sha-256=abc'])
      expectSamplesForm(await sent(wrong), 400, 'INVALID_REQUEST', 'content-digest')
    expect((await read(id)).parts).toEqual([])
    expect(await files(id)).toEqual([])
    for (const right of [digest(csv), `md5=:abc:, ${digest(csv)}`, 'sha-512=:whatever:'])
      expect((await sent(right)).status).toBe(200)
  })

  test.each(['0', '10001', '01', '-1', '1.5', 'one'])('400: there is no part %s', async (part) => {
    expectSamplesForm(await put(await begin(), part, csv), 400, 'INVALID_REQUEST', 'part')
  })

  test('400: a part without bytes', async () => {
    const id = await begin()
    expectSamplesForm(await put(id, 1, undefined), 400, 'INVALID_REQUEST')
    expectSamplesForm(await put(id, 1, Readable.from([])), 400, 'INVALID_REQUEST')
  })

  test('413: all parts together may have what a file may have, and no more', async () => {
    expectSamplesForm(
      await assay.call('POST', base, { file_name: 'x', size: maxBytes + 1 }),
      413,
      'INVALID_REQUEST',
      'size',
    )
    const id = await begin()
    const half = Buffer.alloc(maxBytes / 2, 'a')
    expect((await put(id, 1, half)).status).toBe(200)
    expect((await put(id, 2, half)).status).toBe(200)
    expectSamplesForm(await put(id, 3, Buffer.from('x')), 413, 'INVALID_REQUEST')
    expect((await put(id, 2, half.fill('b'))).status).toBe(200)
    const other = await begin()
    const together = await Promise.all([1, 2, 3].map((part) => put(other, part, half)))
    expect(together.map(({ status }) => status).sort()).toEqual([200, 200, 413])
    expect(await files(other)).toHaveLength(2)
  })

  test('403: beyond what the plan keeps a part is refused', async () => {
    const [id, large] = [await begin(), await begin()]
    await put(large, 1, csv)
    const pool = assay.system.catalog.pipeline
    await pool.query('update upload_part set bytes = 2::bigint ^ 50 where upload_id = $1', [large])
    expectSamplesForm(await put(id, 1, csv), 403, 'PLAN_LIMIT')
    expect(await files(id)).toEqual([])
    await assay.call('DELETE', `${base}/${large}`)
    expect((await put(id, 1, csv)).status).toBe(200)
  })

  test('they count against the plan until the upload ends', async () => {
    const used = async () => (await assay.call('GET', `/api/workspace/${workspace}/usage`)).body.used.storedBytes
    const before = await used()
    const id = await begin()
    await put(id, 1, csv)
    expect(await used()).toBe(before + csv.length)
    await assay.call('DELETE', `${base}/${id}`)
    expect(await used()).toBe(before)
  })

  test('a sender who goes in the middle leaves no part', async () => {
    const id = await begin()
    if (!assay.app.server.listening) await assay.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = assay.app.server.address() as { port: number }
    const headers = { authorization: `Bearer ${await assay.token('editor')}`, 'content-length': '100' }
    const upload = httpRequest({ port, path: `${base}/${id}/parts/1`, method: 'PUT', headers })
    upload.on('error', () => {})
    upload.write('sku,')
    for (const until = Date.now() + 5_000; (await files(id)).length === 0 && Date.now() < until; ) await sleep(10)
    expect(await files(id)).toHaveLength(1)
    upload.destroy()
    for (const until = Date.now() + 5_000; (await files(id)).length > 0 && Date.now() < until; ) await sleep(10)
    expect(await files(id)).toEqual([])
    expect((await read(id)).parts).toEqual([])
  })
})

describe('beginning', () => {
  test('200: the same file of the same caller goes on where it was', async () => {
    const file = { file_name: 'same.csv', size: csv.length, sha256: sha256(csv) }
    const id = await begin(file)
    await put(id, 1, csv)
    const again = await assay.call('POST', base, file)
    expect({ status: again.status, id: again.body.upload.id }).toEqual({ status: 200, id })
    expect(again.body.upload.parts).toHaveLength(1)
    for (const other of [{ size: 1 }, { sha256: sha256(Buffer.from('x')) }, { file_name: 'other.csv' }])
      expect((await assay.call('POST', base, { ...file, ...other })).status).toBe(201)
    const authorization = `Bearer ${await assay.token('editor')}`
    expect((await assay.call('POST', base, file, { authorization })).status).toBe(201)
  })
})

describe('completing', () => {
  test('202: the file is imported as if it had come whole, once, however often it is asked for', async () => {
    const catalog = await assay.newCatalog()
    const id = await begin()
    await put(id, 2, csv.subarray(20))
    await put(id, 1, csv.subarray(0, 20))
    const query = { catalog_id: catalog, source: 'Lumo' }
    const answers = await Promise.all([1, 2, 3].map(() => complete(id, 2, sha256(csv), query)))
    answers.push(await complete(id, 2, sha256(csv), query))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202])
    expect(new Set(answers.map(({ body }) => body.job.id)).size).toBe(1)
    const job = await assay.job(answers[0]?.body.job.id)
    expect(job.result).toMatchObject({ read: 4, created: 2, duplicate: 1, rejected: 1 })
    const { rows } = await assay.system.catalog.pipeline.query(
      'select source, file_name as "fileName", sha256 from import where catalog_id = $1',
      [catalog],
    )
    expect(rows).toEqual([{ source: 'file:Lumo', fileName: 'goods.csv', sha256: sha256(csv) }])
    expect(await read(id)).toMatchObject({ status: 'complete', jobId: job.id, parts: [], expiresAt: null })
    expect(await files(id)).toEqual([])
    expectSamplesForm(await put(id, 1, csv), 409, 'CONFLICT')
    expectSamplesForm(await assay.call('DELETE', `${base}/${id}`), 409, 'CONFLICT')
  })

  test('202: a call that began before another one had taken the parts gets the job of that one', async () => {
    const id = await begin()
    await put(id, 1, csv)
    const { uploads, catalog } = assay.system
    const before = await findUpload(catalog.pipeline, id)
    if (!before) throw new Error('the upload is not there')
    const { job } = (await complete(id, 1, sha256(csv), { catalog_id: await assay.newCatalog() })).body
    const order = { ...before, catalog: await assay.newCatalog(), source: undefined, map: [], parts: 1 }
    expect(await uploads.complete(before, { ...order, sha256: sha256(csv) })).toBe(job.id)
  })

  test('409: what is missing, too many or of another size is named, and the upload goes on', async () => {
    const id = await begin({ size: csv.length })
    await put(id, 2, csv.subarray(0, 10))
    const missing = await complete(id, 4, sha256(csv))
    expectSamplesForm(missing, 409, 'CONFLICT', 'parts')
    expect(missing.body.details.message).toContain('parts 1, 3, 4')
    const surplus = await complete(id, 1, sha256(csv))
    expectSamplesForm(surplus, 409, 'CONFLICT', 'parts')
    await put(id, 1, csv.subarray(0, 10))
    expectSamplesForm(await complete(id, 1, sha256(csv)), 409, 'CONFLICT', 'parts')
    expectSamplesForm(await complete(id, 2, sha256(csv)), 409, 'CONFLICT', 'size')
    await put(id, 2, csv.subarray(10))
    expect((await complete(id, 2, sha256(csv))).status).toBe(202)
  })

  test('422: another SHA-256 says which the parts have, nothing is kept of the join, and the upload goes on', async () => {
    const id = await begin()
    await put(id, 1, csv)
    // The imports before this one may still have their index of identities there.
    const kept = async () =>
      (await readdir(join(assay.config.dataFolder, 'spool'))).filter((name) => !name.includes('.duckdb'))
    const before = await kept()
    const answer = await complete(id, 1, sha256(Buffer.from('x')))
    expectSamplesForm(answer, 422, 'INVALID_REQUEST', 'sha256')
    expect(answer.body.details.message).toContain(sha256(csv))
    expect(await kept()).toEqual(before)
    expect((await complete(id, 1, sha256(csv).toUpperCase())).status).toBe(202)
  })

  test('400: a file that is none is refused as when it comes whole, and the upload goes on', async () => {
    const id = await begin()
    const header = Buffer.from('sku,title\n')
    await put(id, 1, header)
    expectSamplesForm(await complete(id, 1, sha256(header)), 400, 'INVALID_REQUEST')
    expectSamplesForm(await complete(id, 1, sha256(header), { map: 'x' }), 400, 'INVALID_REQUEST', 'map')
    expect(await read(id)).toMatchObject({ status: 'open', received: header.length })
  })

  test('any cut of a file into parts, sent in any order and again, is the import of the whole file', async () => {
    const whole = (await assay.ingest(await assay.newCatalog(), csv, { source: 'law' })).result
    const { importId: _, ...expected } = whole
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: csv.length - 1 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(cuts, fc.infiniteStream(fc.nat()), async (places, luck) => {
        const ends = [...places.sort((a, b) => a - b), csv.length]
        const parts = ends.map((end, i) => csv.subarray(ends[i - 1] ?? 0, end))
        const turns = [...parts.keys(), ...parts.keys()]
          .map((i) => [i, luck.next().value ?? 0] as const)
          .sort(([, a], [, b]) => a - b)
        const id = await begin()
        // The first time of some parts their bytes are wrong.
        const seen = new Set<number>()
        for (const [i, n] of turns) {
          const wrong = !seen.has(i) && n % 3 === 0
          seen.add(i)
          await put(id, i + 1, wrong ? Buffer.from('wrong') : parts[i])
        }
        const catalog_id = await assay.newCatalog()
        const { body } = await complete(id, parts.length, sha256(csv), { catalog_id, source: 'law' })
        const { importId: __, ...result } = (await assay.job(body.job.id)).result
        expect(result).toEqual(expected)
      }),
      { numRuns: enough(3, 8) },
    )
  }, 60_000)
})

describe('ending', () => {
  test('200, 404: an upload that is given up is gone with its parts', async () => {
    const id = await begin()
    await put(id, 1, csv)
    expect((await assay.call('DELETE', `${base}/${id}`)).status).toBe(200)
    expect(await files(id)).toEqual([])
    for (const answer of [
      await assay.call('GET', `${base}/${id}`),
      await assay.call('DELETE', `${base}/${id}`),
      await put(id, 1, csv),
      await complete(id, 1, sha256(csv)),
    ])
      expectSamplesForm(answer, 404, 'NOT_FOUND', 'uploadId')
  })

  test('404: after a week without a part it is gone; one that goes on is not', async () => {
    const [old, young] = [await begin(), await begin()]
    await put(old, 1, csv)
    const pool = assay.system.catalog.pipeline
    const age = `update upload set touched_at = now() - interval '8 days', created_at = now() - interval '8 days' where upload_id = any ($1)`
    await pool.query(age, [[old, young]])
    await put(young, 1, csv)
    await assay.system.uploads.sweep()
    expectSamplesForm(await assay.call('GET', `${base}/${old}`), 404, 'NOT_FOUND', 'uploadId')
    expect((await read(young)).parts).toHaveLength(1)
    await pool.query(`update upload set ended_at = now() - interval '1 hour' where upload_id = $1`, [old])
    await assay.system.uploads.sweep()
    expect(await files(old)).toEqual([])
    expect(await files(young)).toHaveLength(1)
  })
})
