import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEgress } from '../../../infra/egress/open-egress.ts'
import { localHost } from './local-host.ts'
import { selfSigned } from './self-signed.ts'

const { key, cert } = selfSigned('shop.example')
const former = getCACertificates('default')
const seen: { host: string | undefined; name: unknown }[] = []
let server: Server
let port = 0
let to = ''
beforeAll(async () => {
  server = createServer({ key, cert }, (request, reply) => {
    seen.push({ host: request.headers.host, name: (request.socket as TLSSocket).servername })
    if (to === '') reply.end('page')
    else reply.writeHead(302, { location: to }).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  setDefaultCACertificates(former)
  server.close()
})

const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
const egress = openEgress({ allow: ['127.0.0.1'], userAgent: 'Test', resolve })
const status = (address: string) =>
  egress.ask(address, { http: true, maxBytes: 1_000, withinMs: 2_000 }, async (answer) => answer.status)

test('a certificate that nobody vouches for is not taken', async () => {
  await expect(status(`https://shop.example:${port}/`)).rejects.toMatchObject({ code: 'untrusted' })
})

test('the connection goes to the address that was checked, and speaks of the name', async () => {
  setDefaultCACertificates([...former, cert])
  expect(await status(`https://shop.example.:${port}/`)).toBe(200)
  expect(seen).toEqual([{ host: `shop.example.:${port}`, name: 'shop.example' }])
  await expect(status(`https://other.example:${port}/`)).rejects.toMatchObject({ code: 'untrusted' })
})

test('a redirect from https to http is not followed', async () => {
  const open = await localHost((_, reply) => reply.end('secret'))
  to = `http://shop.example:${open.port}/`
  await expect(status(`https://shop.example:${port}/`)).rejects.toMatchObject({ code: 'refused_address' })
  expect(open.connections()).toBe(0)
  expect(await status(to)).toBe(200)
  await open.close()
})
