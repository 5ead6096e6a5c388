import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plans } from '../../../schemas/plan.ts'
import { topics } from '../../../schemas/topics.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { expectSamplesForm, expectStandardForm } from '../../serving/envelopes.ts'
import { bucketServer } from '../archive/bucket-server.ts'
import { newKey, sftpServer } from '../sftp-server.ts'

let assay: Running
let folder: string
beforeAll(async () => {
  assay = await startAssay({ ASSAY_EGRESS_ALLOW: '127.0.0.1' }, { guardShare: 0.3 })
  folder = await mkdtemp(join(tmpdir(), 'assay-sent-'))
})
afterAll(async () => {
  await assay.close()
  await rm(folder, { recursive: true, force: true })
})

const base = `/api/workspace/${workspace}`
const header = 'sku,title,description,price,currency,stock,image,link,condition'
const row = (sku: string, title = `Title of ${sku}`) =>
  `${sku},${title},A description that says enough.,"12,50",EUR,5,https://cdn.example.test/${sku}.jpg,https://shop.example.test/${sku},new`
const sql = (text: string, values: unknown[] = []) => assay.system.catalog.pipeline.query(text, values)

/** What the log says of the first read of a catalog's feed. */
async function firstRead(catalog: string): Promise<Record<string, string>> {
  const { log } = assay.system
  for (;;) {
    for (let partition = 0; partition < log.partitions; partition++)
      for (const { value } of await log.read(topics.events, partition, 0, 1_000)) {
        const event = JSON.parse(value.toString())
        if (event.catalog === catalog && event.type === 'feed_read') return event.metadata
      }
    await sleep(50)
  }
}

let brands = 0
/** A brand with a published catalog of its own. */
async function shop(products: number) {
  const { brand } = (await assay.call('POST', `${base}/brands`, { name: `Brand ${brands++}` })).body
  const { catalogs } = (await assay.call('GET', `${base}/catalogs?limit=200`)).body
  const catalog = catalogs.find(({ brandId }: { brandId: string }) => brandId === brand.id).id as string
  const skus = Array.from({ length: products }, (_, i) => `P-${i}`)
  await assay.ingest(catalog, `${header}\n${skus.map((sku) => row(sku)).join('\n')}\n`)
  await assay.publish(catalog)
  const active = { 'x-active-brand': brand.id as string }
  const path = `${base}/brands/${brand.id}/distribution/google`
  const files = '/api/v1/feeds/google/files'
  const list = async () => (await assay.call('GET', files, undefined, active)).body.files
  return {
    ...{ brand: brand.id as string, catalog, path, files },
    set: (body: object) => assay.call('PUT', path, { enabled: true, ...body }),
    /** @returns the result of the job */
    async generate() {
      const started = await assay.call('POST', '/api/v1/feeds/google/generate', {}, active)
      expect(started.status).toBe(202)
      const ended = await assay.job(started.body.job.id)
      expect([ended.status, ended.error]).toEqual(['completed', null])
      // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a result
      return ended.result as any
    },
    list,
    read: (id = 'latest', headers: Record<string, string> = {}) =>
      assay.call('GET', `${files}/${id}`, undefined, { ...active, ...headers }),
    decide: (method: 'POST' | 'DELETE', id: string) =>
      assay.call(method, `${files}/${id}${method === 'POST' ? '/release' : ''}`, undefined, active),
    async remove(count: number) {
      const found = (await assay.products(catalog)).slice(0, count)
      for (const { id } of found) await assay.call('DELETE', `${base}/catalog/products/${id}`)
      await assay.publish(catalog)
    },
    events: async () =>
      (
        await sql(`select kind from outbox where catalog_id = $1 and cause like 'feed:%' order by outbox_id`, [catalog])
      ).rows.map(({ kind }) => kind),
    feed: () => assay.call('GET', '/api/v1/feeds/google', undefined, active),
    send: (target: object) => assay.call('POST', `${path}/targets`, target),
    async delivered() {
      for (;;) {
        const [file] = await list()
        if (
          file.deliveries.every(
            ({ state, tries }: { state: string; tries: number }) => state !== 'waiting' || tries > 0,
          )
        )
          return file.deliveries
        await sleep(50)
      }
    },
  }
}

