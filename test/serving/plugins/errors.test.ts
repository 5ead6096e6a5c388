import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify, { type FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import { expect, test } from 'vitest'
import { registerErrors } from '../../../serving/plugins/errors.ts'
import { untilGone } from '../../../serving/workspace/until-gone.ts'

/** Levels of what is logged when somebody asks, and hangs up while they wait. */
async function loggedFor(work: (gone: AbortSignal) => Promise<never>): Promise<number[]> {
  const levels: number[] = []
  const logger: FastifyBaseLogger = pino(
    { level: 'info' },
    { write: (line: string) => void levels.push(JSON.parse(line).level) },
  )
  const app = fastify({ loggerInstance: logger, disableRequestLogging: true })
  registerErrors(app, { isStoreAway: () => false })
  let begun = () => {}
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  app.post('/slow', async (_request, reply) => {
    begun()
    return work(untilGone(reply))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  levels.length = 0
  const asking = request({ port: (app.server.address() as AddressInfo).port, path: '/slow', method: 'POST' }).on(
    'error',
    () => {},
  )
  asking.setHeader('content-type', 'application/json').end('{}')
  await hasBegun
  asking.destroy()
  await expect.poll(() => levels.length, { timeout: 5_000 }).toBeGreaterThan(0)
  await app.close()
  return levels
}

const untilItEnds = (gone: AbortSignal) =>
  new Promise<void>((resolve) => gone.addEventListener('abort', () => resolve(), { once: true }))

test('who hangs up is no fault: what was done for them ends, and that is said without an alarm', async () => {
  const levels = await loggedFor(async (gone) => {
    await untilItEnds(gone)
    throw gone.reason
  })
  expect(levels).toEqual([30])
})

test('a fault is one also where nobody waits for the answer any more', async () => {
  const levels = await loggedFor(async (gone) => {
    await untilItEnds(gone)
    throw new TypeError('nothing is there')
  })
  expect(levels).toContain(50)
})
