/** The server of the protocol, one a request, over our tools, resources and prompts; the only file that names its library. */
import {
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  type McpHttpHandler,
  ProtocolError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Bearer } from '../plugins/access.ts'
import { callTool, longestName, recordUnknown } from './call-tool.ts'
import { listedTool } from './listed-tool.ts'
import type { McpPorts } from './mcp-ports.ts'
import { identity } from './plain-call.ts'
import type { Prompt } from './prompts.ts'
import { givenArguments } from './readable-calls.ts'
import { listed, nameIn, partsOf, resourcePage } from './resource-pages.ts'
import { type Resource, resourceAt } from './resources.ts'
import type { Tool, ToolContext } from './tool.ts'
import { failureOf, unforeseen } from './tool-failure.ts'

export interface Surface {
  readonly tools: readonly Tool[]
  readonly resources: readonly Resource[]
  readonly prompts: readonly Prompt[]
}

/** What a request brings along; never shared between two. */
export interface Asked {
  readonly request: FastifyRequest
  readonly bearer: Bearer
  readonly surface: Surface
  /** What is asked for, as far as it could be read: a message, or a batch of them. */
  readonly body: unknown
}

type Answering = Asked & { readonly ports: McpPorts }

const clientInfo = z.object({ name: z.string().min(1).max(200), version: z.string().max(200).optional() })

const invalidParams = -32_602
const internalError = -32_603
/** As the protocol bounds it. */
const mostCompletions = 100
const instructions =
  'Scoring and writing tools work on the working catalog. Products are named by id or SKU. Scores are 0 to 1. Writing tools preview unless `apply` is true.'

export function toolHandler(ports: McpPorts, onError: (error: Error) => void): McpHttpHandler {
  return createMcpHandler(
    ({ authInfo }) => {
      const asked = authInfo?.extra?.asked as Asked | undefined
      if (!asked) throw new Error('a request came without its caller')
      return serverFor({ ...asked, ports })
    },
    { onerror: onError },
  )
}

/** For `fetch` of the handler. */
export const callerOf = (asked: Asked) => ({
  authInfo: { token: '', clientId: asked.bearer.subject, scopes: [], extra: { asked } },
})

function serverFor(answering: Answering): Server {
  const { capabilities, verifyState } = answering.ports.mcp.fixtures ?? {}
  const server = new Server(identity, {
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, ...capabilities },
    instructions,
    ...(verifyState && { requestState: { verify: verifyState } }),
  })
  // It lives for one request: what that does not ask for would be made for nothing.
  for (const method of methodsIn(answering.body)) if (Object.hasOwn(offers, method)) offers[method]?.(server, answering)
  return server
}

function methodsIn(body: unknown): ReadonlySet<string> {
  const messages = Array.isArray(body) ? body : [body]
  return new Set(messages.flatMap((one) => (typeof one?.method === 'string' ? [one.method] : [])))
}

