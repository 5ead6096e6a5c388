/** POST /api/mcp/sse and /api/mcp: the tool channel, JSON-RPC over HTTP, without sessions; answers as JSON or as a stream of events. */
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { bearerOf } from '../plugins/access.ts'
import { jsonText } from '../plugins/hardening.ts'
import { countAlso } from '../plugins/limits.ts'
import { Refusal } from '../plugins/refusal.ts'
import { untilGone } from '../workspace/until-gone.ts'
import { wrongName } from './allowed-names.ts'
import { callTool } from './call-tool.ts'
import { jsonOfEvents } from './json-of-events.ts'
import type { McpPorts } from './mcp-ports.ts'
import { narrowed } from './narrowed.ts'
import { plainAnswer, plainCall } from './plain-call.ts'
import { prompts } from './prompts.ts'
import { resourceMetadataUrl } from './protected-resource.ts'
import { readableCalls } from './readable-calls.ts'
import { repeatedCall } from './repeated-call.ts'
import { resources } from './resources.ts'
import { shortForm } from './short-form.ts'
import type { Tool } from './tool.ts'
import { toolList } from './tool-list.ts'
import { agentOf, callerOf, toolHandler } from './tool-server.ts'

/** The protocol's own revision of the moment, in which a short call is answered. */
const revision = '2026-07-28'
const both = 'application/json, text/event-stream'
const parseError = -32_700
const refused = -32_000

const query = z.object({ tools: z.string().max(500).optional() })

const exampleCall = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_score', arguments: { product_id: 'MUG-1' } },
}
const exampleAnswer = {
  jsonrpc: '2.0',
  id: 1,
  result: {
    content: [{ type: 'text', text: '{"product_id":"…","score":0.62}' }],
    structuredContent: { score: 0.62 },
  },
}

export const mcpChannel: FastifyPluginAsyncZod<McpPorts> = async (app, ports) => {
  const { fixtures } = ports.mcp
  const surface = {
    tools: [...toolList, ...(fixtures?.tools ?? [])],
    resources: [...resources, ...(fixtures?.resources ?? [])],
    prompts: [...prompts, ...(fixtures?.prompts ?? [])],
  }
  const handler = toolHandler(ports, (err) => app.log.debug({ err }, 'the tool channel'))
  app.addHook('preClose', () => handler.close())
  // What is no JSON is told as the protocol tells it.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, JSON.parse(jsonText(request, body)))
    } catch (error) {
      done(null, error instanceof Refusal ? error : new Refusal(400, 'The body is no JSON'))
    }
  })

  // A client without a good token finds the identity provider by this (RFC 9728).
  app.addHook('onSend', ({ protocol, host, bearer }, reply, _payload, done) => {
    const { issuer } = ports.mcp
    // Whose credential was good is not refused for what it may do.
    const isRefused = reply.statusCode === 401 || (reply.statusCode === 403 && bearer === null)
    if (issuer === null || !isRefused) return done()
    const url = resourceMetadataUrl(ports.access.publicUrl ?? `${protocol}://${host}`)
    const error = reply.statusCode === 403 ? ', error="insufficient_scope"' : ''
    reply.header('www-authenticate', `Bearer resource_metadata="${url}", scope="mcp:tools"${error}`)
    done()
  })

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { body } = request
    const wrong = wrongName(request, { ...ports.mcp, publicUrl: ports.access.publicUrl })
    if (wrong !== null) return rpcError(reply.code(403), { code: refused, message: wrong }, body)
    if (body instanceof Refusal)
      return rpcError(reply.code(body.status), { code: parseError, message: `Parse error: ${body.message}` }, null)
    // Revisions before 2025-06-18 have batches: of their messages each is a request.
    if (Array.isArray(body)) await countAlso(request, reply, ports.limits, body.length - 1)
    const bearer = bearerOf(request)
    const { tools: named } = request.query as z.infer<typeof query>
    const tools = narrowed(surface.tools, named, bearer)
    const call = takesJson(request) ? plainCall(request.headers, body, tools) : null
    if (!call) return byLibrary(request, reply, tools)
    const { tool, args, client } = call
    const context = { ports, bearer, request, signal: untilGone(reply), agent: agentOf(client) }
    const told = await callTool(tool, args, { ...context, progress: async () => {}, protocol: null })
    return reply.type('application/json').serializer(text).send(plainAnswer(call, told))
  }

  const byLibrary = async (request: FastifyRequest, reply: FastifyReply, tools: readonly Tool[]) => {
    const short = shortForm(request.body, request.id)
    const { body: asIs, headers } = short === null ? { body: request.body, headers: {} } : modern(short)
    const body = readableCalls(asIs)
    const plain = short !== null || takesJson(request)
    // An answer that is kept under its key is no stream, where the caller takes another.
    const streams = takesEvents(request) && !(plain && request.idempotent)
    const accept = streams || plain ? both : (request.headers.accept ?? '')
    const asked = { headers: { ...namedHeaders(request), ...headers, accept }, signal: untilGone(reply) }
    const web = new Request(`http://assay.invalid${request.url}`, { method: request.method, ...asked })
    const response = await handler.fetch(web, {
      ...callerOf({ request, bearer: bearerOf(request), surface: { ...surface, tools }, body }),
      ...(body == null ? {} : { parsedBody: body }),
    })
    reply.code(response.status)
    for (const [name, value] of response.headers) if (name !== 'content-length') reply.header(name, value)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (isStream && streams) {
      reply.header('x-accel-buffering', 'no')
      return reply.send(Readable.fromWeb(response.body as ReadableStream))
    }
    if (isStream) reply.type('application/json')
    const said = isStream ? await jsonOfEvents(response, Array.isArray(body)) : await response.text()
    const json = response.status < 400 ? said : underItsId(said, body)
    return json === '' ? reply.send() : reply.serializer(text).send(json)
  }

  // GET and DELETE are 405, as of every path: there is no stream of its own, and no session to end.
  for (const url of ['/api/mcp/sse', '/api/mcp'])
    app.post(
      url,
      {
        config: { action: 'mcp:tools', channel: 'tools', long: true, repeats: repeatedCall },
        schema: {
          summary: 'Call tools, read resources and prompts (MCP)',
          description: [
            'JSON-RPC 2.0 of the Model Context Protocol over streamable HTTP, of both eras (2025-11-25 and before, 2026-07-28), without sessions. Answers are JSON or a stream of events, as `Accept` asks.',
            'A body `{ method, params }` without `jsonrpc` and `id` is answered as a call. `tools` narrows the connection to categories or tools; a tool that is narrowed out, unknown or forbidden is `MCP_001` in `error.data.code`. A call that fails answers a result with `isError`, whose text is `{ error: { code, message, field } }`, also as `_meta["assay/error"]`.',
            url === '/api/mcp'
              ? 'The same as `/api/mcp/sse`, for clients that misread a path that ends in `/sse`.'
              : '',
          ].join('\n\n'),
          tags: ['Tools'],
          // As JSON-RPC errors: an unknown method of the newer era, and an Accept that takes neither form.
          errors: [404, 406].map((status) => ({ code: status === 404 ? 'NOT_FOUND' : 'BAD_REQUEST', status })),
          examples: { body: exampleCall, query: { tools: 'scores' } },
          querystring: query,
          body: z.unknown(),
          // A notification is taken and not answered; and with a 202 a call can be repeated under an Idempotency-Key.
          response: { 202: z.null() },
          answers: {
            200: [
              { type: 'application/json', schema: z.unknown(), example: exampleAnswer },
              { type: 'text/event-stream', schema: z.string() },
            ],
            202: [],
          },
        },
      },
      answer,
    )
}

