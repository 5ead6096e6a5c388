/** GET /openapi.json and GET /docs, open to all: the document of every registered route, and a page to read made from it. */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type DocumentedRoute, type Json, openapiDocument } from './openapi/document.ts'
import { docsPage } from './openapi/page.ts'
import './openapi/route-schema.ts'

/** Before any route: each is noted as it comes. */
export function registerOpenapi(app: FastifyInstance) {
  const routes: DocumentedRoute[] = []
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    if (config?.preflight) return
    for (const one of [method].flat())
      if (one !== 'HEAD') routes.push({ method: one, url, config: config ?? {}, schema: schema ?? {} })
  })
  let document: Json | null = null
  const whole = () => (document ??= openapiDocument(routes))
  let page: string | null = null

  app.get(
    '/openapi.json',
    {
      schema: {
        summary: 'This document',
        tags: ['Documentation'],
        answers: { 200: { type: 'application/json', schema: z.record(z.string(), z.unknown()) } },
      },
    },
    async (_request, reply) => reply.type('application/json; charset=utf-8').send(JSON.stringify(whole())),
  )

  app.get(
    '/docs',
    {
      schema: {
        summary: 'This document as a page to read',
        tags: ['Documentation'],
        answers: { 200: { type: 'text/html', schema: z.string() } },
      },
    },
    async (_request, reply) => {
      page ??= docsPage(whole())
      const policy = "default-src 'none'; style-src 'unsafe-inline'"
      return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page)
    },
  )
}