/** What can be asked, by method. */
const offers: Readonly<Record<string, (server: Server, answering: Answering) => void>> = {
  'tools/list': (server, { surface }) => {
    server.setRequestHandler('tools/list', ({ params }) => whole(params, { tools: surface.tools.map(listedTool) }))
  },
  'tools/call': (server, { surface, ports, bearer, request }) => {
    server.setRequestHandler('tools/call', async ({ params }, ctx) => {
      const context = {
        ...{ ports, bearer, request, signal: ctx.mcpReq.signal },
        ...{ agent: agentIn(ctx), progress: progressIn(ctx), protocol: ctx },
      }
      const tool = surface.tools.find(({ name }) => name === params.name)
      if (tool) return (await callTool(tool, givenArguments(params.arguments), context)) as never
      recordUnknown(params.name, context)
      throw new ProtocolError(invalidParams, `Unknown tool: ${params.name.slice(0, longestName)}`, { code: 'MCP_001' })
    })
  },
  'resources/list': (server, answering) => {
    const { surface } = answering
    server.setRequestHandler('resources/list', ({ params }) =>
      told(answering, () => resourcePage(surface.resources, params?.cursor, answering)),
    )
  },
  'resources/templates/list': (server, { surface }) => {
    server.setRequestHandler('resources/templates/list', ({ params }) =>
      whole(params, {
        resourceTemplates: partsOf(surface.resources).families.map(({ uri, ...one }) => ({
          ...listed({ ...one, uri }),
          uriTemplate: uri,
        })),
      }),
    )
  },
  'resources/read': (server, answering) => {
    server.setRequestHandler('resources/read', ({ params: { uri } }) =>
      told(answering, async () => {
        const at = resourceAt(answering.surface.resources, uri)
        const body = at && (await at.resource.read(at.name, answering))
        if (!body) throw new ProtocolError(invalidParams, 'There is no such resource', { uri })
        return { contents: [{ uri, mimeType: at.resource.mimeType, ...body }] }
      }),
    )
  },
  'completion/complete': (server, answering) => {
    server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) =>
      told(answering, async () => {
        const { resources } = answering.surface
        const family = ref.type === 'ref/resource' ? resources.find(({ uri }) => uri === ref.uri) : undefined
        // Of a long list its first page: who types on is told more.
        const found = await family?.list?.(undefined, answering)
        const names = (found?.resources ?? []).map(({ uri }) => (family ? (nameIn(family, uri) ?? '') : ''))
        const values = names.filter((name) => name.startsWith(argument.value)).slice(0, mostCompletions)
        return { completion: { values, hasMore: found?.next != null } }
      }),
    )
  },
  'prompts/list': (server, { surface }) => {
    server.setRequestHandler('prompts/list', ({ params }) =>
      whole(params, {
        prompts: surface.prompts.map(({ name, title, description, arguments: takes }) => ({
          ...{ name, title, description },
          arguments: takes.map((one) => ({ ...one })),
        })),
      }),
    )
  },
  'prompts/get': (server, { surface }) => {
    server.setRequestHandler('prompts/get', async ({ params }, ctx) => {
      const prompt = surface.prompts.find(({ name }) => name === params.name)
      const args = prompt?.input.safeParse(params.arguments ?? {})
      if (!prompt || !args?.success) {
        const says = prompt ? `${params.name}: ${args?.error?.issues[0]?.message}` : 'Unknown prompt'
        throw new ProtocolError(invalidParams, says, { code: 'MCP_002' })
      }
      const missing = prompt.asks?.(ctx)
      if (missing) return missing as never
      return { description: prompt.description, messages: prompt.messages(args.data) as never }
    })
  },
}

/** Of a list that is one page: no cursor is one of it. */
function whole<T>(params: { readonly cursor?: string | undefined } | undefined, list: T): T {
  if (params?.cursor === undefined) return list
  throw new ProtocolError(invalidParams, 'This is no cursor of this list', { code: 'MCP_002' })
}

/** What is no result of a tool fails as an error of the protocol, with our code in its data. */
async function told<T>({ request, ports }: Answering, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    const known = failureOf(error, ports.isStoreAway)
    if (!known) request.log.error({ err: error }, 'the tool channel failed')
    const { code, message } = known ?? unforeseen
    throw new ProtocolError(code.startsWith('SERVER') ? internalError : invalidParams, message, { code })
  }
}

/** Of what a client says of itself. */
export function agentOf(said: unknown): ToolContext['agent'] {
  const client = clientInfo.safeParse(said)
  if (!client.success) return null
  const { name, version } = client.data
  return { name, ...(version !== undefined && { version }) }
}

const agentIn = ({ mcpReq }: ServerContext) =>
  agentOf((mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_INFO_META_KEY])

function progressIn({ mcpReq }: ServerContext): ToolContext['progress'] {
  const progressToken = mcpReq._meta?.progressToken
  return async (progress, total) => {
    if (progressToken === undefined) return
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total } })
  }
}
