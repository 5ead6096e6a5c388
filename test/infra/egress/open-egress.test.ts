import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { type Answer, type Ask, openEgress } from '../../../infra/egress/open-egress.ts'
import { isPublic } from '../../../infra/egress/public-addresses.ts'
import type { Resolve } from '../../../infra/egress/resolve.ts'
import { type LocalHost, localHost } from './local-host.ts'
import { loopbackClothes, otherRefused } from './loopback-clothes.ts'

const open: LocalHost[] = []
afterEach(async () => {
  for (const host of open.splice(0)) await host.close()
})
async function serve(answer: RequestListener, host?: string): Promise<LocalHost> {
  const served = await localHost(answer, host)
  open.push(served)
  return served
}

const never: Resolve = () => Promise.reject(new Error('nobody was to be asked'))
const shut = openEgress({ allow: [], userAgent: 'Test', resolve: never })
const local = (resolve?: Resolve) =>
  openEgress({
    allow: ['127.0.0.1'],
    userAgent: 'Test/1',
    answerWithinMs: 300,
    silentMs: 600,
    ...(resolve ? { resolve } : {}),
  })
const ask: Ask = { http: true, maxBytes: 10_000, withinMs: 2_000 }

async function textOf({ body }: Answer): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('an address that is no public web address', () => {
  test.each([...loopbackClothes, ...otherRefused].map((address) => [address.slice(0, 60), address]))(
    'is refused before anything is sent: %s',
    async (_, address) => {
      const error = expect.objectContaining({
        code: 'refused_address',
        message: 'This address cannot be fetched; give the public web address, without a user name or password in it',
      })
      expect(() => shut.check(address, { http: true })).toThrow(error)
      await expect(shut.ask(address, ask, textOf)).rejects.toThrow(error)
    },
  )

  test('is refused in other clothes where a private range may be asked, too, but for that range', () => {
    const asked = local(never)
    for (const address of [
      'http://localhost./',
      'http://a.localhost./',
      'http://intranet./',
      'http://[::1]/',
      'http://10.0.0.1/',
    ])
      expect(() => asked.check(address, { http: true }), address).toThrow('cannot be fetched')
    expect(asked.check('http://localhost/', { http: true }).hostname).toBe('localhost')
    expect(asked.check('https://shop.example./').hostname).toBe('shop.example.')
    // Plain http is for what is allowed, and nothing else: who gives another address is told at once, not when something is sent.
    expect(() => asked.check('http://9.9.9.9/')).toThrow('cannot be fetched')
    expect(asked.check('http://127.0.0.1:8080/').port).toBe('8080')
  })

  test('is refused in every way in which an IPv4 address can be written', () => {
    fc.assert(
      fc.property(fc.constantFrom(127, 10, 0), fc.nat(0xffffff), fc.nat(3), (first, rest, parts) => {
        const [b, c, d] = [rest >>> 16, (rest >>> 8) & 255, rest & 255]
        const hex = (n: number) => `0x${n.toString(16)}`
        const forms = [
          `${first * 2 ** 24 + rest}`,
          `${hex(first)}.${rest}`,
          `0${first.toString(8)}.${b}.${(c << 8) | d}`,
          `${first}.${hex(b)}.${c}.0${d.toString(8)}`,
        ]
        const v6 = `[::ffff:${((first << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}]`
        for (const host of [forms[parts], v6]) expect(() => shut.check(`https://${host}/`)).toThrow('cannot be fetched')
      }),
    )
  })

  test('plain http is taken only where the caller takes it', () => {
    expect(() => shut.check('http://shop.example/')).toThrow('cannot be fetched')
    expect(shut.check('http://shop.example/a#b', { http: true }).href).toBe('http://shop.example/a')
    expect(shut.check('https://shop.example:8443/a').href).toBe('https://shop.example:8443/a')
  })
})

test.each(['8.8.8.8', '1.1.1.1', '100.63.255.255', '100.128.0.0', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])(
  '%s is public',
  (address) => expect(isPublic(address)).toBe(true),
)

