/** Child processes of `bench mcp`: Assay with a tool channel whose rate nothing bounds, or, with `--bare`, the library alone with one tool that does nothing. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { ensureWorkspace } from '../../infra/catalog/tenants.ts'
import { readConfig } from '../../infra/config.ts'
import { openLogger } from '../../infra/logger.ts'
import { serverPorts } from '../../infra/system/server-ports.ts'
import { openSystem } from '../../infra/system.ts'
import { buildServer } from '../../serving/server.ts'
import { workspace } from './serving.ts'

const options = { data: { type: 'string' }, bare: { type: 'boolean' } } as const
const { values } = parseArgs({ options, allowPositionals: true, strict: false })
const listens = (url: string) => process.stdout.write(`listens on ${url}\n`)

async function assay() {
  const config = readConfig({ ...process.env, ASSAY_DATA: String(values.data) })
  const system = await openSystem(config, openLogger('error', {}), {
    ...{ roles: ['api', 'jobs', 'transforms', 'events'], alone: true },
  })
  await ensureWorkspace(system.catalog.pipeline, workspace, 'Demo')
  const ports = serverPorts(system)
  const rates = { ...ports.limits.rates, tools: [] }
  const app = await buildServer({ ...ports, limits: { ...ports.limits, rates } })
  listens(await app.listen({ host: '127.0.0.1', port: 0 }))
  return () => app.close().then(() => system.close())
}

async function bare() {
  const answer = { product_id: 'MUG-1', score: 0.62 }
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'bare', version: '1' })
    const inputSchema = z.object({ product_id: z.string() })
    const outputSchema = z.object({ product_id: z.string(), score: z.number() })
    server.registerTool('get_score', { description: 'Nothing', inputSchema, outputSchema }, async () => ({
      content: [{ type: 'text', text: JSON.stringify(answer) }],
      structuredContent: answer,
    }))
    return server
  })
  const serve = toNodeHandler(handler)
  const server = createServer((request, response) => void serve(request as NodeIncomingMessageLike, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  listens(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.closeAllConnections()
    server.close()
  }
}

const close = await (values.bare ? bare() : assay())
process.once('SIGINT', () => void close().then(() => process.exit(0)))