describe('a schedule', () => {
  test('400: a cron line that never comes; one that does is due in the time zone of the workspace', async () => {
    const { set } = await shop(1)
    expectSamplesForm(await set({ schedule: '0 0 30 2 *' }), 400, 'INVALID_REQUEST', 'schedule')
    const saved = await set({ schedule: '0 4 * * *', file_gzip: true, kept_files: 3 })
    expect(saved.body.distribution).toMatchObject({ fileGzip: true, keptFiles: 3, fileFormat: null })
    expect(new Date(saved.body.distribution.nextAt).getUTCHours()).toBe(4)
    expect((await set({})).body.distribution.nextAt).toBeNull()
  })

  test('that is due makes one file, however many look; its bytes are the feed’s, and it is told once', async () => {
    const { set, list, read, brand, feed, events } = await shop(3)
    await set({ schedule: '0 4 * * *', file_gzip: true })
    await sql(`update feed_distribution set next_at = now() - interval '1 minute' where brand_id = $1`, [brand])
    await Promise.all([1, 2, 3].map(() => assay.system.feedSchedule.auto()))
    while ((await list()).length === 0) await sleep(50)
    const jobs = await sql(`select created_by as by from job where brand_id = $1 and kind = 'feed_file'`, [brand])
    expect(jobs.rows).toEqual([{ by: 'assay' }])
    expect(await list()).toMatchObject([{ state: 'ready', latest: true, lines: 3, format: 'xml', gzip: true }])
    const answer = await assay.app.inject({
      url: '/api/v1/feeds/google/files/latest',
      headers: { authorization: `Bearer ${await assay.token('viewer')}`, 'x-active-brand': brand },
    })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-disposition': expect.stringContaining('filename="google.xml.gz"'),
    })
    const strip = (xml: string) => xml.replace(/<link>http[^<]*\/api\/[^<]*<\/link>/, '')
    expect(strip(gunzipSync(answer.rawPayload).toString())).toBe(strip((await feed()).text))
    expect(answer.headers['content-length']).toBe(String((await list())[0].bytes))
    expect(await events()).toEqual(['feed.generated', 'feed.updated'])
    const next = await sql('select next_at > now() as later from feed_distribution where brand_id = $1', [brand])
    expect(next.rows).toEqual([{ later: true }])
    expect((await read()).status).toBe(200)
  })

  test('of a feed that cannot be made is told as failed, with the reason at the job and to who set it', async () => {
    const { set, brand, catalog, events } = await shop(1)
    await set({ schedule: '0 4 * * *' })
    await sql('update catalog set published_version = 0 where catalog_id = $1', [catalog])
    await sql(`update feed_distribution set next_at = now() - interval '1 minute' where brand_id = $1`, [brand])
    await assay.system.feedSchedule.auto()
    while ((await events()).length === 0) await sleep(50)
    expect(await events()).toEqual(['feed.failed'])
    const { rows } = await sql(`select error from job where brand_id = $1 and kind = 'feed_file'`, [brand])
    expect(rows[0].error).toMatchObject({ code: 'FEED_002' })
    const { notifications } = (await assay.call('GET', `${base}/notifications`)).body
    expect(notifications[0]).toMatchObject({ kind: 'feed.failed', text: expect.stringContaining('google') })
  })
})

