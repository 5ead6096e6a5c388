import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { expect, test } from 'vitest'
import { protectedResource } from '../../../serving/mcp/protected-resource.ts'
import '../../../serving/openapi/route-schema.ts'

async function asked(issuer: string | null, path: string) {
  const app = Fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  await app.register(protectedResource, {
    access: { publicUrl: 'https://assay.example.test/' },
    mcp: { issuer, isBehindProxy: false },
  })
  const answer = await app.inject({ method: 'GET', url: `/.well-known/oauth-protected-resource${path}` })
  await app.close()
  return { status: answer.statusCode, body: answer.json() }
}

test('200: clients are told which identity provider gives tokens for the channel', async () => {
  const { status, body } = await asked('https://login.example.test/', '/api/mcp/sse')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    resource: 'https://assay.example.test/api/mcp/sse',
    authorization_servers: ['https://login.example.test/'],
    bearer_methods_supported: ['header'],
  })
})

test('404: where there is no provider nobody is sent to one', async () => {
  expect((await asked(null, '')).status).toBe(404)
})
