import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { openByTurns } from '../../../infra/egress/by-turns.ts'
import { openEgress } from '../../../infra/egress/open-egress.ts'
import { type LocalHost, localHost } from './local-host.ts'

const open: LocalHost[] = []
afterEach(async () => {
  for (const host of open.splice(0)) await host.close()
})

const egress = openEgress({ allow: ['127.0.0.0/8'], userAgent: 'AssayBot/0' })
const ask = { maxBytes: 1_000, withinMs: 5_000 }
const status = async (answer: { status: number }) => answer.status

test('a host has one request at a time, and two hosts are asked at once', async () => {
  let [now, most, all, together] = [0, 0, 0, 0]
  const answering = (host: string) =>
    localHost(async (_, reply) => {
      together = Math.max(together, ++all)
      if (host === '127.0.0.1') most = Math.max(most, ++now)
      await sleep(30)
      if (host === '127.0.0.1') now--
      all--
      reply.end('x')
    }, host)
  const [a, b] = [await answering('127.0.0.1'), await answering('127.0.0.2')]
  open.push(a, b)
  const hosts = openByTurns({ egress, restMs: 0 })
  await Promise.all([a, a, a, b].map(({ url }) => hosts.ask(url, ask, status)))
  expect([most, together]).toEqual([1, 2])
})

test('a host that asks for more time gets it before it is asked again, and no other waits', async () => {
  const times: number[] = []
  const busy = await localHost((_, reply) => {
    times.push(Date.now())
    reply.writeHead(503, { 'retry-after': '1' }).end()
  })
  open.push(busy)
  const hosts = openByTurns({ egress, restMs: 0 })
  expect(await hosts.ask(busy.url, ask, status)).toBe(503)
  expect(await hosts.ask(busy.url, ask, status)).toBe(503)
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(950)
})