describe('what a name leads to', () => {
  test('is checked, all of it: one address inside spoils the others', async () => {
    const host = await serve((_, reply) => reply.end('secret'))
    for (const found of [
      ['127.0.0.1'],
      ['8.8.8.8', '127.0.0.1'],
      ['::ffff:127.0.0.1'],
      ['fd00::1'],
      ['fe80::1%lo'],
      ['2a00:1450::1%lo'],
      [],
    ]) {
      const resolve = async () => found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      const egress = openEgress({ allow: [], userAgent: 'Test', resolve })
      await expect(egress.ask(`http://shop.example:${host.port}/`, ask, textOf)).rejects.toThrow(
        expect.objectContaining({ code: 'unknown_host' }),
      )
    }
    expect(host.connections()).toBe(0)
  })

  test('is asked once a step, and what was checked is what is connected to', async () => {
    const [good, bad] = [
      await serve((_, reply) => reply.end('good')),
      await serve((_, reply) => reply.end('bad'), '127.0.0.2'),
    ]
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.2']
    let times = 0
    const egress = local(async () => [{ address: answers[times++] ?? '', family: 4 }])
    expect(await egress.ask(`http://shop.example:${good.port}/`, ask, textOf)).toBe('good')
    expect(times).toBe(1)
    expect(good.asked[0]?.headers.host).toBe(`shop.example:${good.port}`)
    // The second answer is another one: it is refused, and nobody connects.
    await expect(egress.ask(`http://shop.example:${bad.port}/`, ask, textOf)).rejects.toThrow('no public address')
    expect(bad.connections()).toBe(0)
  })

  test('that leads nowhere, or takes too long to say so, is told', async () => {
    const nowhere = local(() => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' })))
    await expect(nowhere.ask('http://shop.example/', ask, textOf)).rejects.toMatchObject({ code: 'unknown_host' })
    const slow = local(() => new Promise(() => {}))
    await expect(slow.ask('http://shop.example/', { ...ask, withinMs: 100 }, textOf)).rejects.toMatchObject({
      code: 'timeout',
    })
  })
})

describe('a redirect', () => {
  test('is followed, and told', async () => {
    const host = await serve((request, reply) => {
      if (request.url === '/b') reply.end('here')
      else reply.writeHead(302, { location: './b' }).end()
    })
    const answer = await local().ask(`${host.url}/a`, ask, async (one) => [one.url.pathname, await textOf(one)])
    expect(answer).toEqual(['/b', 'here'])
  })

  test('to an address inside is refused before anything is sent', async () => {
    const inside = await serve((_, reply) => reply.end('secret'), '127.0.0.2')
    for (const to of [
      inside.url,
      `http://0x7f.0.0.2:${inside.port}/`,
      'http://169.254.169.254/',
      'file:///etc/passwd',
      '//user:pw@shop.example/',
      'http://[',
    ]) {
      const host = await serve((_, reply) => reply.writeHead(301, { location: to }).end())
      await expect(local().ask(host.url, ask, textOf)).rejects.toMatchObject({ code: 'refused_address' })
    }
    expect(inside.connections()).toBe(0)
  })

  test('is followed five times and no more', async () => {
    const host = await serve((request, reply) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) reply.end('there')
      else reply.writeHead(307, { location: `/${left - 1}` }).end()
    })
    expect(await local().ask(`${host.url}/5`, ask, textOf)).toBe('there')
    await expect(local().ask(`${host.url}/6`, ask, textOf)).rejects.toMatchObject({ code: 'too_many_redirects' })
  })

  test('of a POST is an answer like any other', async () => {
    const host = await serve((_, reply) => reply.writeHead(302, { location: '/b' }).end())
    const sent = { ...ask, method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } } as const
    expect(await local().ask(host.url, sent, async ({ status }) => status)).toBe(302)
    expect(host.asked.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /'])
  })
})

