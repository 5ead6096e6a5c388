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
import { interfaceVersion } from '../../schemas/interface-version.ts'
import type { Bearer } from '../plugins/access.ts'
import { callTool } from './call-tool.ts'
import { listedTool } from './listed-tool.ts'
import type { McpPorts } from './mcp-ports.ts'
import type { Prompt } from './prompts.ts'
import { type Resource, resourceAt } from './resources.ts'
import type { Tool, ToolContext } from './tool.ts'

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
}

const clientInfo = z.object({ name: z.string().min(1).max(200), version: z.string().max(200).optional() })

const invalidParams = -32_602
/** As the protocol bounds it. */
const mostCompletions = 100
const instructions =
  'Scoring and writing tools work on the working catalog. Products are named by id or SKU. Scores are 0 to 1. Writing tools preview unless `apply` is true.'

export function toolHandler(ports: McpPorts, onError: (error: Error) => void): McpHttpHandler {
  return createMcpHandler(
    ({ authInfo }) => {
      const asked = authInfo?.extra?.asked as Asked | undefined
      if (!asked) throw new Error('a request came without its caller')
      return serverFor(asked, ports)
    },
    { onerror: onError },
  )
}

/** For `fetch` of the handler. */
export const callerOf = (asked: Asked) => ({
  authInfo: { token: '', clientId: asked.bearer.subject, scopes: [], extra: { asked } },
})

function serverFor({ request, bearer, surface }: Asked, ports: McpPorts): Server {
  const server = new Server(
    { name: 'assay', title: 'Assay', version: interfaceVersion },
    { capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} }, instructions },
  )
  const asking = { bearer, ports }
  server.setRequestHandler('tools/list', () => ({ tools: surface.tools.map(listedTool) }))
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const tool = surface.tools.find(({ name }) => name === params.name)
    if (!tool) throw new ProtocolError(invalidParams, `Unknown tool: ${params.name}`, { code: 'MCP_001' })
    const about = {
      ...asking,
      request,
      signal: ctx.mcpReq.signal,
      agent: agentIn(ctx),
      progress: progressIn(ctx),
      protocol: ctx,
    }
    return (await callTool(tool, params.arguments ?? {}, about)) as never
  })
  server.setRequestHandler('resources/list', async ({ params }) => {
    const { single, families } = partsOf(surface.resources)
    const [family, after] = params?.cursor === undefined ? [0, undefined] : placeIn(params.cursor, families.length)
    const found = await families[family]?.list?.(after, asking)
    const next = found?.next ?? null
    const nextFamily = next === null ? family + 1 : family
    return {
      resources: [
        ...(params?.cursor === undefined ? single.map(listed) : []),
        ...(found?.resources ?? []).map((one) => ({ ...listed(families[family] as Resource), ...one })),
      ],
      ...(nextFamily < families.length && { nextCursor: cursorAt(nextFamily, next) }),
    }
  })
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: partsOf(surface.resources).families.map(({ uri, ...one }) => ({
      ...listed({ ...one, uri }),
      uriTemplate: uri,
    })),
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const at = resourceAt(surface.resources, uri)
    const body = at && (await at.resource.read(at.name, asking))
    if (!body) throw new ProtocolError(invalidParams, 'There is no such resource', { uri })
    return { contents: [{ uri, mimeType: at.resource.mimeType, ...body }] }
  })
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => {
    const family = ref.type === 'ref/resource' ? surface.resources.find(({ uri }) => uri === ref.uri) : undefined
    // Of a long list its first page: who types on is told more.
    const found = await family?.list?.(undefined, asking)
    const names = (found?.resources ?? []).map(({ uri }) => (family ? (nameIn(family, uri) ?? '') : ''))
    const values = names.filter((name) => name.startsWith(argument.value)).slice(0, mostCompletions)
    return { completion: { values, hasMore: found?.next != null } }
  })
  server.setRequestHandler('prompts/list', () => ({
    prompts: surface.prompts.map(({ name, title, description, arguments: takes }) => ({
      ...{ name, title, description },
      arguments: takes.map((one) => ({ ...one })),
    })),
  }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = surface.prompts.find(({ name }) => name === params.name)
    const args = prompt?.input.safeParse(params.arguments ?? {})
    if (!prompt || !args?.success)
      throw new ProtocolError(
        invalidParams,
        prompt ? `${params.name}: ${args?.error?.issues[0]?.message}` : 'Unknown prompt',
        {
          code: 'MCP_002',
        },
      )
    return { description: prompt.description, messages: prompt.messages(args.data) as never }
  })
  return server
}

const nameIn = (family: Resource, uri: string) => resourceAt([family], uri)?.name

const listed = ({ uri, name, title, description, mimeType }: Resource) => ({ uri, name, title, description, mimeType })

const partsOf = (all: readonly Resource[]) => ({
  single: all.filter(({ list }) => list === undefined),
  families: all.filter(({ list }) => list !== undefined),
})

/** Lists of families follow one another. */
const cursorAt = (family: number, after: string | null) =>
  Buffer.from(JSON.stringify([family, after])).toString('base64url')

function placeIn(cursor: string, families: number): [number, string | undefined] {
  try {
    const [family, after] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isPlace = Number.isInteger(family) && family >= 0 && family < families
    if (isPlace && (after === null || typeof after === 'string')) return [family, after ?? undefined]
  } catch {
    // What is no JSON is no place either.
  }
  throw new ProtocolError(invalidParams, 'This is no cursor of this list', { code: 'MCP_002' })
}

function agentIn({ mcpReq }: ServerContext): ToolContext['agent'] {
  const said = clientInfo.safeParse((mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_INFO_META_KEY])
  if (!said.success) return null
  const { name, version } = said.data
  return { name, ...(version !== undefined && { version }) }
}

function progressIn({ mcpReq }: ServerContext): ToolContext['progress'] {
  const progressToken = mcpReq._meta?.progressToken
  return async (progress, total) => {
    if (progressToken === undefined) return
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total } })
  }
}
