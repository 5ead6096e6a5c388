import { expect, test } from 'vitest'
import { plainCall } from '../../../serving/mcp/plain-call.ts'
import { toolList } from '../../../serving/mcp/tool-list.ts'

const present = '2026-07-28'
const headers = { 'mcp-protocol-version': present, 'mcp-method': 'tools/call', 'mcp-name': 'get_score' }
const client = { name: 'agent', version: '1' }
const said = {
  'io.modelcontextprotocol/protocolVersion': present,
  'io.modelcontextprotocol/clientCapabilities': { sampling: {}, roots: { listChanged: true } },
  'io.modelcontextprotocol/clientInfo': client,
}
const call = (params: object = {}, more: object = {}) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', ...more },
  params: { name: 'get_score', arguments: { product_id: 'A' }, ...params },
})
const isPlain = (body: unknown, sent: Record<string, unknown> = {}) => plainCall(sent, body, toolList) !== null

test('a call as official clients send it is plain, in both eras', () => {
  expect(plainCall(headers, call({ _meta: said }), toolList)).toMatchObject({
    ...{ id: 1, tool: { name: 'get_score' }, args: { product_id: 'A' }, client },
  })
  expect(plainCall({ 'mcp-protocol-version': '2025-11-25' }, call(), toolList)).toMatchObject({ client: null })
  for (const none of [undefined, null])
    expect(plainCall({}, call({ arguments: none }, { id: '' }), toolList)).toMatchObject({ args: {} })
})

test('what differs in anything is the library’s to judge', () => {
  const odd: readonly unknown[] = [
    ...[null, 5, 'x', [call()], {}],
    ...[{ id: null }, { id: 1.5 }, { id: {} }, { jsonrpc: '1.0' }, { method: 'tools/list' }, { more: 1 }].map((one) =>
      call({}, one),
    ),
    ...[{ name: 'none' }, { name: 5 }, { task: {} }, { requestState: 'x' }].map((one) => call(one)),
    call({ _meta: {} }),
    call({ _meta: { progressToken: 1 } }),
  ]
  for (const body of odd) expect(isPlain(body), JSON.stringify(body)).toBe(false)
  expect(isPlain(call(), { 'mcp-protocol-version': present })).toBe(false)
  expect(isPlain(call(), { 'mcp-protocol-version': '1999-01-01' })).toBe(false)
  for (const [name, value] of [
    ['mcp-protocol-version', '2025-11-25'],
    ['mcp-method', undefined],
    ['mcp-name', 'list_gaps'],
  ] as const)
    expect(isPlain(call({ _meta: said }), { ...headers, [name]: value }), name).toBe(false)
  for (const [key, value] of [
    ['protocolVersion', '2027-01-01'],
    ['clientCapabilities', undefined],
    ['clientCapabilities', { sampling: 5 }],
    ['clientInfo', { name: 'agent' }],
    ['logLevel', 'debug'],
  ] as const)
    expect(isPlain(call({ _meta: { ...said, [`io.modelcontextprotocol/${key}`]: value } }), headers), key).toBe(false)
})