const text = (body: unknown) => body as string

const takesJson = ({ headers: { accept = '' } }: FastifyRequest) =>
  accept === '' || accept.includes('application/json') || accept.includes('*/*')
const takesEvents = ({ headers: { accept = '' } }: FastifyRequest) =>
  accept.includes('text/event-stream') || accept.includes('*/*')

/** null: it has none that can be read. */
function idIn(body: unknown): string | number | null {
  const id = (body as { readonly id?: unknown } | null | undefined)?.id
  return typeof id === 'string' || Number.isInteger(id) ? (id as string | number) : null
}

/** Of a request that it refuses as such the library names no id, though it may well have one. */
function underItsId(json: string, body: unknown): string {
  if (json === '' || idIn(body) === null) return json
  const error = JSON.parse(json)
  return JSON.stringify({ ...error, id: error.id ?? idIn(body) })
}

const rpcError = (reply: FastifyReply, error: { readonly code: number; readonly message: string }, body: unknown) =>
  reply.send({ jsonrpc: '2.0', id: idIn(body), error })

/** What the protocol reads of a request's headers. */
function namedHeaders({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      /^(mcp-|content-type$|user-agent$|last-event-id$)/.test(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}

/** A call of today's protocol, by a client of which nothing is known. */
function modern(short: object): { readonly body: object; readonly headers: Record<string, string> } {
  const { method, params = {} } = short as { method: string; params?: Record<string, unknown> }
  const name = params?.name ?? params?.uri
  const _meta = {
    ...(params?._meta as object | undefined),
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return {
    body: { ...short, params: { ...params, _meta } },
    headers: {
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': encodedName(name) }),
    },
  }
}

/** As the protocol writes what is no visible ASCII. */
const encodedName = (name: string) =>
  /^[\x21-\x7e]+$/.test(name) ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`
