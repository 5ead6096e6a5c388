import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { health } from '../../serving/health.ts'

async function ask(url: string, stores: Record<string, boolean>) {
  const app = Fastify()
  await app.register(health, { readiness: { check: async () => stores } })
  const { statusCode, headers, payload } = await app.inject({ method: 'GET', url })
  return { status: statusCode, retryAfter: headers['retry-after'], body: JSON.parse(payload) }
}

test('200: the process lives, whatever its stores do', async () => {
  expect(await ask('/health/live', { postgres: false })).toMatchObject({ status: 200, body: { status: 'ok' } })
})

test('200: it is ready while every store answers', async () => {
  const body = { status: 'ok', stores: { postgres: true, clickhouse: true } }
  expect(await ask('/health/ready', body.stores)).toEqual({ status: 200, retryAfter: undefined, body })
})

test('503: one store that is away makes it not ready, and is named', async () => {
  const body = { status: 'away', stores: { postgres: false, clickhouse: true } }
  expect(await ask('/health/ready', body.stores)).toEqual({ status: 503, retryAfter: '5', body })
})
