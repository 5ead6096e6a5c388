import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Action } from '../../schemas/access.ts'
import { type Answer, type Running, startAssay, workspace } from '../running.ts'
import { type ApiDocument, checkOf, type Operation, operationsOf, pathOf, readDocument } from './operations.ts'

let assay: Running
let document: ApiDocument
let operations: Operation[]
let asked: Operation[]
beforeAll(async () => {
  assay = await startAssay()
  document = await readDocument(assay)
  operations = operationsOf(document)
  asked = operations.filter(({ action }) => action !== undefined)
})
afterAll(() => assay.close())

const sign = (scope: Action | '', more: { workspace?: string } = {}) =>
  assay.system.tokens.sign({ subject: 'walker', workspace, role: 'owner', brand: null, scope, ...more }, 600)

interface Sent {
  readonly token?: string
  readonly values?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
}

/** As its examples have it, but for what is given. */
async function send(operation: Operation, { token, values, query, body }: Sent): Promise<Answer> {
  const content = Object.entries(operation.body?.content ?? {})
  const [type, media] = content.find(([, { example }]) => example !== undefined) ?? []
  const headers: Record<string, string> = {
    authorization: token === undefined ? '' : `Bearer ${token}`,
    accept: 'application/x-ndjson, */*',
    ...(type ? { 'content-type': type } : {}),
  }
  const path = pathOf(operation, { workspaceId: workspace, ...values })
  const needed = operation.parameters.filter((one) => one.in === 'query' && one.required)
  const search = new URLSearchParams(Object.fromEntries(needed.map(({ name, example }) => [name, String(example)])))
  return assay.call(
    operation.method as 'GET',
    `${path}${query ?? (needed.length > 0 ? `?${search}` : '')}`,
    body ?? media?.example,
    headers,
  )
}

/** @returns what is wrong with the answer: its status, a status that is not in the document, a body that is not as it says */
function faultsOf(operation: Operation, answer: Answer, wanted: number): string[] {
  const name = `${operation.method} ${operation.path}`
  if (answer.status !== wanted) return [`${name} answers ${answer.status}, not ${wanted}: ${answer.text.slice(0, 200)}`]
  const schema = operation.responses[wanted]?.content['application/json']?.schema
  if (!schema) return [`${name}: ${wanted} is not in the document`]
  const { error } = checkOf(document, schema).safeParse(answer.body)
  return error ? [`${name}: ${wanted} is not as the document says: ${answer.text} ${error.message}`] : []
}

async function walk(
  over: readonly Operation[],
  wanted: number,
  ask: (operation: Operation) => Promise<Answer>,
): Promise<void> {
  const faults: string[] = []
  for (const operation of over) faults.push(...faultsOf(operation, await ask(operation), wanted))
  expect(over).not.toEqual([])
  expect(faults).toEqual([])
}

test('401: every route that asks for a credential refuses who says nothing, and who says nonsense', async () => {
  const closed = operations.filter(({ security }) => security.length > 0)
  await walk(closed, 401, (operation) => send(operation, {}))
  await walk(closed, 401, (operation) => send(operation, { token: 'nonsense' }))
})

test('403: every such route refuses a token that has every action but this one', async () => {
  const other = (action: string | undefined): Action => (action === 'jobs:read' ? 'search:read' : 'jobs:read')
  await walk(asked, 403, async (operation) => send(operation, { token: await sign(other(operation.action)) }))
})

test('403: every route of a workspace refuses the owner of another', async () => {
  const token = await sign('', { workspace: 'ws_elsewhere' })
  await walk(
    asked.filter(({ path }) => path.includes('{workspaceId}')),
    403,
    (operation) => send(operation, { token }),
  )
})

describe('400', () => {
  const idsOf = ({ parameters }: Operation) =>
    parameters.filter((one) => one.in === 'path' && one.name !== 'workspaceId' && one.schema.format === 'uuid')

  test('an id in the address that is none', async () => {
    const token = await sign('')
    for (const name of new Set(asked.flatMap((one) => idsOf(one).map((id) => id.name))))
      await walk(
        asked.filter((one) => idsOf(one).some((id) => id.name === name)),
        400,
        (operation) => send(operation, { token, values: { [name]: 'none' } }),
      )
  })

  test('a list that is asked for no rows, or from a cursor that was forged', async () => {
    const token = await sign('')
    const lists = asked.filter(({ parameters }) => parameters.some(({ name }) => name === 'limit'))
    for (const query of ['?limit=0', '?limit=201', '?limit=x', '?after=Zm9yZ2Vk'])
      await walk(lists, 400, (operation) => send(operation, { token, query }))
  })

  test('a body that is no JSON, and one with a field that nobody knows', async () => {
    const token = await sign('')
    // Where a body is a file, what stands in it is the import's to judge.
    const isFile = ({ body }: Operation) => body?.content['text/csv'] !== undefined
    // The tool channel says so as JSON-RPC: test/serving/mcp/channel.test.ts.
    const isRpc = ({ path }: Operation) => path === '/api/mcp' || path === '/api/mcp/sse'
    const withBody = asked.filter((one) => one.body?.content['application/json'] && !isFile(one) && !isRpc(one))
    for (const body of ['{', '[]', '7', '{"nobody_knows_this": 1}'])
      await walk(withBody, 400, (operation) => send(operation, { token, body }))
  })
})

test('404: what is not there, on every route that names something of a workspace', async () => {
  const token = await sign('')
  const named = asked.filter(({ parameters }) =>
    parameters.some((one) => one.in === 'path' && one.name !== 'workspaceId' && one.schema.format === 'uuid'),
  )
  await walk(named, 404, (operation) => send(operation, { token }))
})