describe('a stored file', () => {
  test('404 before there is one; then read in whole or in part, with tag and date', async () => {
    const { read, generate, list, catalog } = await shop(2)
    expectStandardForm(await read(), 404, 'NOT_FOUND')
    const { fileId } = await generate()
    const whole = await read()
    expect(whole.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-type': 'application/xml; charset=utf-8' })
    const bytes = String(whole.text.length)
    expect(await firstRead(catalog)).toEqual({ platform: 'google', complete: 'true', form: 'xml', lines: '2', bytes })
    expect((await read(fileId)).text).toBe(whole.text)
    const part = await read('latest', { range: 'bytes=5-14' })
    expect([part.status, part.headers['content-range'], part.headers['content-length']]).toEqual([
      ...[206, `bytes 5-14/${whole.text.length}`, '10'],
    ])
    expect(part.text).toBe(whole.text.slice(5, 15))
    const tag = String(whole.headers.etag)
    expect((await read('latest', { range: 'bytes=5-14', 'if-range': tag })).status).toBe(206)
    expect((await read('latest', { range: 'bytes=5-14', 'if-range': '"other"' })).text).toBe(whole.text)
    expect((await read('latest', { 'if-none-match': tag })).status).toBe(304)
    const outside = await read('latest', { range: 'bytes=999999-' })
    expectStandardForm(outside, 416, 'BAD_REQUEST')
    expect(outside.headers['content-range']).toBe(`bytes */${whole.text.length}`)
    const [{ id }] = await list()
    await assay.system.feedStore.remove(id)
    expectStandardForm(await read(), 410, 'NOT_FOUND')
  })

  test('in the format that is set; 409 while one is made', async () => {
    const { set, generate, list, brand, catalog } = await shop(2)
    await set({ file_format: 'parquet' })
    const { fileId } = await generate()
    const path = await assay.system.feedStore.local(fileId)
    expect((await readFile(path)).subarray(0, 4).toString()).toBe('PAR1')
    await sql(
      `insert into job (job_id, workspace_id, brand_id, catalog_id, kind, input, created_by) values (gen_random_uuid(), $1, $2, $3, 'feed_file', '{"platform":"google"}', 'test')`,
      [workspace, brand, catalog],
    )
    const again = await assay.call('POST', '/api/v1/feeds/google/generate', {}, { 'x-active-brand': brand })
    expectStandardForm(again, 409, 'CONFLICT')
    expect(await list()).toHaveLength(1)
  })

  test('an attempt that a killed process left is made anew, and nobody sees what it had written', async () => {
    const { brand, catalog, list } = await shop(2)
    const { feedStore, feedGenerating } = assay.system
    const [job, left] = ['6f1c6d7e-8a0b-4c2d-9e3f-0a1b2c3d4e5f', '7f1c6d7e-8a0b-4c2d-9e3f-0a1b2c3d4e5f']
    await writeFile(await feedStore.draft(left), 'half of a f')
    await sql(
      `insert into job (job_id, workspace_id, brand_id, catalog_id, kind, input, created_by, status, cursor)
       values ($1, $2, $3, $4, 'feed_file', '{"platform":"google","keeper":null}', 'test', 'queued', $5)`,
      [job, workspace, brand, catalog, JSON.stringify({ file: left })],
    )
    expect(await list()).toEqual([])
    await feedGenerating.run(job, new AbortController().signal)
    const [file] = await list()
    expect(file).toMatchObject({ state: 'ready', lines: 2 })
    const names = await readdir(join(assay.config.dataFolder, 'spool', 'feeds'))
    expect(names.filter((name) => name.includes(left) || name.endsWith('.draft'))).toEqual([])
    expect(names).toContain(file.id)
    // Cancelled too late, it stays.
    await feedGenerating.end(job, new AbortController().signal)
    expect(await readFile(await feedStore.local(file.id), 'utf8')).toContain('<g:id>P-1</g:id>')
  })

  test('is not kept where the plan stores no more, and counts where it does', async () => {
    const { generate, list, brand } = await shop(1)
    const used = async () => (await assay.call('GET', `${base}/usage`)).body.used.storedBytes
    const before = await used()
    const { bytes } = await generate()
    expect(await used()).toBe(before + bytes)
    await sql('update feed_file set bytes = bytes + $2 where brand_id = $1', [brand, plans.business.storedBytes])
    const started = await assay.call('POST', '/api/v1/feeds/google/generate', {}, { 'x-active-brand': brand })
    expect(await assay.job(started.body.job.id)).toMatchObject({ status: 'failed', error: { code: 'PLAN_LIMIT' } })
    expect(await list()).toHaveLength(1)
    await sql('update feed_file set bytes = bytes - $2 where brand_id = $1', [brand, plans.business.storedBytes])
  })

  test('goes when later ones are as many as are kept', async () => {
    const { set, generate, list } = await shop(1)
    await set({ kept_files: 2 })
    const made = [await generate(), await generate(), await generate()].map(({ fileId }) => fileId as string)
    await assay.system.feedGenerating.sweep(new AbortController().signal)
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual([made[2], made[1]])
    await expect(assay.system.feedStore.local(made[0] ?? '')).rejects.toThrow('gone')
  })
})

describe('the guard', () => {
  test('holds a file that would take too much away: the one before it stays in force until a person decides', async () => {
    const { generate, remove, list, read, decide, events, set, send, brand } = await shop(10)
    await set({})
    await send({ kind: 's3', endpoint: 'http://127.0.0.1:1024', bucket: 'feeds', key_id: 'id', secret: 'secret' })
    const first = await generate()
    await remove(5)
    const held = await generate()
    expect(held).toMatchObject({ state: 'held', guard: { former: 10, removed: 5, changed: 0, share: 0.5, limit: 0.3 } })
    expect((await read()).headers['x-feed-file']).toBe(first.fileId)
    expect((await list())[0]).toMatchObject({ id: held.fileId, state: 'held', latest: false, deliveries: [] })
    expect((await events()).slice(-1)).toEqual(['feed.failed'])
    const viewer = { authorization: `Bearer ${await assay.token('viewer')}`, 'x-active-brand': brand }
    const unread = await assay.call('GET', `/api/v1/feeds/google/files/${held.fileId}`, undefined, viewer)
    expectStandardForm(unread, 404, 'NOT_FOUND')
    expect((await read(held.fileId)).status).toBe(200)

    expect((await decide('POST', held.fileId)).body).toEqual({ fileId: held.fileId, state: 'ready' })
    expect((await read()).headers['x-feed-file']).toBe(held.fileId)
    expect((await events()).slice(-2)).toEqual(['feed.generated', 'feed.updated'])
    expect((await list())[0]).toMatchObject({
      latest: true,
      decidedBy: 'test:admin',
      deliveries: [{ tries: expect.any(Number) }],
    })
    expectStandardForm(await decide('POST', held.fileId), 409, 'CONFLICT')
    const { rows } = await sql(`select action from audit where target = $1`, [held.fileId])
    expect(rows).toEqual([{ action: 'feed.file.release' }])
  })

  test('a refused one leaves nothing but that there was one', async () => {
    const { generate, remove, list, read, decide } = await shop(10)
    await generate()
    await remove(6)
    const { fileId } = await generate()
    expect((await decide('DELETE', fileId)).body).toEqual({ fileId, state: 'refused' })
    expect((await list())[0]).toMatchObject({ id: fileId, state: 'refused', guard: { removed: 6 } })
    expectStandardForm(await read(fileId), 410, 'NOT_FOUND')
    expect((await read()).status).toBe(200)
  })
})

describe('a target', () => {
  test('gets each file by SFTP; the host key of the first connection is told, and another one refused', async () => {
    const { generate, send, delivered, path, set } = await shop(2)
    await set({})
    const server = await sftpServer(folder)
    const to = { kind: 'sftp', host: '127.0.0.1', port: server.port, user: server.user, path: '/in/' }
    const made = await send({ ...to, password: server.password })
    expect(made.status).toBe(201)
    expect(made.text).not.toContain(server.password)
    await generate()
    expect(await delivered()).toMatchObject([{ state: 'delivered', tries: 1, remote: '/in/google.xml', error: null }])
    expect(await readFile(join(folder, 'google.xml'), 'utf8')).toContain('<g:id>P-1</g:id>')
    const [target] = (await assay.call('GET', `${path}/targets`)).body.targets
    expect(target.hostKey).toMatch(/^SHA256:/)
    const { notifications } = (await assay.call('GET', `${base}/notifications`)).body
    expect(notifications.some(({ text }: { text: string }) => text.includes(target.hostKey))).toBe(true)
    await server.close()

    const other = await sftpServer(folder, { hostKey: newKey(), port: server.port })
    await generate()
    expect(await delivered()).toMatchObject([{ state: 'failed', tries: 1, error: { code: 'host_key' } }])
    expect(other.asked).toEqual([])
    await other.close()
  })

  test('that does not answer is tried again later, and a later file takes the place of what waits', async () => {
    const { generate, send, delivered, list, path, set } = await shop(1)
    await set({})
    const target = { kind: 'sftp', host: '127.0.0.1', port: 1024, user: 'shop', password: 'x' }
    const made = (await send(target)).body.target
    await generate()
    const [waiting] = await delivered()
    expect(waiting).toMatchObject({ state: 'waiting', tries: 1, error: { code: 'unreachable' } })
    expect(Date.parse(waiting.nextAt)).toBeGreaterThan(Date.now() + 30_000)
    await generate()
    expect((await list())[1].deliveries).toMatchObject([{ state: 'overtaken', nextAt: null }])
    expect((await assay.call('DELETE', `${path}/targets/${made.id}`)).status).toBe(200)
    expect((await list())[0].deliveries).toEqual([])
  })

  test('is changed in part: its secret stays, and goes to no other server than it was given for', async () => {
    const { generate, send, delivered, path, set } = await shop(2)
    await set({})
    const server = await sftpServer(folder)
    const made = await send({ kind: 'sftp', host: '127.0.0.1', port: 1024, user: 'nobody', password: 'another one' })
    const url = `${path}/targets/${made.body.target.id}`
    const change = (body: object) => assay.call('PATCH', url, body)
    for (const [field, body] of [
      ['password', { port: server.port }],
      ['password', { password: 'a', private_key: 'b' }],
      ['passphrase', { passphrase: 'a' }],
      ['bucket', { bucket: 'feeds' }],
      ['kind', { kind: 's3' }],
      ['host', { host: '10.0.0.1', password: 'x' }],
    ] as const)
      expectSamplesForm(await change(body), 400, 'INVALID_REQUEST', field)
    const moved = await change({ port: server.port, password: server.password })
    expect(moved.body.target).toMatchObject({ place: { host: '127.0.0.1', port: server.port, user: 'nobody' } })
    const named = await change({ user: server.user, path: '/in/autumn.xml' })
    expect([named.status, named.text.includes(server.password)]).toEqual([200, false])
    await generate()
    expect(await delivered()).toMatchObject([{ state: 'delivered', remote: '/in/autumn.xml' }])
    const [{ hostKey }] = (await assay.call('GET', `${path}/targets`)).body.targets
    expect((await change({ path: '/in/' })).body.target).toMatchObject({ hostKey, place: { path: '/in/' } })
    expect((await change({ host_key: null })).body.target.hostKey).toBeNull()
    const { rows } = await sql(`select before, after from audit where action = 'feed.target.update' and target = $1`, [
      made.body.target.id,
    ])
    expect(rows).toHaveLength(4)
    expect(JSON.stringify(rows)).not.toContain(server.password)
    await server.close()
  })

  test('may be a bucket, whose address is signed for', async () => {
    const key = { region: 'us-east-1', keyId: 'id', secret: 'a secret key' }
    const bucket = await bucketServer(key)
    const { generate, send, delivered, read, set } = await shop(1)
    await set({})
    const of = {
      kind: 's3',
      endpoint: bucket.endpoint,
      bucket: 'feeds',
      key_id: key.keyId,
      path: 'shop one/google.xml',
    }
    await send({ ...of, secret: key.secret })
    await generate()
    expect(await delivered()).toMatchObject([{ state: 'delivered', remote: 's3://feeds/shop one/google.xml' }])
    expect(bucket.objects.get('feeds/shop one/google.xml')?.toString()).toBe((await read()).text)
    await bucket.close()
  })

  test('400: no place that is public or allowed, two secrets or none, a key that cannot be read', async () => {
    const { send } = await shop(1)
    const good = { kind: 'sftp', host: 'sftp.example.com', user: 'shop', password: 'x' }
    for (const host of ['127.0.0.2', '10.0.0.1', '169.254.169.254', '::1', '2130706434', '0x7f.0.0.2'])
      expectSamplesForm(await send({ ...good, host }), 400, 'INVALID_REQUEST', 'host')
    expectSamplesForm(await send({ ...good, port: 25 }), 400, 'INVALID_REQUEST', 'host')
    expectSamplesForm(await send({ ...good, password: undefined }), 400, 'INVALID_REQUEST', 'password')
    expectSamplesForm(await send({ ...good, private_key: 'x' }), 400, 'INVALID_REQUEST', 'password')
    const withKey = { ...good, password: undefined, private_key: 'no key' }
    expectSamplesForm(await send(withKey), 400, 'INVALID_REQUEST', 'private_key')
    const bucket = { kind: 's3', endpoint: 'https://10.0.0.1', bucket: 'feeds', key_id: 'id', secret: 'secret' }
    expectSamplesForm(await send(bucket), 400, 'INVALID_REQUEST', 'endpoint')
  })
})