describe('bounds', () => {
  const refuses = async (answer: RequestListener, code: string, more: Partial<Ask> = {}) => {
    const host = await serve(answer)
    const began = performance.now()
    await expect(local().ask(host.url, { ...ask, ...more }, textOf)).rejects.toMatchObject({ code })
    expect(performance.now() - began).toBeLessThan(1_500)
  }

  test('a host that takes the connection and says nothing', () => refuses(() => {}, 'timeout'))

  test('a body that drips', () =>
    refuses(
      async (request, reply) => {
        while (!request.destroyed && !reply.destroyed) {
          reply.write('a')
          await sleep(20)
        }
      },
      'timeout',
      { withinMs: 400 },
    ))

  test('a body that stops', () => refuses((_, reply) => void reply.write('a'), 'timeout'))

  test('what the reader throws itself is thrown as it is', async () => {
    const host = await serve((_, reply) => reply.end('a'))
    const own = Object.assign(new Error('the database is away'), { code: 'ECONNREFUSED' })
    await expect(local().ask(host.url, ask, () => Promise.reject(own))).rejects.toBe(own)
  })

  test('a body without end', () =>
    refuses((_, reply) => {
      const write = () => {
        while (reply.write('a'.repeat(1_000)));
        reply.once('drain', write)
      }
      write()
    }, 'too_large'))

  test('a body that says how much too large it is is not read', () =>
    refuses((_, reply) => reply.writeHead(200, { 'content-length': '10001' }).flushHeaders(), 'too_large'))

  test('a gzip bomb', () =>
    refuses(
      (_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('a'.repeat(5_000_000))),
      'too_large',
    ))

  test('a gzip that is cut off, and one that is none', async () => {
    const packed = gzipSync('a,b\n1,2\n')
    await refuses(
      (_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end(packed.subarray(0, -3)),
      'bad_answer',
    )
    await refuses((_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'), 'bad_answer')
    await refuses((_, reply) => reply.writeHead(200, { 'content-encoding': 'zip' }).end('plain'), 'bad_answer')
  })

  test('headers without number', () =>
    refuses((_, reply) => reply.writeHead(200, { a: 'x'.repeat(20_000) }).end(), 'too_large'))

  test('a connection that breaks off in the body', () =>
    refuses((_, reply) => {
      reply.writeHead(200, { 'content-length': '50' }).write('a')
      setTimeout(() => reply.destroy(), 20)
    }, 'unreachable'))

  test('what was packed comes unpacked', async () => {
    const host = await serve((_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('a,b')))
    expect(await local().ask(host.url, ask, textOf)).toBe('a,b')
    expect(host.asked[0]?.headers).toMatchObject({ 'user-agent': 'Test/1', 'accept-encoding': 'gzip, deflate, br' })
  })

  test('who asked may stop it at any time, and sees their own reason', async () => {
    const host = await serve(() => {})
    const stop = new AbortController()
    const asked = local().ask(host.url, { ...ask, signal: stop.signal }, textOf)
    setTimeout(() => stop.abort(new Error('cancelled')), 50)
    await expect(asked).rejects.toThrow('cancelled')
  })
})

describe('a connection that is kept', () => {
  const kept: Ask = { ...ask, method: 'POST', body: '{}', keep: true }

  test('takes the next request too, but for one whose body was left unread', async () => {
    const host = await serve((_, reply) => reply.end('x'.repeat(50_000)))
    const egress = local()
    for (let n = 0; n < 3; n++) await egress.ask(host.url, { ...kept, maxBytes: 100_000 }, textOf)
    expect(host.connections()).toBe(1)
    await egress.ask(host.url, kept, async ({ status }) => status)
    await egress.ask(host.url, { ...kept, maxBytes: 100_000 }, textOf)
    expect(host.connections()).toBe(2)
  })

  test('is none of a name that leads elsewhere by now, nor of who does not ask for it', async () => {
    const [one, two] = [
      await serve((_, reply) => reply.end('one')),
      await serve((_, reply) => reply.end('two'), '127.0.0.2'),
    ]
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.1']
    const egress = openEgress({
      allow: ['127.0.0.0/8'],
      userAgent: 'Test',
      resolve: async () => [{ address: answers.shift() ?? '', family: 4 }],
    })
    expect(await egress.ask(`http://shop.example:${one.port}/`, kept, textOf)).toBe('one')
    // The same name and port at another address: nobody listens there, and the kept connection is not asked.
    await expect(egress.ask(`http://shop.example:${one.port}/`, kept, textOf)).rejects.toMatchObject({
      code: 'unreachable',
    })
    expect(await egress.ask(`http://shop.example:${one.port}/`, { ...ask, method: 'POST' }, textOf)).toBe('one')
    expect([one.connections(), two.connections()]).toEqual([2, 0])
  })

  test('that its host has closed meanwhile is no failure: the request is made once more', async () => {
    let times = 0
    const host = await serve((request, reply) => {
      // As a server whose time for idle connections is over just then.
      if (++times === 2) return void request.socket.resetAndDestroy()
      reply.end('here')
    })
    const egress = local()
    for (let n = 0; n < 2; n++) expect(await egress.ask(host.url, kept, textOf)).toBe('here')
    expect(times).toBe(3)
    expect(host.connections()).toBe(2)
  })
})
