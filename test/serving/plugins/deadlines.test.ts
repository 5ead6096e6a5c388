import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { registerDeadlines } from '../../../serving/plugins/deadlines.ts'
import { registerErrors } from '../../../serving/plugins/errors.ts'

const withinMs = 200
let app: FastifyInstance
let url: string
beforeEach(async () => {
  app = Fastify()
  registerDeadlines(app, withinMs)
  registerErrors(app, { isStoreAway: () => false })
  const slow = async () => {
    await sleep(3 * withinMs)
    return { done: true }
  }
  app.get('/slow', slow)
  app.get('/long', { config: { long: true } }, slow)
  app.get('/stalls', async (_request, reply) => {
    const body = new Readable({ read() {} })
    body.push('begun')
    return reply.type('text/plain').send(body)
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => app.close())

test('503: an answer that does not come in time, once, and what the handler says later is nobody’s', async () => {
  const answer = await fetch(`${url}/slow`)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await answer.json()).toMatchObject({ error: { code: 'SERVER_002' } })
  await sleep(3 * withinMs)
  expect((await fetch(`${url}/slow`)).status).toBe(503)
})

test('a route that is long is waited for', async () => {
  expect(await (await fetch(`${url}/long`)).json()).toEqual({ done: true })
})

test('an answer that has begun and stands still is cut off, not ended as if it were whole', async () => {
  const answer = await fetch(`${url}/stalls`)
  expect(answer.status).toBe(200)
  await expect(answer.text()).rejects.toThrow()
})
