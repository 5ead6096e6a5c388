import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverPorts } from '../../infra/system/server-ports.ts'
import { buildServer } from '../../serving/server.ts'
import { enough } from '../enough.ts'
import { type Running, startAssay } from '../running.ts'
import { anyJson, hardText, spoiled, valueFor } from './arbitrary-json.ts'
import { layGround } from './ground.ts'
import { type ApiDocument, checkOf, type Operation, operationsOf, readDocument } from './operations.ts'

/** Of each kind, for each operation; each run of the suite has others. */
const runs = enough(2, 6)

let assay: Running
let app: Running['app']
let document: ApiDocument
let token: string
let real: Readonly<Record<string, string>>
beforeAll(async () => {
  assay = await startAssay()
  const ports = serverPorts(assay.system)
  const many = [{ by: 'credential', seconds: 60, limit: 1_000_000 }] as const
  const rates = { feed: many, search: many, tools: many, workspace: many }
  app = await buildServer({ ...ports, logger: null, limits: { ...ports.limits, rates }, streams: { endsAfterMs: 50 } })
  document = await readDocument(assay)
  token = await assay.token('owner')
  const ground = await layGround(assay)
  real = { ...ground, catalog_id: ground.catalogId, brand_id: ground.brandId }
})
afterAll(async () => {
  await app.close()
  await assay.close()
})

interface Request {
  readonly path: string
  readonly type: string | null
  readonly payload: string | null
}

/** Ids that exist come often: else nothing but 404 would be met. */
function placed(name: string, made: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const known = real[name]
  const text = made.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  return known === undefined ? text : fc.oneof({ weight: 4, arbitrary: fc.constant(known) }, text)
}

const inAddress = (text: string) => encodeURIComponent(text.toWellFormed())

function requestOf(operation: Operation, spoil: boolean): fc.Arbitrary<Request> {
  const { parameters, body } = operation
  const texts = (place: 'path' | 'query') =>
    Object.fromEntries(
      parameters
        .filter((one) => one.in === place)
        .map(({ name, schema }) => [
          name,
          placed(name, spoil ? fc.oneof(valueFor(schema), hardText) : valueFor(schema)),
        ]),
    )
  const bodies = Object.entries(body?.content ?? {}).map(([type, { schema }]) => {
    const valid = valueFor(schema)
    const json = type === 'application/json'
    const value = spoil ? (json ? fc.oneof(spoiled(valid), anyJson) : hardText) : valid
    return value.map((one) => ({ type, payload: json || typeof one !== 'string' ? JSON.stringify(one) : one }))
  })
  const none = fc.constant({ type: null, payload: null })
  const required = { path: fc.record(texts('path')), query: fc.record(texts('query'), { requiredKeys: [] }) }
  return fc
    .record({
      ...required,
      body: bodies.length > 0 ? fc.oneof<fc.Arbitrary<Omit<Request, 'path'>>[]>(...bodies) : none,
    })
    .map(({ path, query, body: sent }) => {
      const address = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => inAddress(path[name] ?? ''))
      const search = Object.entries(query).map(([name, value]) => `${name}=${inAddress(value ?? '')}`)
      return { path: `${address}${search.length > 0 ? `?${search.join('&')}` : ''}`, ...sent }
    })
}

/** Operations that answered with what was asked for at least once: a run in which everything is refused shows nothing. */
const answered = new Set<string>()

const answersWithinMs = 20_000
/** Who follows a feed is answered for as long as they listen: so long. */
const listensMs = 1_000

/** @returns null for an answer that the document has */
async function faultOf(
  { method, path: operationPath, responses }: Operation,
  { path, type, payload }: Request,
): Promise<string | null> {
  const follows = /[?&]follow=1/.test(path)
  const answer = await app
    .inject({
      method: method as 'GET',
      url: path,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/x-ndjson, */*',
        ...(type === null ? {} : { 'content-type': type }),
      },
      ...(payload === null ? {} : { payload }),
      signal: AbortSignal.timeout(follows ? listensMs : answersWithinMs),
    })
    .catch((error: Error) => error)
  if (answer instanceof Error) return follows ? null : `no answer: ${answer.message}`
  if (answer.statusCode < 300) answered.add(`${method} ${operationPath}`)
  const told = `${answer.statusCode} ${answer.payload.slice(0, 300)}`
  if (answer.statusCode === 500) return `a 500: ${told}`
  const response = responses[answer.statusCode]
  if (!response) return `a status that the document does not have: ${told}`
  // The tool channel says what is wrong as JSON-RPC: test/serving/mcp/.
  if (/^\/api\/mcp(\/sse)?$/.test(operationPath) && method === 'POST' && answer.statusCode >= 400) return null
  const media = response.content['application/json']
  if (!media || !String(answer.headers['content-type']).startsWith('application/json')) return null
  const { error } = checkOf(document, media.schema).safeParse(JSON.parse(answer.payload))
  return error ? `not as the document says: ${told} ${error.message}` : null
}

/** What removes the ground that others stand on comes last, and before it the policy that may shut this very caller out. */
const inOrder = (operations: readonly Operation[]) => {
  const place = ({ method, path }: Operation) =>
    method === 'DELETE' ? 1_000 - path.length : path.endsWith('/policy') && method === 'PUT' ? 1 : 0
  return operations.toSorted((a, b) => place(a) - place(b))
}

test('no request that the document allows, and none that is a step off, meets a 500 or an answer that is not in it', async () => {
  const faults: string[] = []
  for (const operation of inOrder(operationsOf(document)))
    for (const spoil of [false, true]) {
      const holds = fc.asyncProperty(requestOf(operation, spoil), async (request) => {
        const fault = await faultOf(operation, request)
        if (fault !== null) throw new Error(fault)
      })
      const { failed, counterexample, errorInstance } = await fc.check(holds, { numRuns: runs, endOnFailure: true })
      if (failed)
        faults.push(`${operation.method} ${operation.path} ${JSON.stringify(counterexample)}: ${String(errorInstance)}`)
    }
  expect(faults).toEqual([])
  // That each operation can answer is shown in every-operation.test.ts; a run in which nearly all is refused would show nothing.
  expect(answered.size).toBeGreaterThan(operationsOf(document).length / 3)
}, 120_000)
