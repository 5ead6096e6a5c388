/** A call of a tool in the plain form that most have, answered without the protocol's library; what differs in anything is the library's to judge. */
import { interfaceVersion } from '../../schemas/interface-version.ts'
import { givenArguments, isRecord } from './readable-calls.ts'
import type { Tool, ToolAnswer } from './tool.ts'

/** The library took longer than all else that such a call does: it makes a server, a request and an answer for each, and validates them several times. */
export interface PlainCall {
  readonly id: string | number
  readonly tool: Tool
  readonly args: unknown
  /** null: of the former era, whose calls carry nothing of their client. */
  readonly client: Client | null
}

interface Client {
  readonly name?: string
  readonly version?: string
}

/** As the library names this server to its clients. */
export const identity = { name: 'assay', title: 'Assay', version: interfaceVersion }

const present = '2026-07-28'
const former = new Set([undefined, '2025-11-25', '2025-06-18', '2025-03-26'])
const meta = 'io.modelcontextprotocol/'

type Fields = Readonly<Record<string, unknown>>

/** @returns null for what is the library's to judge */
export function plainCall(
  headers: Readonly<Record<string, unknown>>,
  body: unknown,
  tools: readonly Tool[],
): PlainCall | null {
  if (!has(body, 'jsonrpc', 'id', 'method', 'params')) return null
  const { jsonrpc, id, method, params } = body
  const isId = typeof id === 'string' || Number.isSafeInteger(id)
  if (jsonrpc !== '2.0' || !isId || method !== 'tools/call' || !has(params, 'name', 'arguments', '_meta')) return null
  const { name, arguments: args, _meta } = params
  // One without an output is a fixture of tests, which asks more of the protocol.
  const tool = tools.find((one) => one.name === name && one.output !== null)
  if (!tool) return null
  const client = _meta === undefined ? formerClient(headers) : clientIn(headers, tool.name, _meta)
  return client === undefined ? null : { id: id as string | number, tool, args: givenArguments(args), client }
}

const formerClient = (headers: Fields) =>
  former.has(headers['mcp-protocol-version'] as string | undefined) ? null : undefined

/** @returns undefined where it, or a header that repeats it, is not as most have it */
function clientIn(headers: Fields, tool: string, said: unknown): Client | undefined {
  const [version, capabilities, info] = ['protocolVersion', 'clientCapabilities', 'clientInfo'].map((key) => meta + key)
  if (!version || !capabilities || !info || !has(said, version, capabilities, info)) return
  const repeated = [headers['mcp-protocol-version'], headers['mcp-method'], headers['mcp-name']]
  if (said[version] !== present || !isEqual(repeated, [present, 'tools/call', tool])) return
  const can = said[capabilities]
  if (!isRecord(can) || !Object.values(can).every(isCapability)) return
  const client = said[info]
  if (client === undefined) return {}
  if (!has(client, 'name', 'version')) return
  const { name, version: own } = client
  return typeof name === 'string' && typeof own === 'string' ? { name, version: own } : undefined
}

/** The same as the library answers it. */
export const plainAnswer = ({ id, client }: PlainCall, answer: ToolAnswer): string =>
  JSON.stringify({
    result:
      client === null
        ? answer
        : { ...answer, resultType: 'complete', _meta: { ...answer._meta, [`${meta}serverInfo`]: identity } },
    jsonrpc: '2.0',
    id,
  })

/** Has no other fields than these. */
const has = (value: unknown, ...fields: string[]): value is Fields =>
  isRecord(value) && Object.keys(value).every((key) => fields.includes(key))

const isEqual = (a: readonly unknown[], b: readonly unknown[]) => a.every((one, place) => one === b[place])

const isCapability = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every((one) => typeof one === 'boolean' || isRecord(one))
