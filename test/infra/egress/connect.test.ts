import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEgress } from '../../../infra/egress/open-egress.ts'
import type { Resolve } from '../../../infra/egress/resolve.ts'
import { localHost } from './local-host.ts'
import { loopbackClothes } from './loopback-clothes.ts'

const signal = new AbortController().signal
const within = { withinMs: 2_000, signal }
const shut = openEgress({ allow: [], userAgent: 'Test' })
const local = (resolve?: Resolve) =>
  openEgress({
    allow: ['127.0.0.1'],
    userAgent: 'Test',
    answerWithinMs: 300,
    silentMs: 300,
    ...(resolve ? { resolve } : {}),
  })

describe('a connection for a protocol of its own', () => {
  let port: number
  const server = createServer((socket) => socket.end('SSH-2.0-here\r\n'))
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => server.close())

  test('goes to what the name was found to lead to, where that is allowed', async () => {
    const found: Resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const socket = await local(found).connect('sftp.shop.example', port, within)
    expect((await buffer(socket)).toString()).toContain('SSH-2.0')
  })

  test.each(loopbackClothes.map((address) => new URL(address).hostname.replace(/^\[|\]$/g, '')))(
    'is refused before anything is sent: %s',
    async (host) => {
      expect(() => shut.checkHost(host, 22)).toThrow(expect.objectContaining({ code: 'refused_address' }))
      await expect(shut.connect(host, 22, within)).rejects.toMatchObject({ code: 'refused_address' })
    },
  )

  test('is refused where a name leads inside, or to a port that others listen on', async () => {
    const inside: Resolve = async () => [{ address: '10.0.0.1', family: 4 }]
    await expect(local(inside).connect('sftp.shop.example', 22, within)).rejects.toMatchObject({ code: 'unknown_host' })
    for (const taken of [21, 25, 80, 443, 0, 70_000])
      await expect(local().connect('127.0.0.1', taken, within)).rejects.toMatchObject({ code: 'refused_address' })
  })

  test('that nobody takes is unreachable', async () => {
    await expect(local().connect('127.0.0.1', 1_024, within)).rejects.toMatchObject({ code: 'unreachable' })
  })
})

describe('a file that is put', () => {
  const put = (url: string, body: () => Readable) =>
    local().ask(
      url,
      { method: 'PUT', body, http: true, maxBytes: 1_000, withinMs: 5_000 },
      async ({ status }) => status,
    )

  test('is streamed, and is followed nowhere', async () => {
    let came = 0
    const host = await localHost(async (request, reply) => {
      came = (await buffer(request)).length
      reply.writeHead(307, { location: 'https://elsewhere.example/' }).end()
    })
    expect(await put(host.url, () => Readable.from([Buffer.alloc(500_000), Buffer.alloc(500_000)]))).toBe(307)
    expect(came).toBe(1_000_000)
    await host.close()
  })

  test('may take longer than an answer may; who takes nothing any more is given up', async () => {
    const slow = async function* () {
      for (let i = 0; i < 5; i++) {
        yield Buffer.from('a')
        await new Promise((done) => setTimeout(done, 100))
      }
    }
    const host = await localHost(async (request, reply) => {
      await buffer(request)
      reply.writeHead(200).end()
    })
    expect(await put(host.url, () => Readable.from(slow()))).toBe(200)
    await host.close()
    const deaf = await localHost((request) => request.pause())
    const much = () => Readable.from(Array.from({ length: 400 }, () => Buffer.alloc(100_000)))
    await expect(put(deaf.url, much)).rejects.toMatchObject({ code: 'timeout' })
    await deaf.close()
  })

  test('that cannot be read fails as it does', async () => {
    const host = await localHost((request) => request.resume())
    const broken = () =>
      new Readable({
        read() {
          this.destroy(new Error('the disk is away'))
        },
      })
    await expect(put(host.url, broken)).rejects.toThrow('the disk is away')
    await host.close()
  })
})
