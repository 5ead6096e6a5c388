import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { openByTurns } from '../../../infra/egress/by-turns.ts'
import { openEgress } from '../../../infra/egress/open-egress.ts'
import { openPictures } from '../../../infra/pictures.ts'
import { type CheckedImage, checkImage, type Validators } from '../../../ingest/images/check-image.ts'
import { type LocalHost, localHost } from '../../infra/egress/local-host.ts'
import { loopbackClothes } from '../../infra/egress/loopback-clothes.ts'
import { blank, bmp, drawn } from './drawn.ts'

const open: LocalHost[] = []
afterEach(async () => {
  for (const host of open.splice(0)) await host.close()
})
async function serve(answer: RequestListener): Promise<LocalHost> {
  const host = await localHost(answer)
  open.push(host)
  return host
}
const sending =
  (bytes: Buffer | string, type = 'application/octet-stream', status = 200): RequestListener =>
  (_, reply) =>
    reply.writeHead(status, { 'content-type': type }).end(bytes)

const pictures = openPictures(64_000_000)
const never: Validators = { etag: null, lastModified: null }
function check(address: string, known = never, allow = ['127.0.0.1']): Promise<CheckedImage | null> {
  const egress = openEgress({ allow, userAgent: 'AssayBot/0', answerWithinMs: 200, silentMs: 200 })
  return checkImage(
    address,
    known,
    { hosts: openByTurns({ egress, restMs: 0 }), pictures },
    AbortSignal.timeout(20_000),
  )
}

describe('a good image without an extension, a bad one with it (KF-19)', () => {
  test('(a) an image is one whatever its address looks like', async () => {
    const host = await serve(sending(await drawn(1, 600), 'image/jpeg'))
    expect(await check(`${host.url}/i?id=77&x=260&t=image/jpeg`)).toMatchObject({
      ...{ state: 'ok', says: null, type: 'jpeg', width: 600, height: 600, bytes: expect.any(Number) },
    })
  })

  test('(b) a page under the name of an image is none, and it is said what it is', async () => {
    const host = await serve(sending('<!doctype html><h1>Sorry</h1>', 'text/html'))
    expect(await check(`${host.url}/a.jpg`)).toMatchObject({
      ...{ state: 'not_an_image', type: 'html', says: 'It is an HTML page and no image' },
    })
  })

  test('(c) a PNG under the name of a WebP is a PNG', async () => {
    const host = await serve(sending(await drawn(1, 600, 600, 'png'), 'image/png'))
    expect(await check(`${host.url}/b.webp`)).toMatchObject({ state: 'ok', type: 'png' })
  })

  test('(d) a host that refuses HEAD is not asked by it', async () => {
    const image = await drawn(1, 600)
    const host = await serve((request, reply) =>
      request.method === 'GET' ? sending(image)(request, reply) : reply.writeHead(405).end(),
    )
    expect(await check(host.url)).toMatchObject({ state: 'ok' })
    expect(host.asked.map(({ method }) => method)).toEqual(['GET'])
  })

  test('a page that calls itself an image is none', async () => {
    const host = await serve(sending('<html><body>Hello</body></html>', 'image/jpeg'))
    expect(await check(`${host.url}/a.jpg`)).toMatchObject({ state: 'not_an_image', type: 'html' })
  })
})

test.each([404, 410, 400, 204])('an image in whose place the host answers %i is dead', async (status) => {
  const host = await serve(sending('', 'image/jpeg', status))
  expect(await check(host.url)).toMatchObject({
    ...{ state: 'dead', status, says: `The host answered ${status} in place of an image` },
  })
})

test.each([500, 503, 429, 403, 401])(
  'one in whose place it answers %i may be there for others, or later',
  async (status) => {
    const host = await serve(sending('', 'image/jpeg', status))
    expect(await check(host.url)).toMatchObject({ state: 'unreachable', status })
  },
)

test('a host that is slow, breaks off or is not there says nothing of its image', async () => {
  const [slow, broken] = [await serve(() => {}), await serve((_, reply) => reply.destroy())]
  const gone = await localHost(() => {})
  await gone.close()
  for (const { url } of [slow, broken, gone])
    expect(await check(url)).toMatchObject({ state: 'unreachable', status: null, says: expect.any(String) })
})

test('a small image is too small, with its size; one of a pixel more is not', async () => {
  const [small, enough] = [
    await serve(sending(await drawn(1, 99, 400))),
    await serve(sending(await drawn(1, 100, 100))),
  ]
  expect(await check(small.url)).toMatchObject({
    ...{
      state: 'too_small',
      width: 99,
      height: 400,
      says: 'It has 99 x 400 pixels; platforms take none below 100 x 100',
    },
  })
  expect(await check(enough.url)).toMatchObject({ state: 'ok', width: 100 })
})

