import { Writable } from 'node:stream'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import { masked } from '../../../serving/plugins/log-fields.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { openProbe, type Probe, probes } from '../access/probe.ts'

let assay: Running
let probe: Probe
let log = ''
beforeAll(async () => {
  assay = await startAssay()
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += chunk
      done()
    },
  })
  const { access } = serverPorts(assay.system)
  probe = await openProbe(assay, { access, logger: pino({ level: 'trace' }, sink) })
  probe.app.get('/throws', (request) => {
    request.log.info({ req: request }, 'on its way')
    throw new Error('broken')
  })
})
afterAll(async () => {
  await probe.app.close()
  await assay.close()
})

test('no credential reaches the log, whatever its sender put it into', async () => {
  const token = await assay.token('admin')
  const { key } = await probe.key({ brand: await probe.main() })
  const opaque = 'hunter2-hunter2-hunter2'
  const base = `/api/workspace/${workspace}`
  const secrets = [token, key, opaque]
  for (const secret of secrets) {
    const paths = [
      '/health/live',
      '/throws',
      '/none',
      probes.feed,
      probes.none,
      `${base}/catalogs`,
      '/jobs/%zz',
      '/jobs/x',
    ]
    for (const path of paths)
      for (const name of ['key', 'access_token', 'api_key', 'token', 'KEY', 'x-api-key'])
        await probe.ask(`${path}?a=1&${name}=${encodeURIComponent(secret)}&b=2`)
    for (const path of paths) {
      await probe.ask(path, { as: secret })
      await probe.ask(path, { headers: { 'x-api-key': secret, cookie: `session=${secret}` } })
      await probe.ask(path, { headers: { authorization: `Basic ${secret}` } })
    }
    for (const body of [{ key: secret }, { title: secret, price: 'x' }, { name: secret, secret }])
      await probe.ask(`${base}/catalogs`, { as: token, method: 'POST', body })
  }
  for (const secret of [token, key])
    await probe.ask(`/none/${secret}`, { headers: { referer: `http://x/?key=${secret}` } })
  expect(log.includes('"url":"/throws?a=1&key=***&b=2"')).toBe(true)
  expect(log.split('\n').length).toBeGreaterThan(200)
  for (const secret of secrets) {
    const at = log.indexOf(secret.slice(9, 40))
    expect(at < 0 ? '' : log.slice(Math.max(0, at - 200), at + 60)).toBe('')
  }
  expect(/ask_live_|eyJ/.test(log)).toBe(false)
})

test.each([
  ['/a?key=secret', '/a?key=***'],
  ['/a?x=1&access_token=secret&y=2#z', '/a?x=1&access_token=***&y=2#z'],
  ['/a?monkey=1&keys=2', '/a?monkey=1&keys=2'],
  ['/a/ask_live_0123456789abcdef', '/a/***'],
  ['/a?q=eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.abc', '/a?q=***'],
])('%j is logged as %j', (url, as) => {
  expect(masked(url)).toBe(as)
})
