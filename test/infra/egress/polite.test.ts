import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { openEgress } from '../../../infra/egress/open-egress.ts'
import { openPolite } from '../../../infra/egress/polite.ts'
import { type LocalHost, localHost } from './local-host.ts'

const open: LocalHost[] = []
afterEach(async () => {
  for (const host of open.splice(0)) await host.close()
})

/** @param robots status and text of its robots.txt */
async function serve([status, text]: [number, string], answer: RequestListener = (_, reply) => reply.end('page')) {
  const host = await localHost((request, reply) => {
    if (request.url === '/robots.txt') reply.writeHead(status).end(text)
    else answer(request, reply)
  })
  open.push(host)
  return host
}

function crawler(pauseMs = 0, now = Date.now) {
  const egress = openEgress({ allow: ['127.0.0.1'], userAgent: 'AssayBot/0' })
  const polite = openPolite({ egress, agent: 'AssayBot', pauseMs, now })
  const signal = new AbortController().signal
  return (address: string, within = signal) =>
    polite.fetch(address, { maxBytes: 1_000, withinMs: 2_000, accept: 'text/html', signal: within }, async (answer) => {
      await sleep(20)
      return answer.status
    })
}

const pages = (host: LocalHost) => host.asked.map(({ url }) => url).filter((url) => url !== '/robots.txt')

test('a page that robots.txt keeps is not asked for, and robots.txt is asked for once', async () => {
  const host = await serve([200, 'User-agent: *\nDisallow: /kept'])
  const fetch = crawler()
  await expect(fetch(`${host.url}/kept?a`)).rejects.toMatchObject({ code: 'robots_disallowed' })
  expect(await fetch(`${host.url}/open`)).toBe(200)
  expect(host.asked.map(({ url }) => url)).toEqual(['/robots.txt', '/open'])
})

test('a redirect to a page that is kept is not followed', async () => {
  const host = await serve([200, 'User-agent: *\nDisallow: /kept'], (_, reply) =>
    reply.writeHead(302, { location: '/kept' }).end(),
  )
  await expect(crawler()(`${host.url}/open`)).rejects.toMatchObject({ code: 'robots_disallowed' })
  expect(pages(host)).toEqual(['/open'])
})

test.each([404, 403, 410])('a robots.txt that answers %i keeps nothing', async (status) => {
  const host = await serve([status, 'User-agent: *\nDisallow: /'])
  expect(await crawler()(`${host.url}/a`)).toBe(200)
})

test.each([500, 503, 429])('one that answers %i keeps all for now, and is asked again later', async (status) => {
  const host = await serve([status, ''])
  let at = 0
  const fetch = crawler(0, () => at)
  for (at of [0, 1_000]) await expect(fetch(`${host.url}/a`)).rejects.toMatchObject({ code: 'robots_unreachable' })
  expect(host.asked).toHaveLength(1)
  at = 120_000
  await expect(fetch(`${host.url}/a`)).rejects.toMatchObject({ code: 'robots_unreachable' })
  expect(host.asked).toHaveLength(2)
  expect(pages(host)).toEqual([])
})

test('a host is asked for one page at a time, with a pause between two; other hosts do not wait for it', async () => {
  let atOnce = 0
  let most = 0
  const times: number[] = []
  const host = await serve([404, ''], async (_, reply) => {
    times.push(performance.now())
    most = Math.max(most, ++atOnce)
    await sleep(30)
    atOnce--
    reply.end()
  })
  const other = await serve([404, ''])
  const fetch = crawler(100)
  const began = performance.now()
  const all = Promise.all(['/a', '/b', '/c'].map((path) => fetch(`${host.url}${path}`)))
  await fetch(`${other.url}/`)
  expect(performance.now() - began).toBeLessThan(150)
  await all
  expect(most).toBe(1)
  expect(times.slice(1).every((time, i) => time - (times[i] ?? 0) >= 125)).toBe(true)
})

test('the delay that a host asks for is kept', async () => {
  const host = await serve([200, 'User-agent: *\nCrawl-delay: 0.3'])
  const fetch = crawler()
  const began = performance.now()
  await Promise.all([fetch(`${host.url}/a`), fetch(`${host.url}/b`)])
  expect(performance.now() - began).toBeGreaterThan(300)
})

test('who stops waiting gives the turn to the next, and no pause is lost', async () => {
  const host = await serve([404, ''])
  const fetch = crawler(150)
  const stop = new AbortController()
  const began = performance.now()
  const first = fetch(`${host.url}/a`)
  const second = fetch(`${host.url}/b`, stop.signal)
  const third = fetch(`${host.url}/c`)
  stop.abort(new Error('cancelled'))
  await expect(second).rejects.toThrow('cancelled')
  expect(await Promise.all([first, third])).toEqual([200, 200])
  expect(pages(host)).toEqual(['/a', '/c'])
  expect(performance.now() - began).toBeGreaterThan(150)
})