test('an image that breaks off, or only begins as one, is none', async () => {
  const whole = await drawn(2, 600)
  const [half, start] = [
    await serve(sending(whole.subarray(0, whole.length / 2))),
    await serve(sending(Buffer.concat([whole.subarray(0, 4), Buffer.alloc(2_000)]))),
  ]
  expect(await check(half.url)).toMatchObject({ state: 'not_an_image', says: 'It begins as a JPEG and is damaged' })
  expect(await check(start.url)).toMatchObject({ state: 'not_an_image', type: 'jpeg' })
})

test('an image of too many bytes or pixels is too large, and is not read to its end', async () => {
  const size = 200 * 2 ** 20
  const heavy = await serve((_, reply) => reply.writeHead(200, { 'content-length': size }).write('\xff\xd8\xff'))
  expect(await check(heavy.url)).toMatchObject({ state: 'too_large', says: expect.stringContaining('16 MB') })
  const wide = await serve(sending(bmp(10_000, 10_000)))
  expect(await check(wide.url)).toMatchObject({ state: 'too_large', width: 10_000 })
})

test('a body that has no end is cut off, where it is an image; where it is none its beginning is enough', async () => {
  const endless =
    (start: string): RequestListener =>
    (_, reply) => {
      reply.write(Buffer.from(start, 'latin1'))
      const more = () => {
        while (!reply.destroyed && reply.write(Buffer.alloc(65_536)));
      }
      reply.on('drain', more)
      more()
    }
  const [image, film] = [await serve(endless('\xff\xd8\xff')), await serve(endless('\0\0\0\x18ftypisom'))]
  expect(await check(image.url)).toMatchObject({ state: 'too_large' })
  expect(await check(film.url)).toMatchObject({ state: 'not_an_image', type: 'mp4' })
})

test('an image of a kind that is not looked into is one, with its kind', async () => {
  const host = await serve(sending('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'))
  expect(await check(host.url)).toMatchObject({ state: 'ok', type: 'svg', width: null })
})

test('a blank image looks like no other', async () => {
  const host = await serve(sending(await blank(600)))
  expect(await check(host.url)).toMatchObject({ state: 'ok', looks: null })
})

test('the host is asked by what it said of its file, and believed that it is the same', async () => {
  const image = await drawn(1, 600)
  const host = await serve((request, reply) => {
    if (request.headers['if-none-match'] === '"one"') return reply.writeHead(304).end()
    return reply.writeHead(200, { etag: '"one"', 'last-modified': 'Sat, 28 Nov 2026 09:30:00 GMT' }).end(image)
  })
  const first = await check(host.url)
  expect(first).toMatchObject({ etag: '"one"', lastModified: 'Sat, 28 Nov 2026 09:30:00 GMT' })
  expect(await check(host.url, first ?? never)).toBeNull()
  expect(host.asked[1]?.headers).toMatchObject({ 'if-modified-since': 'Sat, 28 Nov 2026 09:30:00 GMT' })
  // Who was not asked whether it is the same cannot say so.
  const odd = await serve(sending('', 'image/jpeg', 304))
  expect(await check(odd.url)).toMatchObject({ state: 'unreachable', status: 304 })
})

test('a redirect is followed, but to no private address', async () => {
  const image = await serve(sending(await drawn(1, 600)))
  const to =
    (location: string): RequestListener =>
    (_, reply) =>
      reply.writeHead(302, { location }).end()
  const [good, bad] = [await serve(to(image.url)), await serve(to('http://10.0.0.1/a.jpg'))]
  expect(await check(good.url)).toMatchObject({ state: 'ok' })
  expect(await check(bad.url)).toMatchObject({ state: 'dead', says: expect.stringContaining('cannot be fetched') })
})

test('an address that is no public one is dead, with one neutral text, and nothing is sent (KF-40)', async () => {
  const texts = new Set<string | null | undefined>()
  for (const address of [...loopbackClothes, 'no address', 'ftp://shop.example.test/a.jpg']) {
    const found = await check(address, never, [])
    expect(found, address).toMatchObject({ state: 'dead', status: null })
    texts.add(found?.says)
  }
  expect(texts.size).toBe(1)
})

test('who is told to stop throws, and says nothing of the image', async () => {
  const host = await serve(() => {})
  const egress = openEgress({ allow: ['127.0.0.1'], userAgent: 'AssayBot/0' })
  const ports = { hosts: openByTurns({ egress, restMs: 0 }), pictures }
  const stop = new AbortController()
  const asked = checkImage(host.url, never, ports, stop.signal)
  setTimeout(() => stop.abort(new Error('stopped')), 20)
  await expect(asked).rejects.toThrow('stopped')
})
